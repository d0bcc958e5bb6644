"""Streams over REST: the responses of an RPC, one after another, in the body of one answer."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Protocol

from google.protobuf.message import Message

from service.calls.errors import ApiError
from service.rest.http1.messages import BrokenOff, Headers, Reply, Stream
from service.rest.replies import failure


class Form(Protocol):
    """How the responses of a stream are written."""

    probe: bytes
    """What of the body means nothing; empty where everything would mean something."""

    def headers(self, first: Any) -> Headers:
        """The headers of the answer, which begins with this response."""

    def piece(self, response: Any) -> bytes:
        """What of the body one response is."""

    def broken_off(self, error: ApiError) -> bytes | None:
        """What tells the client that the stream failed; None: that the body has no end."""


async def open_stream(responses: AsyncGenerator[Message, None], form: Form) -> Stream | Reply:
    """The stream of these responses, which has begun; a Reply if it fails before it began."""
    try:
        first = await anext(responses)
    except ApiError as error:
        return failure(error)
    return Stream(form.headers(first), _pieces(first, responses, form), form.probe)


async def open_head(responses: AsyncGenerator[Message, None], form: Form) -> Stream | Reply:
    """How the stream begins, for a client that wants no more than its headers."""
    async with aclosing(responses):
        opened = await open_stream(responses, form)
        if isinstance(opened, Stream):
            await opened.pieces.aclose()
        return opened


async def _pieces(
    first: Message, responses: AsyncGenerator[Message, None], form: Form
) -> AsyncGenerator[bytes, None]:
    async with aclosing(responses):
        try:
            yield form.piece(first)
            async for response in responses:
                yield form.piece(response)
        except ApiError as error:
            last = form.broken_off(error)
            if last is None:
                raise BrokenOff from error
            yield last
