"""Streams over REST: server-sent events, one for each response of the RPC.

`id` is the version that a response has, so that a browser which lost its connection resumes after
it with `Last-Event-ID`; a response that carries nothing new is a comment, which keeps the
connection alive. An error that comes after the stream has begun is an event named `error`.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping
from contextlib import aclosing
from typing import Any

from google.protobuf.message import Message

from service.app.errors import ApiError
from service.rest.json_writer import to_json
from service.rest.replies import Reply, failure

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]


async def send_stream(
    responses: AsyncGenerator[Message, None],
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
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        if head_only:
            await _send(send, b"", more=False)
            return None
        sending = asyncio.create_task(_send_all(first, stream, send))
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


async def _send_all(first: Message, stream: AsyncGenerator[Message, None], send: Send) -> None:
    try:
        await _send(send, _event(first), more=True)
        async for response in stream:
            await _send(send, _event(response), more=True)
    except ApiError as error:
        await _send(send, b"event: error\ndata: " + failure(error).body + b"\n\n", more=True)
    await _send(send, b"", more=False)


async def _send(send: Send, body: bytes, *, more: bool) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": more})


def _event(response: Any) -> bytes:
    if not response.HasField("table"):
        return b": heartbeat\n\n"
    return b"id: %d\ndata: %s\n\n" % (response.version, to_json(response))


async def _until_disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
