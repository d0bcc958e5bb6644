"""Too many connections, too much that they hold, and the end of them all."""

import asyncio
import socket
from contextlib import AsyncExitStack
from dataclasses import replace

from service.rest.http1.limits import Limits
from service.rest.http1.server import HttpServer
from tests.attacks.cases import get, post
from tests.attacks.scripted import Scripted, until
from tests.attacks.wire import answers, exchange, line, read_all, served, statuses

FEW = replace(Limits(), connections=4)
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def wanted(path: str, *headers: bytes) -> bytes:
    return get(b"Host: a", *headers, line=f"GET {path} HTTP/1.1".encode())


async def ask(one: Line, path: str) -> bytes:
    """A request on a connection that stays; what comes back of it."""
    reader, writer = one
    writer.write(wanted(path))
    return await asyncio.wait_for(reader.readuntil(b"now"), 10)


async def is_closed(one: Line) -> bool:
    """Whether the server has closed it; to be asked where nothing else is expected."""
    try:
        return await asyncio.wait_for(one[0].read(1), 0.1) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


async def test_half_requests_push_out_each_other_and_no_client_waits() -> None:
    async with served(Scripted(), FEW) as port, AsyncExitStack() as stack:
        player = await stack.enter_async_context(line(port))
        await ask(player, "/now")
        half = []
        for number in range(20):
            one = await stack.enter_async_context(line(port))
            one[1].write((b"GET / HT", post(b"Content-Length: 9"), b"")[number % 3])
            half.append(one)
            assert statuses(await exchange(port, [wanted("/now", b"Connection: close")])) == [200]
        assert await ask(player, "/now")
        open_ones = [one for one in half if not await is_closed(one)]
        assert set(open_ones) <= set(half[-3:])


async def test_the_connection_that_has_been_idle_for_longest_makes_room() -> None:
    async with served(Scripted(), FEW) as port, AsyncExitStack() as stack:
        idle = [await stack.enter_async_context(line(port)) for _ in range(4)]
        for one in idle:
            await ask(one, "/now")
        await ask(idle[0], "/now")
        new = await stack.enter_async_context(line(port))
        await ask(new, "/now")
        assert [await is_closed(one) for one in idle] == [False, True, False, False]


async def test_where_every_connection_is_at_work_another_is_told_to_come_again() -> None:
    app = Scripted()
    async with served(app, FEW) as port, AsyncExitStack() as stack:
        busy = [await stack.enter_async_context(line(port)) for _ in range(4)]
        for _, writer in busy:
            writer.write(wanted("/wait", b"Connection: close"))
        await until(lambda: app.waiting == 4)
        received = await exchange(port, [wanted("/now")])
        assert statuses(received) == [503]
        assert b"\r\nretry-after: 1\r\n" in received
        assert b"REASON_UNAVAILABLE" in received
        app.go.set()
        for reader, _ in busy:
            assert statuses(await read_all(reader)) == [200]
        assert statuses(await exchange(port, [wanted("/now", b"Connection: close")])) == [200]


async def test_who_is_turned_away_in_masses_is_not_even_told() -> None:
    app = Scripted()
    async with served(app, FEW) as port, AsyncExitStack() as stack:
        busy = [await stack.enter_async_context(line(port)) for _ in range(4)]
        for _, writer in busy:
            writer.write(wanted("/wait"))
        await until(lambda: app.waiting == 4)
        crowd = [await stack.enter_async_context(line(port)) for _ in range(10)]
        told = [await asyncio.wait_for(first_bytes(one), 10) for one in crowd]
        assert told == [True] + [False] * 9
        app.go.set()


async def first_bytes(one: Line) -> bool:
    try:
        return await one[0].read(9) == b"HTTP/1.1 "
    except ConnectionError:
        return False


async def test_a_stream_does_not_make_room() -> None:
    app = Scripted()
    async with served(app, FEW) as port, AsyncExitStack() as stack:
        watchers = [await stack.enter_async_context(line(port)) for _ in range(4)]
        for reader, writer in watchers:
            writer.write(wanted("/events"))
            await reader.readuntil(b"data: 1")
        assert statuses(await exchange(port, [wanted("/now")])) == [503]
        app.go.set()
        for reader, _ in watchers:
            await asyncio.wait_for(reader.readuntil(b"data: 2"), 10)


async def test_requests_that_are_not_complete_hold_no_more_than_all_may() -> None:
    """Who holds most goes first."""
    tight = replace(Limits(), waiting_bytes=100_000)
    async with served(Scripted(), tight) as port, AsyncExitStack() as stack:
        small, large, *others = [await stack.enter_async_context(line(port)) for _ in range(4)]
        for one, size in ((small, 1_000), (large, 60_000)):
            one[1].write(post(b"Content-Length: 90000", body=b" " * size))
        for one in others:
            await asyncio.sleep(0.05)
            one[1].write(post(b"Content-Length: 90000", body=b" " * 40_000))
        await asyncio.wait_for(large[0].read(), 10)
        assert [await is_closed(one) for one in (small, *others)] == [False] * 3


async def test_of_requests_behind_a_slow_one_no_more_is_read_than_the_limit() -> None:
    app = Scripted()
    sent = 0
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
        limits = replace(Limits(), pipelined_bytes=2000)
        server = HttpServer(app, listening, limits, drain_seconds=0.0)
        serving = asyncio.create_task(server.serve())
        loop = asyncio.get_running_loop()
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
            client.setblocking(False)
            await loop.sock_connect(client, listening.getsockname())
            many = wanted("/wait") + wanted("/now") * 100
            while sent < 50:
                try:
                    await asyncio.wait_for(loop.sock_sendall(client, many), 0.3)
                except TimeoutError:
                    break
                sent += 1
            assert sent < 50  # 200 kB, where the systems keep less than half
            assert app.asked == ["/wait"]
        server.stop()
        await serving


async def test_a_client_of_many_requests_gets_no_more_than_its_turn() -> None:
    app = Scripted()
    async with served(app) as port, line(port) as (reader, writer):
        writer.write(wanted("/now") * 2000)
        await until(lambda: len(app.asked) > 10)
        [(status, _)] = answers(await exchange(port, [wanted("/wait/", b"Connection: close")]))
        assert status == 404
        assert app.asked.index("/wait/") < 1500
        await until(lambda: len(app.asked) == 2001)
        for _ in range(2000):
            await asyncio.wait_for(reader.readuntil(b"now"), 10)


# --- the end


async def test_at_a_stop_what_is_due_is_answered_and_the_rest_closed() -> None:
    app = Scripted()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        server = HttpServer(app, listening, Limits(), drain_seconds=60.0)
        serving = asyncio.create_task(server.serve())
        async with (
            line(port) as idle,
            line(port) as new,
            line(port) as half,
            line(port) as busy,
            line(port) as watcher,
        ):
            watcher[1].write(wanted("/events"))
            await watcher[0].readuntil(b"data: 1")
            await ask(idle, "/now")
            half[1].write(wanted("/now")[:20])
            busy[1].write(wanted("/wait") + wanted("/now"))
            await until(lambda: app.waiting == 1)
            server.stop()
            assert await asyncio.wait_for(idle[0].read(), 10) == b""
            assert await asyncio.wait_for(new[0].read(), 10) == b""
            half[1].write(wanted("/now")[20:])
            app.go.set()
            for one, body in ((half, b"now"), (busy, b"waited")):
                received = await read_all(one[0])
                assert answers(received) == [(200, body)]
                assert b"\r\nconnection: close\r\n" in received
            assert (await read_all(watcher[0])).endswith(b"\r\n0\r\n\r\n")
        await asyncio.wait_for(serving, 10)
    assert app.asked == ["/events", "/now", "/wait", "/now"]


async def test_what_does_not_end_in_time_is_cut_off() -> None:
    app = Scripted()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        server = HttpServer(app, listening, Limits(), drain_seconds=0.05)
        serving = asyncio.create_task(server.serve())
        async with line(port) as (reader, writer), line(port) as watcher, line(port) as half:
            writer.write(wanted("/wait"))
            watcher[1].write(wanted("/events"))
            half[1].write(b"GET")
            await watcher[0].readuntil(b"data: 1")
            await until(lambda: app.waiting == 1)
            server.stop()
            await asyncio.wait_for(serving, 10)
            assert app.cancelled == 1
            assert app.open == 0
            assert await asyncio.wait_for(read_all(reader), 10) == b""
