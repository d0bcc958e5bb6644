"""What goes to one client, no faster than it reads."""

import asyncio
import math
import socket
import struct
from collections.abc import AsyncGenerator

from service.rest.http1.limits import Limits
from service.rest.http1.messages import BrokenOff
from service.rest.http1.writer import LAST_CHUNK, chunk

_RESET_AT_CLOSE = struct.pack("ii", 1, 0)


class Outgoing:
    """The client's direction of a transport."""

    __slots__ = ("_limits", "_paused", "_transport", "_unsent", "write")

    def __init__(self, transport: asyncio.Transport, limits: Limits) -> None:
        self._transport = transport
        self._limits = limits
        self._paused: asyncio.Future[None] | None = None
        self._unsent = math.inf
        self.write = transport.write

    @property
    def paused(self) -> bool:
        """Whether more waits for the client than it should."""
        return self._paused is not None

    def pause(self) -> None:
        """The client does not read as fast as answers are written."""
        self._paused = asyncio.get_running_loop().create_future()
        self._unsent = self._transport.get_write_buffer_size()

    def resume(self) -> None:
        """It has read what waited."""
        paused, self._paused = self._paused, None
        if paused is not None and not paused.done():
            paused.set_result(None)

    def watch(self) -> None:
        """Count from now on what the client reads, for `is_read`."""
        self._unsent = math.inf

    def is_read(self) -> bool:
        """Whether the client has read enough, since this was last asked, of what waits for it."""
        unsent = self._transport.get_write_buffer_size()
        if unsent == 0 or self._unsent - unsent < self._limits.stall_bytes:
            return False
        self._unsent = unsent
        return True

    async def send_pieces(self, pieces: AsyncGenerator[bytes, None], *, chunked: bool) -> bool:
        """Send the whole body of a stream; False if it broke off, and the connection has to be
        closed as it is: without a last chunk, or with a reset where only the end of the connection
        would end the body."""
        try:
            async for piece in pieces:
                if piece:  # an empty chunk would be the last one
                    self.write(chunk(piece) if chunked else piece)
                if self._paused is not None:
                    await self._paused
        except BrokenOff:
            if not chunked:
                raw: socket.socket = self._transport.get_extra_info("socket")
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_AT_CLOSE)
            return False
        if chunked:
            self.write(LAST_CHUNK)
        return True
