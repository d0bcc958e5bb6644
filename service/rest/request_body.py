"""Reads the body of an HTTP call within a limit of size and time.

What is too large is still read up to `DRAINED` bytes and thrown away, because many clients see no
answer before they have sent everything.
"""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from service.api.request import LARGEST_REQUEST
from service.errors import NotAllowed, Signal

LIMIT = LARGEST_REQUEST
DRAINED = 16 * 1024 * 1024
SECONDS = 10.0

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]


class TooLarge(NotAllowed):
    """The body has more than `LIMIT` bytes."""


class TooSlow(NotAllowed):
    """The body did not come within `SECONDS`."""


class Disconnected(Signal):
    """The client went away in the middle of its body."""


async def read_body(receive: Receive) -> bytes:
    """The whole body; raises `TooLarge`, `TooSlow` or `Disconnected`."""
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(SECONDS):
            more = True
            while more and size <= DRAINED:
                event = await receive()
                if event["type"] == "http.disconnect":
                    raise Disconnected
                chunk: bytes = event.get("body", b"")
                size += len(chunk)
                more = event.get("more_body", False)
                if size <= LIMIT:
                    chunks.append(chunk)
    except TimeoutError as error:
        raise TooSlow from error
    if size > LIMIT:
        raise TooLarge
    return b"".join(chunks)
