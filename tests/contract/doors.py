"""The two doors as clients use them: the same requests, the same answers, the same errors."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol, TypeVar, cast
from urllib.parse import quote

import grpc
import httpx
from google.protobuf import json_format
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2

from service.api.contract import method_name, methods
from service.calls.errors import Code
from service.rest.replies import statuses
from service.rest.router import ROUTES
from service.rules.reasons import Reason
from tests.contract.server import Server
from tests.rest.described import faults

METHODS: dict[str, MethodDescriptor] = {method.input_type.full_name: method for method in methods()}
PATHS = {rpc: (http_method, path) for http_method, path, rpc, _, _, _ in ROUTES}
SECONDS = 20.0

Call = TypeVar("Call", bound=Message)


class Refusal(Exception):
    """A call that was refused, as both doors tell it."""

    def __init__(self, code: str, reason: str, metadata: dict[str, str], message: str) -> None:
        super().__init__(f"{code} {reason} {metadata}: {message}")
        assert metadata.keys() == Reason[reason].metadata.keys(), f"{reason}: {metadata}"
        self.code = code
        self.reason = reason
        self.metadata = metadata
        self.message = message


class Door(Protocol):
    """One way in. A request is answered with its response, or `Refusal` is raised."""

    name: str

    async def call(self, request: Message, token: str = "", code: str = "") -> Any: ...


def response_type(request: Message) -> type[Message]:
    return GetMessageClass(METHODS[request.DESCRIPTOR.full_name].output_type)


def http_call(request: Message) -> tuple[str, str, dict[str, Any]]:
    """A request over REST: the HTTP method, the path, and the query or the body."""
    http_method, path = PATHS[method_name(METHODS[request.DESCRIPTOR.full_name])]
    values = json_format.MessageToDict(request, preserving_proto_field_name=True)
    for name in [each.name for each in request.DESCRIPTOR.fields if f"{{{each.name}}}" in path]:
        path = path.replace(f"{{{name}}}", quote(str(values.pop(name, getattr(request, name)))))
    return http_method, path, {"params": values} if http_method == "GET" else {"json": values}


def refusal_of(status: status_pb2.Status) -> Refusal:
    """The one ErrorInfo that every refusal carries."""
    detail, *_ = status.details
    info = error_details_pb2.ErrorInfo()
    assert detail.Unpack(info)
    assert info.domain == "croupier"
    assert status.message
    return Refusal(
        Code(status.code).name,
        info.reason.removeprefix("REASON_"),
        dict(info.metadata),
        status.message,
    )


class GrpcDoor:
    """gRPC, over the generated messages."""

    name = "grpc"

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.channel = channel

    async def call(self, request: Message, token: str = "", code: str = "") -> Any:
        rpc = method_name(METHODS[request.DESCRIPTOR.full_name])
        answer = await self.send(rpc, request.SerializeToString(), token, code)
        return response_type(request).FromString(answer)

    async def send(self, rpc: str, data: bytes, token: str = "", code: str = "") -> bytes:
        """Send bytes to a method of that name."""
        method: Any = self.channel.unary_unary(rpc)
        metadata = [("authorization", f"Bearer {token}")] if token else []
        metadata += [("croupier-join-code", code)] if code else []
        try:
            return cast("bytes", await method(data, metadata=metadata, timeout=SECONDS))
        except grpc.aio.AioRpcError as error:
            trailers = dict(error.trailing_metadata() or ())
            details = trailers.get("grpc-status-details-bin")
            if details is None:
                raise AssertionError(f"an error without details: {error}") from error
            status = status_pb2.Status.FromString(cast("bytes", details))
            if (Code(status.code).name, status.message) != (error.code().name, error.details()):
                raise AssertionError(f"status and details differ: {error} {status}") from error
            raise refusal_of(status) from error


class RestDoor:
    """HTTP and JSON."""

    name = "rest"

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client

    async def call(self, request: Message, token: str = "", code: str = "") -> Any:
        http_method, path, content = http_call(request)
        content |= {"headers": {"croupier-join-code": code}} if code else {}
        answer = await self.send(http_method, path, token, **content)
        return json_format.ParseDict(answer, response_type(request)())

    async def send(
        self, http_method: str, path: str, token: str = "", **content: Any
    ) -> dict[str, Any]:
        """Send an HTTP call; the answer is JSON."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        headers |= content.pop("headers", {})
        response = await self.client.request(http_method, path, headers=headers, **content)
        answer: dict[str, Any] = response.json()
        if response.is_success:
            if "json" in content:
                undescribed = faults(path, content["json"])
                if undescribed:
                    raise AssertionError(undescribed)
            return answer
        refusal = refusal_of(json_format.ParseDict(answer, status_pb2.Status()))
        known = statuses(Reason[refusal.reason])
        assert response.status_code in known, (response.status_code, refusal)
        raise refusal


@asynccontextmanager
async def open_door(name: str, server: Server) -> AsyncIterator[Door]:
    """One of the doors of a server, by name."""
    if name == "grpc":
        async with grpc.aio.insecure_channel(server.grpc) as channel:
            yield GrpcDoor(channel)
    else:
        async with httpx.AsyncClient(
            base_url=f"http://{server.rest}", timeout=SECONDS, verify=False
        ) as client:
            yield RestDoor(client)
