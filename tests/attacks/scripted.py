"""An application that answers as its paths say, and what a test can see of it."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

from service.rest.http1.messages import BrokenOff, Reply, Request, Stream, Unacceptable
from service.rest.replies import refusal

LARGE = b"l" * 1_000_000
PIECE = b"p" * 10_000
PROBE = b": still there?\n\n"

STREAMS = ("/pieces", "/endless", "/events", "/broken")


class Scripted:
    """`/now` is answered at once; `/wait` when `go` is set; `/large` with a megabyte; `/pieces`
    with a stream of three pieces; `/endless` with one that never ends; `/events` with one event and
    then nothing; `/broken` with a stream that breaks off."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.waiting = 0
        self.asked: list[str] = []
        self.pieces = 0
        self.open = 0
        self.cancelled = 0

    def at_once(self, request: Request) -> Reply | None:
        self.asked.append(request.path)
        if request.path == "/now":
            return Reply(200, b"now")
        return Reply(200, LARGE) if request.path == "/large" else None

    async def answer(self, request: Request) -> Reply | Stream:
        if request.path == "/wait":
            self.waiting += 1
            try:
                await self.go.wait()
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
            return Reply(200, b"waited")
        if request.path not in STREAMS:
            return Reply(404, b"")
        streams: dict[str, Callable[[], AsyncGenerator[bytes, None]]] = {
            "/pieces": lambda: self._pieces(3),
            "/endless": lambda: self._pieces(1_000_000),
            "/events": self._events,
            "/broken": self._broken,
        }
        probe = PROBE if request.path == "/events" else b""
        return Stream((("content-type", "text/plain"),), streams[request.path](), probe)

    def refusal(self, refused: Unacceptable) -> Reply:
        return refusal(refused)

    async def _pieces(self, count: int) -> AsyncGenerator[bytes, None]:
        self.open += 1
        try:
            for _ in range(count):
                self.pieces += 1
                yield PIECE
                yield b""
        finally:
            self.open -= 1

    async def _events(self) -> AsyncGenerator[bytes, None]:
        self.open += 1
        try:
            yield b"data: 1\n\n"
            await self.go.wait()
            yield b"data: 2\n\n"
        finally:
            self.open -= 1

    async def _broken(self) -> AsyncGenerator[bytes, None]:
        yield b"half"
        raise BrokenOff


async def until(condition: Callable[[], bool | Awaitable[bool]], seconds: float = 10.0) -> None:
    """Return as soon as something holds that the server's own tasks bring about."""
    async with asyncio.timeout(seconds):
        while True:
            holds = condition()
            if await holds if isinstance(holds, Awaitable) else holds:
                return
            await asyncio.sleep(0.005)
