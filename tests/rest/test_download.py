"""Downloads over REST: the bytes as they come, and no end where something went wrong."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from croupier.v1.export_service_pb2 import ExportRoundsRequest, ExportRoundsResponse
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from service.calls.errors import ApiError
from service.rest.app import RestApp
from service.rules.reasons import Reason


class Pieces:
    """Answers with pieces of a file, and with a failure after so many of them."""

    def __init__(self, *pieces: bytes, fails: bool = False) -> None:
        self._pieces = pieces
        self._fails = fails
        self.request: Message | None = None

    async def __call__(self, method: str, request: Message, metadata: Mapping[str, str]) -> Message:
        raise AssertionError(f"{method}: a download is a stream ({request}, {metadata})")

    async def stream(
        self, method: str, request: Message, metadata: Mapping[str, str]
    ) -> AsyncGenerator[Message, None]:
        assert (method, dict(metadata)) == ("/croupier.v1.ExportService/ExportRounds", {})
        self.request = request
        for piece in self._pieces:
            yield ExportRoundsResponse(content_type="text/csv", data=piece)
        if self._fails:
            raise ApiError(Reason.UNAVAILABLE, "the database is away")


async def get(
    pieces: Pieces, query: str = "", method: str = "GET"
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """How the answer begins, and what follows."""
    sent: list[dict[str, Any]] = []
    bodies = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Any:
        if bodies:
            return bodies.pop()
        await never.wait()
        raise AssertionError("the client stays")

    async def send(message: Any) -> None:
        sent.append(message)

    async def ready() -> bool:
        return True

    never = asyncio.Event()
    path = "/v1/export/rounds"
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [],
    }
    await RestApp(pieces, ready)(scope, receive, send)
    return sent[0], sent[1:]


async def test_the_pieces_are_the_body() -> None:
    begin, rest = await get(Pieces(b"a,b\n", b"1,2\n"))
    assert begin["status"] == 200
    headers = dict(begin["headers"])
    assert headers[b"content-type"] == b"text/csv"
    assert headers[b"content-disposition"] == b"attachment"
    assert [(one["body"], one["more_body"]) for one in rest] == [
        (b"a,b\n", True),
        (b"1,2\n", True),
        (b"", False),
    ]


async def test_a_file_that_breaks_off_has_no_end() -> None:
    begin, rest = await get(Pieces(b"a,b\n", fails=True))
    assert begin["status"] == 200
    assert [one["more_body"] for one in rest] == [True]


async def test_what_fails_before_it_begins_is_a_status() -> None:
    begin, (body,) = await get(Pieces(fails=True))
    assert begin["status"] == 503
    assert b"REASON_UNAVAILABLE" in body["body"]


async def test_the_head_alone() -> None:
    begin, rest = await get(Pieces(b"a,b\n"), method="HEAD")
    assert dict(begin["headers"])[b"content-type"] == b"text/csv"
    assert [one["body"] for one in rest] == [b""]


async def test_times_in_a_query() -> None:
    pieces = Pieces(b"")
    await get(pieces, "startTime=2026-01-01T01:00:00.5%2B01:00&endTime=2026-01-02T00:00:00Z")
    assert pieces.request == ExportRoundsRequest(
        start_time=Timestamp(seconds=1_767_225_600, nanos=500_000_000),
        end_time=Timestamp(seconds=1_767_312_000),
    )
    for wrong in ("2026-01-01", "noon", "", "1767225600"):
        begin, (body,) = await get(pieces, f"startTime={wrong}")
        assert begin["status"] == 400
        assert b'"startTime"' in body["body"] or b'"start_time"' in body["body"]
