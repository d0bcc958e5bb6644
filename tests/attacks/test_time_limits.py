"""Clients that are slow on purpose: in sending, in reading, in going."""

import asyncio
import socket

import pytest

from service.rest.http1.limits import Limits
from tests.attacks.cases import get, post
from tests.attacks.scripted import LARGE, PROBE, Scripted, until
from tests.attacks.wire import answers, exchange, line, read_all, served, statuses

SHORT = 0.08
"""Seconds of the limit that a test is about; the others are out of its way."""
LONG = 60.0


def limits(**of_interest: float) -> Limits:
    others = dict.fromkeys(
        ("head_seconds", "body_seconds", "stall_seconds", "keep_alive_seconds", "linger_seconds"),
        LONG,
    )
    return Limits(**{**others, **of_interest})  # type: ignore[arg-type]


def wanted(path: str, *headers: bytes) -> bytes:
    return get(b"Host: a", *headers, line=f"GET {path} HTTP/1.1".encode())


@pytest.mark.parametrize(
    ("begun", "limit"),
    [
        (b"G", "head_seconds"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX-A: ", "head_seconds"),
        (post(b"Content-Length: 9", body=b"{"), "body_seconds"),
        (post(b"Transfer-Encoding: chunked", body=b"9\r\n{"), "body_seconds"),
        (post(b"Transfer-Encoding: chunked", body=b"0\r\n"), "body_seconds"),
        (post(b"Content-Length: 9", b"Expect: 100-continue"), "body_seconds"),
    ],
)
async def test_a_request_that_does_not_come_is_refused(begun: bytes, limit: str) -> None:
    app = Scripted()
    async with served(app, limits(**{limit: SHORT})) as port:
        received = await exchange(port, [begun])
    assert statuses(received) == [408]
    assert b"REASON_DEADLINE_EXCEEDED" in received
    assert app.asked == []


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\n", post(b"Content-Length: 500")])
async def test_a_byte_now_and_then_buys_no_time(begun: bytes) -> None:
    short = limits(head_seconds=SHORT, body_seconds=SHORT)
    async with served(Scripted(), short) as port, line(port) as (reader, writer):
        writer.write(begun)
        reading = asyncio.create_task(read_all(reader))
        async with asyncio.timeout(10):
            while not reading.done():
                writer.write(b"a")
                await asyncio.sleep(SHORT / 8)
        assert statuses(await reading) == [408]


async def test_a_body_that_comes_at_the_rate_may_take_longer() -> None:
    size, rate = 5000, 5000
    fair = limits(body_seconds=0.3, body_bytes_per_second=rate)
    async with served(Scripted(), fair) as port, line(port) as (reader, writer):
        head = get(b"Host: a", b"Content-Length: %d" % size, line=b"POST /now HTTP/1.1")
        writer.write(head)
        for _ in range(10):  # half a second, where a body without a byte has 0.3
            writer.write(b" " * (size // 10))
            await asyncio.sleep(0.05)
        writer.write(wanted("/now", b"Connection: close"))
        assert statuses(await read_all(reader)) == [200, 200]


@pytest.mark.parametrize("before", [b"", wanted("/now"), b"\r\n"])
async def test_a_connection_without_a_request_is_closed_without_a_word(before: bytes) -> None:
    async with served(Scripted(), limits(keep_alive_seconds=SHORT)) as port:
        received = await exchange(port, [before])
    assert statuses(received) == [200] * (before == wanted("/now"))


async def test_a_call_may_take_longer_than_any_of_these() -> None:
    app = Scripted()
    short = dict.fromkeys(
        ("head_seconds", "body_seconds", "stall_seconds", "keep_alive_seconds", "linger_seconds"),
        SHORT,
    )
    async with served(app, limits(**short)) as port, line(port) as (reader, writer):
        writer.write(wanted("/wait", b"Connection: close"))
        await asyncio.sleep(4 * SHORT)
        app.go.set()
        assert answers(await read_all(reader)) == [(200, b"waited")]


# --- who does not read


async def small_window(port: int) -> socket.socket:
    """A client whose system takes little before it is read."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.setblocking(False)
    await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", port))
    return client


async def test_answers_that_are_not_read_are_not_made_and_the_connection_is_closed() -> None:
    app = Scripted()
    async with served(app, limits(stall_seconds=SHORT)) as port:
        with await small_window(port) as client:
            loop = asyncio.get_running_loop()
            await loop.sock_sendall(client, wanted("/large") * 100)
            await until(lambda: bool(app.asked))
            await gone(port, client)
            assert len(app.asked) < 10  # what the systems between keep


async def test_a_stream_that_is_not_read_stops_and_is_closed() -> None:
    app = Scripted()
    async with served(app, limits(stall_seconds=SHORT)) as port:
        with await small_window(port) as client:
            await asyncio.get_running_loop().sock_sendall(client, wanted("/endless"))
            await until(lambda: app.open == 1)
            await until(lambda: app.open == 0)
            assert app.pieces < 2000
            await gone(port, client)


async def test_an_answer_that_is_not_read_after_the_last_request_ends_as_well() -> None:
    app = Scripted()
    async with served(app, limits(stall_seconds=SHORT, linger_seconds=SHORT)) as port:
        with await small_window(port) as client:
            large = wanted("/large", b"Connection: close")
            await asyncio.get_running_loop().sock_sendall(client, large)
            await gone(port, client)


async def test_who_reads_slowly_gets_everything() -> None:
    patient = limits(stall_seconds=1.0, stall_bytes=10_000, linger_seconds=SHORT)
    async with served(Scripted(), patient) as port:
        with await small_window(port) as client:
            loop = asyncio.get_running_loop()
            await loop.sock_sendall(client, wanted("/large", b"Connection: close"))
            received = b""
            while data := await asyncio.wait_for(loop.sock_recv(client, 20_000), 10):
                received += data
                await asyncio.sleep(0.005)
    assert answers(received) == [(200, LARGE)]


async def gone(port: int, client: socket.socket) -> None:
    """Return when the server has closed its end: the system does not know the connection."""
    mine = client.getsockname()[1]
    ends = f":{port:04X} 0100007F:{mine:04X}"

    def closed() -> bool:
        with open("/proc/net/tcp") as table:  # noqa: PTH123 - not a file to be read as a whole
            lines = [row.split() for row in table if ends in row]
        # Closed, or closing with what is still on its way: nobody of ours holds it any more.
        return not [row for row in lines if row[9] != "0"]

    await until(closed)


# --- who sends no more, or goes


async def test_who_closes_its_direction_gets_all_answers() -> None:
    app = Scripted()
    async with served(app) as port:
        asking = asyncio.create_task(
            exchange(port, [wanted("/now") + wanted("/wait") + wanted("/pieces")], half_close=True)
        )
        await until(lambda: app.waiting == 1)
        app.go.set()
        got = answers(await asking)
    assert [status for status, _ in got] == [200, 200, 200]
    assert len(got[2][1]) == 30_000


@pytest.mark.parametrize("begun", [b"GET / HT", post(b"Content-Length: 9", body=b"{")])
async def test_who_closes_its_direction_too_early_is_told(begun: bytes) -> None:
    async with served(Scripted()) as port:
        assert statuses(await exchange(port, [wanted("/now") + begun], half_close=True)) == [
            200,
            400,
        ]


async def test_a_watcher_who_sends_no_more_still_gets_events() -> None:
    app = Scripted()
    short = limits(keep_alive_seconds=SHORT)
    async with served(app, short) as port, line(port) as (reader, writer):
        writer.write(wanted("/events"))
        writer.write_eof()
        async with asyncio.timeout(10):
            await reader.readuntil(PROBE)
        app.go.set()
        received = await read_all(reader)
    assert b"data: 2" in received
    assert received.endswith(b"0\r\n\r\n")


async def test_a_watcher_who_goes_is_noticed_without_an_event() -> None:
    app = Scripted()
    async with served(app, limits(keep_alive_seconds=SHORT)) as port:
        async with line(port) as (reader, writer):
            writer.write(wanted("/events"))
            await reader.readuntil(b"data: 1\n\n")
            assert app.open == 1
        await until(lambda: app.open == 0)


async def test_who_resets_the_connection_is_not_answered() -> None:
    app = Scripted()
    async with served(app) as port:
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(wanted("/wait"))
            await until(lambda: app.waiting == 1)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        await until(lambda: app.cancelled == 1)
