"""How gRPC calls reach the pipeline: one generic handler for every method of the contract.

Requests are read here and not by grpc, so that bytes which are not a message get an answer with a
reason.
"""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Any

import grpc
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor

from service.api.annotations import callers_of
from service.api.contract import method_name, methods
from service.api.hearing import Hearing, abort
from service.api.request import read_request
from service.calls.errors import ApiError
from service.calls.pipeline import Pipeline
from service.calls.vain_calls import Connection
from service.rules.reasons import Reason

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[Any, Any]


_IN_VAIN = frozenset({Reason.UNAUTHENTICATED})
"""Reasons for which a call is in vain, whatever it asks."""


def handlers(pipeline: Pipeline, hearing: Hearing) -> Sequence[grpc.GenericRpcHandler]:
    """The handlers of every service."""
    by_service: dict[str, dict[str, Any]] = {}
    for method in methods():
        by_service.setdefault(method.containing_service.full_name, {})[method.name] = _handler(
            pipeline, hearing, method
        )
    return [
        grpc.method_handlers_generic_handler(service, served)
        for service, served in by_service.items()
    ]


def _handler(
    pipeline: Pipeline, hearing: Hearing, method: MethodDescriptor
) -> "grpc.RpcMethodHandler[Any, Any]":
    name = method_name(method)
    read = partial(read_request, message_factory.GetMessageClass(method.input_type))
    # As far as gRPC knows requests are streams: so a call is seen before its message has come.
    door = _Door(pipeline, hearing, name, read, open_to_all=callers_of(method) is None)
    if method.server_streaming:
        return grpc.stream_stream_rpc_method_handler(door.stream, response_serializer=_to_bytes)
    return grpc.stream_unary_rpc_method_handler(door.serve, response_serializer=_to_bytes)


class UnknownMethods(grpc.GenericRpcHandler):
    """Answers calls of methods that do not exist with an error that has its reason."""

    def __init__(self, pipeline: Pipeline, hearing: Hearing) -> None:
        self._pipeline = pipeline
        self._hearing = hearing

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> "grpc.RpcMethodHandler[Any, Any]":
        """The handler of a call: the pipeline's answer that there is no such method."""
        method = handler_call_details.method
        door = _Door(self._pipeline, self._hearing, method, bytes, open_to_all=True)
        return grpc.stream_unary_rpc_method_handler(door.serve, response_serializer=_to_bytes)


def _to_bytes(message: Any) -> bytes:
    return bytes(message.SerializeToString())


class _Door:
    """One method: its calls are counted, heard, passed on, and answered."""

    def __init__(
        self,
        pipeline: Pipeline,
        hearing: Hearing,
        name: str,
        read: Callable[[bytes], Any],
        *,
        open_to_all: bool,
    ) -> None:
        self._pipeline = pipeline
        self._hearing = hearing
        self._name = name
        self._read = read
        self._open_to_all = open_to_all

    async def serve(self, _requests: object, context: "Context") -> Any:
        """Answer a call with one response."""
        connection = self._hearing.begin(context)
        connection.under_way += 1
        try:
            data = await self._hear(context, connection)
            answer = await self._pipeline(
                self._name,
                self._read(data),
                _metadata(context),
                context.time_remaining(),
                connection.peer[0],
            )
        except ApiError as error:
            self._refused(connection, error)
            await abort(context, error)
        else:
            connection.served += 1
            return answer
        finally:
            connection.under_way -= 1

    async def stream(self, _requests: object, context: "Context") -> AsyncGenerator[Any, None]:
        """Answer a call with responses until it ends."""
        connection = self._hearing.begin(context)
        connection.under_way += 1
        try:
            data = await self._hear(context, connection)
            responses = self._pipeline.stream(
                self._name, self._read(data), _metadata(context), connection.peer[0]
            )
            async with aclosing(responses):
                async for response in responses:
                    connection.served += 1
                    yield response
        except ApiError as error:
            self._refused(connection, error)
            await abort(context, error)
        finally:
            connection.under_way -= 1

    async def _hear(self, context: "Context", connection: Connection) -> bytes:
        """What a call asks. Where anybody may ask, it stays one of those that count."""
        data = await self._hearing.message(context, connection)
        if not self._open_to_all:
            self._hearing.calls.heard(connection)
        return data

    def _refused(self, connection: Connection, error: ApiError) -> None:
        if error.reason in _IN_VAIN and not self._open_to_all:
            self._hearing.calls.in_vain(connection)


def _metadata(context: "Context") -> Mapping[str, str]:
    pairs = context.invocation_metadata() or ()
    return {key: value for key, value in pairs if isinstance(value, str)}
