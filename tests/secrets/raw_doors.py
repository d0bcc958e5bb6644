"""The two doors of a service as the wire has them: all that comes back of a call, to the byte.

Status, headers or metadata, and body; of an HTTP answer all but the header `date`, which tells the
time of day and nothing else.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from typing import Any, Protocol
from urllib.parse import urlencode

import grpc
from google.protobuf.message import Message

from service.api.contract import method_name
from tests.contract.doors import METHODS, SECONDS, http_call

Answer = tuple[bytes, ...]
Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]
DATE = re.compile(rb"(?i)\r\ndate: [^\r]*")
LENGTH = re.compile(rb"(?i)\r\ncontent-length: (\d+)")
CHUNKED = re.compile(rb"(?i)\r\ntransfer-encoding: chunked")


class RawDoor(Protocol):
    """One way in."""

    async def call(self, request: Message, token: str) -> Answer:
        """The answer to a request, whatever it is."""
        ...

    def stream(self, request: Message, token: str) -> AsyncGenerator[bytes, None]:
        """What comes back of a request that is answered by a stream: first how it begins, then
        each message, and last how it ends."""
        ...


def streams(request: Message) -> bool:
    """Whether a request is answered by a stream."""
    return bool(METHODS[request.DESCRIPTOR.full_name].server_streaming)


def _authorization(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"} if token else {}


class RawGrpc:
    """gRPC: code, details, initial and trailing metadata, and the bytes of messages."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._channel = channel

    def _begin(self, request: Message, token: str) -> Any:
        rpc = method_name(METHODS[request.DESCRIPTOR.full_name])
        make = self._channel.unary_stream if streams(request) else self._channel.unary_unary
        method: Any = make(rpc)
        metadata = tuple(_authorization(token).items())
        seconds = None if streams(request) else SECONDS
        return method(request.SerializeToString(), metadata=metadata, timeout=seconds)

    async def call(self, request: Message, token: str) -> Answer:
        call = self._begin(request, token)
        try:
            body = await call
        except grpc.aio.AioRpcError:
            body = b""  # how it ended says the rest
        return await _begins(call), body, await _ends(call)

    async def stream(self, request: Message, token: str) -> AsyncGenerator[bytes, None]:
        call = self._begin(request, token)
        try:
            yield await _begins(call)
            async for message in call:
                yield message
        except grpc.aio.AioRpcError:
            yield await _ends(call)
        finally:
            call.cancel()


async def _begins(call: Any) -> bytes:
    return repr(tuple(await call.initial_metadata())).encode()


async def _ends(call: Any) -> bytes:
    trailing = tuple(await call.trailing_metadata())
    return repr((await call.code(), await call.details(), trailing)).encode()


class RawRest:
    """HTTP: the head as it is sent, and the body; of a stream each event.

    A stream has a connection of its own, other calls share one.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._connection: Connection | None = None

    async def _connect(self) -> "Connection":
        return await asyncio.open_connection("127.0.0.1", self._port)

    async def call(self, request: Message, token: str) -> Answer:
        if self._connection is None:
            self._connection = await self._connect()
        reader, writer = self._connection
        writer.write(_http(request, token))
        head = await reader.readuntil(b"\r\n\r\n")
        return DATE.sub(b"", head), await reader.readexactly(_length(head))

    async def stream(self, request: Message, token: str) -> AsyncGenerator[bytes, None]:
        reader, writer = await self._connect()
        try:
            writer.write(_http(request, token))
            head = await reader.readuntil(b"\r\n\r\n")
            yield DATE.sub(b"", head)
            if not CHUNKED.search(head):
                yield await reader.readexactly(_length(head))
                return
            while size := int(await reader.readuntil(b"\r\n"), 16):
                yield (await reader.readexactly(size + 2))[:-2]
        finally:
            writer.close()

    async def close(self) -> None:
        """Close the connection that calls share."""
        if self._connection:
            self._connection[1].close()


def _http(request: Message, token: str) -> bytes:
    """A request as HTTP has it."""
    http_method, path, content = http_call(request)
    if query := content.get("params"):
        path += f"?{urlencode(query)}"
    body = json.dumps(content["json"]).encode() if "json" in content else b""
    headers = {"host": "twins", "content-length": len(body), **_authorization(token)}
    lines = [f"{http_method} {path} HTTP/1.1", *(f"{name}: {headers[name]}" for name in headers)]
    return "\r\n".join([*lines, "", ""]).encode() + body


def _length(head: bytes) -> int:
    found = LENGTH.search(head)
    assert found, head
    return int(found[1])
