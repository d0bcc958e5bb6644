"""Downloads over REST: the bytes as they come, and no end where something went wrong."""

import asyncio
from collections.abc import AsyncGenerator, Mapping

import pytest
from croupier.v1.export_service_pb2 import ExportRoundsRequest, ExportRoundsResponse
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from service.calls.errors import ApiError
from service.rest.app import RestApp
from service.rest.http1.messages import BrokenOff, Reply, Request, Stream
from service.rules.reasons import Reason
from tests.rest.serving import serving

EXPORT = "/croupier.v1.ExportService/ExportRounds"

HERE = "127.0.0.1"


class Pieces:
    """Answers with pieces of a file, and with a failure after so many of them."""

    def __init__(self, *pieces: bytes, fails: bool = False) -> None:
        self._pieces = pieces
        self._fails = fails
        self.request: Message | None = None

    async def __call__(
        self, method: str, request: Message, metadata: Mapping[str, str], *, address: str
    ) -> Message:
        raise AssertionError(f"{method}: a download is a stream ({request}, {metadata}, {address})")

    async def stream(
        self, method: str, request: Message, metadata: Mapping[str, str], address: str
    ) -> AsyncGenerator[Message, None]:
        assert (method, {*metadata} - {"host"}) == (EXPORT, set())
        assert address == HERE
        self.request = request
        for piece in self._pieces:
            yield ExportRoundsResponse(content_type="text/csv", data=piece)
        if self._fails:
            raise ApiError(Reason.UNAVAILABLE, "the database is away")


async def get(
    pieces: Pieces, query: str = "", method: str = "GET"
) -> tuple[dict[str, str], list[bytes], bool]:
    """The headers of the answer, the pieces of its body, and whether it came to its end."""
    request = Request(method, "/v1/export/rounds", query, {}, b"", 1, True, HERE)
    answer = await RestApp(pieces, ready).answer(request)
    assert isinstance(answer, Stream), answer
    got = []
    try:
        got = [piece async for piece in answer.pieces]
    except BrokenOff:
        return dict(answer.headers), got, False
    return dict(answer.headers), got, True


async def refused(pieces: Pieces, query: str = "") -> Reply:
    request = Request("GET", "/v1/export/rounds", query, {}, b"", 1, True, HERE)
    answer = await RestApp(pieces, ready).answer(request)
    assert isinstance(answer, Reply)
    return answer


async def ready() -> bool:
    return True


async def test_the_pieces_are_the_body() -> None:
    headers, got, whole = await get(Pieces(b"a,b\n", b"1,2\n"))
    assert headers["content-type"] == "text/csv"
    assert headers["content-disposition"] == "attachment"
    assert (got, whole) == ([b"a,b\n", b"1,2\n"], True)


async def test_a_file_that_breaks_off_has_no_end() -> None:
    """On the wire, where it matters: to either version of HTTP."""
    for minor in (1, 0):
        pieces = Pieces(b"a,b\n", fails=True)
        async with serving(RestApp(pieces, ready)) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /v1/export/rounds HTTP/1.%d\r\nhost: x\r\n\r\n" % minor)
            async with asyncio.timeout(10):
                if minor:
                    text = await reader.read()
                    assert text.endswith(b"\r\n\r\n4\r\na,b\n\r\n")
                else:
                    with pytest.raises(ConnectionResetError):
                        await reader.read()
            writer.close()


async def test_what_fails_before_it_begins_is_a_status() -> None:
    reply = await refused(Pieces(fails=True))
    assert reply.status == 503
    assert b"REASON_UNAVAILABLE" in reply.body


async def test_the_head_alone() -> None:
    headers, got, _ = await get(Pieces(b"a,b\n"), method="HEAD")
    assert headers["content-type"] == "text/csv"
    assert got == []


async def test_times_in_a_query() -> None:
    pieces = Pieces(b"")
    await get(pieces, "startTime=2026-01-01T01:00:00.5%2B01:00&endTime=2026-01-02T00:00:00Z")
    assert pieces.request == ExportRoundsRequest(
        start_time=Timestamp(seconds=1_767_225_600, nanos=500_000_000),
        end_time=Timestamp(seconds=1_767_312_000),
    )
    for wrong in ("2026-01-01", "noon", "", "1767225600"):
        reply = await refused(pieces, f"startTime={wrong}")
        assert reply.status == 400
        assert b'"startTime"' in reply.body or b'"start_time"' in reply.body
