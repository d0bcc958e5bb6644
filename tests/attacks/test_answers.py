"""How answers are framed, for whoever asks in whatever version."""

import asyncio

import pytest

from service.rest.http1.messages import Reply, Request
from service.rest.http1.writer import reply_bytes
from tests.attacks.cases import get
from tests.attacks.scripted import LARGE, PIECE, Scripted
from tests.attacks.wire import answers, exchange, line, read_all, served


def wanted(line: str, *headers: bytes) -> bytes:
    return get(b"Host: a", *headers, line=line.encode())


CLOSE = b"Connection: close"


async def test_http_1_0_gets_no_chunks_and_a_closed_connection() -> None:
    async with served(Scripted()) as port:
        for path, body in (("/now", b"now"), ("/large", LARGE), ("/pieces", PIECE * 3)):
            received = await exchange(port, [wanted(f"GET {path} HTTP/1.0")])
            assert b"chunked" not in received
            assert answers(received) == [(200, body)]


async def test_http_1_0_may_keep_its_connection() -> None:
    kept = wanted("GET /now HTTP/1.0", b"Connection: Keep-Alive")
    async with served(Scripted()) as port:
        received = await exchange(port, [kept + wanted("GET /now HTTP/1.0")])
    assert [body for _, body in answers(received)] == [b"now", b"now"]
    assert received.count(b"\r\nconnection: keep-alive\r\n") == 1


async def test_http_1_0_without_a_host_is_served() -> None:
    async with served(Scripted()) as port:
        assert answers(await exchange(port, [b"GET /now HTTP/1.0\r\n\r\n"])) == [(200, b"now")]


async def test_a_head_has_the_headers_of_a_get_and_no_body() -> None:
    async with served(Scripted()) as port:
        for path in ("/now", "/large", "/pieces"):
            heads = wanted(f"HEAD {path} HTTP/1.1") + wanted("GET /now HTTP/1.1", CLOSE)
            received = await exchange(port, [heads])
            assert answers(received, ("HEAD", "GET")) == [(200, b""), (200, b"now")]
            length = {"/now": b"3", "/large": b"1000000"}.get(path)
            assert length is None or b"content-length: " + length + b"\r\n" in received


async def test_a_stream_comes_in_chunks_and_the_connection_stays() -> None:
    stream = wanted("GET /pieces HTTP/1.1") + wanted("GET /now HTTP/1.1", CLOSE)
    async with served(Scripted()) as port:
        received = await exchange(port, [stream])
    assert answers(received) == [(200, PIECE * 3), (200, b"now")]


async def test_a_stream_that_breaks_off_has_no_end() -> None:
    async with served(Scripted()) as port:
        received = await exchange(port, [wanted("GET /broken HTTP/1.1")])
    assert received.endswith(b"4\r\nhalf\r\n")


async def test_who_waits_for_a_word_before_the_body_gets_it_once() -> None:
    head = get(
        b"Host: a", b"Expect: 100-continue", b"Content-Length: 4", CLOSE,
        line=b"POST /now HTTP/1.1",
    )  # fmt: skip
    async with served(Scripted()) as port:
        async with line(port) as (reader, writer):
            writer.write(head)
            word = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
            assert word == b"HTTP/1.1 100 Continue\r\n\r\n"
            writer.write(b"bo")
            await asyncio.sleep(0.01)
            writer.write(b"dy")
            assert answers(await read_all(reader)) == [(200, b"now")]
        received = await exchange(port, [head + b"body"])
        assert b"100 Continue" not in received
        assert answers(received) == [(200, b"now")]


async def test_who_sends_on_after_a_refusal_still_reads_it() -> None:
    """A close with bytes unread would reset the connection, and the answer would be lost."""
    head = get(b"Host: a", b"Content-Length: 5000000", line=b"POST /now HTTP/1.1")
    async with served(Scripted()) as port:
        for _ in range(10):
            received = await exchange(port, [head, *[b" " * 100_000] * 50])
            assert [status for status, _ in answers(received)] == [413]


def test_a_header_can_not_end_its_line() -> None:
    request = Request("GET", "/", "", {}, b"", minor=1, keep_alive=True)
    for value in ("a\r\nset-cookie: b", "a\nb", "a\rb"):
        with pytest.raises(ValueError, match="line end"):
            reply_bytes(Reply(200, b"", (("location", value),)), "", request, close=False)
