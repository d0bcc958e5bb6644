"""How gRPC calls reach the pipeline: one generic handler for every method of the contract.

Requests are read here and not by grpc, so that bytes which are not a message get an answer with a
reason.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import grpc
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor

from service.api.contract import method_name, methods
from service.api.request import read_request
from service.api.status import rpc_status
from service.calls.errors import ApiError
from service.calls.pipeline import Pipeline

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[Any, Any]


def handlers(pipeline: Pipeline) -> Sequence[grpc.GenericRpcHandler]:
    """The handlers of every service."""
    by_service: dict[str, dict[str, Any]] = {}
    for method in methods():
        by_service.setdefault(method.containing_service.full_name, {})[method.name] = _handler(
            pipeline, method
        )
    return [
        grpc.method_handlers_generic_handler(service, served)
        for service, served in by_service.items()
    ]


def _handler(pipeline: Pipeline, method: MethodDescriptor) -> "grpc.RpcMethodHandler[Any, Any]":
    name = method_name(method)
    read = partial(read_request, message_factory.GetMessageClass(method.input_type))
    if method.server_streaming:
        return grpc.unary_stream_rpc_method_handler(
            _stream(pipeline, name, read), response_serializer=_to_bytes
        )
    return grpc.unary_unary_rpc_method_handler(
        _serve(pipeline, name, read), response_serializer=_to_bytes
    )


class UnknownMethods(grpc.GenericRpcHandler):
    """Answers calls of methods that do not exist with an error that has its reason."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> "grpc.RpcMethodHandler[Any, Any]":
        """The handler of a call: the pipeline's answer that there is no such method."""
        method = handler_call_details.method
        return grpc.unary_unary_rpc_method_handler(_serve(self._pipeline, method, bytes))


def _to_bytes(message: Any) -> bytes:
    return bytes(message.SerializeToString())


def _serve(
    pipeline: Pipeline, name: str, read: Callable[[bytes], Any]
) -> Callable[[bytes, "Context"], Awaitable[Any]]:
    async def serve(data: bytes, context: "Context") -> Any:
        try:
            return await pipeline(name, read(data), _metadata(context), context.time_remaining())
        except ApiError as error:
            await _abort(context, error)

    return serve


def _stream(
    pipeline: Pipeline, name: str, read: Callable[[bytes], Any]
) -> Callable[[bytes, "Context"], AsyncGenerator[Any, None]]:
    async def stream(data: bytes, context: "Context") -> AsyncGenerator[Any, None]:
        try:
            responses = pipeline.stream(name, read(data), _metadata(context))
            async with aclosing(responses):
                async for response in responses:
                    yield response
        except ApiError as error:
            await _abort(context, error)

    return stream


def _metadata(context: "Context") -> Mapping[str, str]:
    pairs = context.invocation_metadata() or ()
    return {key: value for key, value in pairs if isinstance(value, str)}


async def _abort(context: "Context", error: ApiError) -> NoReturn:
    status = rpc_status(error)
    await context.abort(
        grpc.StatusCode[error.code.name],
        error.message,
        (("grpc-status-details-bin", status.SerializeToString()),),
    )
    raise AssertionError("abort always raises") from error
