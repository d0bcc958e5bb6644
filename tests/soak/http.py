"""A small HTTP client: many connections cost little, and a stream is read as it comes.

It speaks what the REST door answers with: bodies of a known length, and chunks of events.
"""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any

LOST = (OSError, asyncio.IncompleteReadError, EOFError)
"""What a call fails with when its server is gone."""


class Connection:
    """One connection to an address, `host:port`, on behalf of who holds a token."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address
        self._token = token
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def call(
        self, method: str, path: str, body: dict[str, Any] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """The status and the JSON of an answer; one of `LOST` if there is none."""
        try:
            reader, length = await self.send(method, path, body)
            status = self.status
            return status, json.loads(await reader.readexactly(length))
        except LOST:
            self.close()
            raise

    async def send(
        self, method: str, path: str, body: dict[str, Any] | None = None, headers: str = ""
    ) -> tuple[asyncio.StreamReader, int]:
        """Send a request and read the head of its answer: what follows, and its length."""
        if self._streams is None:
            host, _, port = self.address.partition(":")
            self._streams = await asyncio.open_connection(host, int(port))
        reader, writer = self._streams
        content = json.dumps(body).encode() if body is not None else b""
        writer.write(
            f"{method} {path} HTTP/1.1\r\nhost: {self.address}\r\n"
            f"authorization: Bearer {self._token}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(content)}\r\n{headers}\r\n".encode()
            + content
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        self.status = int(head.split(" ", 2)[1])
        _, _, rest = head.partition("content-length: ")
        return reader, int(rest.partition("\r\n")[0] or 0)

    def close(self) -> None:
        """Hang up."""
        if self._streams:
            self._streams[1].close()
            self._streams = None


async def events(
    address: str, token: str, path: str, after: int, code: str = ""
) -> AsyncGenerator[tuple[int, bytes], None]:
    """The events of a stream: version and data; (0, b"") for a heartbeat. `code` is the table's.

    Ends when the stream does, with one of `LOST` or with an event named `error`.
    """
    connection = Connection(address, token)
    try:
        resume = f"croupier-join-code: {code}\r\n" if code else ""
        resume += f"last-event-id: {after}\r\n" if after else ""
        reader, _ = await connection.send("GET", path, headers=resume)
        if connection.status != 200:
            raise EOFError(f"the stream was refused: {connection.status}")
        waiting = b""
        while size := int(await reader.readline() or b"0", 16):
            waiting += await reader.readexactly(size)
            await reader.readexactly(2)
            *whole, waiting = waiting.split(b"\n\n")
            for event in whole:
                if event.startswith(b"event: error"):
                    raise EOFError(event.decode())
                if event.startswith(b"id: "):
                    version, _, data = event[4:].partition(b"\ndata: ")
                    yield int(version), data
                else:
                    yield 0, b""
    finally:
        with suppress(OSError):
            connection.close()
