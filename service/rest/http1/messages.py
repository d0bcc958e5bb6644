"""What goes between the server and its application: requests, answers, and why one is refused."""

from collections.abc import AsyncGenerator, Mapping
from typing import Protocol

import msgspec

from service.errors import NotAllowed, Signal

Headers = tuple[tuple[str, str], ...]


class Request(msgspec.Struct, frozen=True):
    """One whole request.

    `path` and `query` are still escaped, headers have names in lower case; one that was given
    several times is joined by commas. `minor` is that of HTTP/1.0 or HTTP/1.1, `keep_alive` whether
    the client wants the connection to stay, `address` where it comes from (empty: nobody knows).
    """

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes
    minor: int
    keep_alive: bool
    address: str = ""


class Reply(msgspec.Struct, frozen=True):
    """One answer; the server adds its length and its date."""

    status: int
    body: bytes
    headers: Headers = ()


class Stream(msgspec.Struct, frozen=True):
    """An answer whose body comes in pieces; status 200.

    The server closes `pieces` in any case. `BrokenOff` from there ends the body so that the client
    sees that it is not whole. `probe` is a piece that means nothing: it is sent to a client that
    has closed its own direction, to find out whether it still listens.
    """

    headers: Headers
    pieces: AsyncGenerator[bytes, None]
    probe: bytes = b""


class BrokenOff(Signal):
    """A stream can't go on, and its body can't say so."""


class Unacceptable(NotAllowed):
    """What came is not a request, or exceeds a limit.

    `status` is the HTTP code of the answer, after which the connection is closed; `limit` the one
    that was exceeded, 0 where the answer names none.
    """

    def __init__(self, status: int, message: str, limit: int = 0) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.limit = limit


class Application(Protocol):
    """What answers requests."""

    def at_once(self, request: Request) -> Reply | None:
        """The answer to a request that needs nothing; None: `answer` has it."""

    async def answer(self, request: Request) -> Reply | Stream:
        """The answer; it raises nothing."""

    def refusal(self, refused: Unacceptable) -> Reply:
        """What to answer instead of a request."""
