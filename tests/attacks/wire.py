"""Bytes to a server and back, as they are."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import h11

from service.rest.http1.limits import Limits
from service.rest.http1.messages import Application
from service.rest.http1.server import HttpServer

SECONDS = 20.0


@asynccontextmanager
async def served(app: Application, limits: Limits | None = None) -> AsyncIterator[int]:
    """The port on which an application is served until the end of the block."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=512)
    server = HttpServer(app, listening, limits or Limits(), drain_seconds=1.0)
    task = asyncio.create_task(server.serve())
    try:
        yield listening.getsockname()[1]
    finally:
        server.stop()
        await task


async def exchange(port: int, pieces: Sequence[bytes], *, half_close: bool = False) -> bytes:
    """Send pieces, each in a packet of its own; everything that comes back until the server closes
    the connection."""
    async with line(port) as (reader, writer):
        await send(writer, pieces)
        if half_close:
            writer.write_eof()
        return await read_all(reader)


@asynccontextmanager
async def line(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def send(writer: asyncio.StreamWriter, pieces: Sequence[bytes]) -> None:
    """Send each in a packet of its own. A server that has refused the beginning may not take the
    rest."""
    with contextlib.suppress(ConnectionError):
        for piece in pieces:
            writer.write(piece)
            await asyncio.wait_for(writer.drain(), SECONDS)
            await asyncio.sleep(0)


async def read_all(reader: asyncio.StreamReader) -> bytes:
    """Everything until the end, or until the connection is reset."""
    received = b""
    with contextlib.suppress(ConnectionError):
        while data := await asyncio.wait_for(reader.read(65536), SECONDS):
            received += data
    return received


async def read_until_silent(reader: asyncio.StreamReader, seconds: float) -> bytes:
    """What comes until there is nothing for `seconds`."""
    received = b""
    with contextlib.suppress(ConnectionError, TimeoutError):
        while data := await asyncio.wait_for(reader.read(65536), seconds):
            received += data
    return received


def statuses(received: bytes, methods: Sequence[str] = ("GET",) * 100) -> list[int]:
    """The codes of the answers, one after another, read by a strict client: each is whole, and
    nothing is between them."""
    return [status for status, _ in answers(received, methods)]


def answers(received: bytes, methods: Sequence[str] = ("GET",) * 100) -> list[tuple[int, bytes]]:
    """Code and body of each answer to requests with these methods."""
    found: list[tuple[int, bytes]] = []
    for method in methods:
        if not received:
            break
        client = h11.Connection(h11.CLIENT)
        client.send(h11.Request(method=method, target="/", headers=[("host", "x")]))
        client.send(h11.EndOfMessage())
        client.receive_data(received)
        client.receive_data(b"")
        status, body = 0, b""
        while True:
            event = client.next_event()
            if isinstance(event, h11.InformationalResponse):
                continue
            if isinstance(event, h11.Response):
                status = event.status_code
            elif isinstance(event, h11.Data):
                body += event.data
            else:
                assert isinstance(event, h11.EndOfMessage), event
                break
        found.append((status, body))
        received = client.trailing_data[0]
    assert received == b"", received
    return found
