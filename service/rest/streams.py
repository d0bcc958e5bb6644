"""Streams over REST: the responses of an RPC, one after another, in the body of one answer."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping, Sequence
from contextlib import aclosing
from typing import Any, Protocol

from google.protobuf.message import Message

from service.calls.errors import ApiError
from service.rest.replies import Reply, failure

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Header = tuple[bytes, bytes]


class Form(Protocol):
    """How the responses of a stream are written."""

    def headers(self, first: Any) -> Sequence[Header]:
        """The headers of the answer, which begins with this response."""

    def piece(self, response: Any) -> bytes:
        """What of the body one response is."""

    def broken_off(self, error: ApiError) -> bytes | None:
        """What tells the client that the stream failed; None: that the body has no end."""


async def send_stream(
    responses: AsyncGenerator[Message, None],
    form: Form,
    receive: Receive,
    send: Send,
    *,
    head_only: bool = False,
) -> Reply | None:
    """Send a stream until it ends or the client goes; a Reply if it fails before it began.

    With `head_only` (the method HEAD) it ends as soon as it has begun.
    """
    async with aclosing(responses) as stream:
        try:
            first = await anext(stream)
        except ApiError as error:
            return failure(error)
        headers = form.headers(first)
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if head_only:
            await _send(send, b"", more=False)
            return None
        sending = asyncio.create_task(_send_all(first, stream, form, send))
        gone = asyncio.create_task(_until_disconnected(receive))
        try:
            await asyncio.wait({sending, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            sending.cancel()
            await asyncio.wait({sending, gone})
        if not sending.cancelled():
            sending.result()  # raises what broke it
    return None


async def _send_all(
    first: Message, stream: AsyncGenerator[Message, None], form: Form, send: Send
) -> None:
    try:
        await _send(send, form.piece(first), more=True)
        async for response in stream:
            await _send(send, form.piece(response), more=True)
    except ApiError as error:
        last = form.broken_off(error)
        if last is None:
            return  # the server closes the connection of a body that has not ended
        await _send(send, last, more=True)
    await _send(send, b"", more=False)


async def _send(send: Send, body: bytes, *, more: bool) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": more})


async def _until_disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
