"""The gRPC door: a server over the pipeline, with health, reflection and a graceful drain.

Every method of the contract is served by one generic handler; the servicers behind the pipeline
know no grpc context.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import grpc
from croupier.v1 import (
    access_service_pb2,
    history_service_pb2,
    reason_pb2,
    rule_set_service_pb2,
    table_service_pb2,
)
from google.protobuf import message_factory
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.descriptor import FileDescriptor, MethodDescriptor
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from service.api.request import LARGEST_READ, read_request
from service.app.call import Pipeline
from service.app.errors import ApiError

FILES: tuple[FileDescriptor, ...] = (
    table_service_pb2.DESCRIPTOR,
    rule_set_service_pb2.DESCRIPTOR,
    history_service_pb2.DESCRIPTOR,
    access_service_pb2.DESCRIPTOR,
)
"""The files of the contract that have services."""

ERROR_DOMAIN = "croupier"


def service_names() -> list[str]:
    """The full names of the services of the contract."""
    return [service.full_name for file in FILES for service in file.services_by_name.values()]


def methods() -> list[MethodDescriptor]:
    """Every method of the contract."""
    return [
        method
        for file in FILES
        for service in file.services_by_name.values()
        for method in service.methods
    ]


def method_name(method: MethodDescriptor) -> str:
    """The full name of a method, as in `/croupier.v1.TableService/Act`."""
    return f"/{method.containing_service.full_name}/{method.name}"


def rpc_status(error: ApiError) -> status_pb2.Status:
    """An error as `google.rpc.Status` with its `ErrorInfo`, the same at both doors."""
    info = error_details_pb2.ErrorInfo(
        reason=reason_pb2.Reason.Name(reason_pb2.Reason.ValueType(error.reason)),
        domain=ERROR_DOMAIN,
        metadata=error.metadata,
    )
    detail = AnyMessage()
    detail.Pack(info)
    return status_pb2.Status(code=error.code, message=error.message, details=[detail])


class GrpcServer:
    """A server that listens at `address` (`host:port`; port 0 is any that is free)."""

    def __init__(self, pipeline: Pipeline, address: str) -> None:
        self._server = grpc.aio.server(
            options=[
                ("grpc.max_receive_message_length", LARGEST_READ),
                ("grpc.so_reuseport", 0),
            ]
        )
        self._server.add_generic_rpc_handlers(_handlers(pipeline))
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection(
            [*service_names(), health.SERVICE_NAME, reflection.SERVICE_NAME], self._server
        )
        # The last one, so that it is asked for what nobody else serves.
        self._server.add_generic_rpc_handlers((_UnknownMethods(pipeline),))
        self.port = self._server.add_insecure_port(address)

    async def start(self) -> None:
        """Begin to serve, and say so to whoever asks for the server's health."""
        await self._server.start()
        for name in ("", *service_names()):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)

    async def drain(self, seconds: float) -> None:
        """Report NOT_SERVING, take no new calls, let running ones end within so many seconds."""
        await self._health.enter_graceful_shutdown()
        await self._server.stop(grace=seconds)

    async def wait(self) -> None:
        """Until the server has stopped."""
        await self._server.wait_for_termination()


def _handlers(pipeline: Pipeline) -> Sequence[grpc.GenericRpcHandler]:
    by_service: dict[str, dict[str, Any]] = {}
    for method in methods():
        by_service.setdefault(method.containing_service.full_name, {})[method.name] = (
            grpc.unary_unary_rpc_method_handler(
                _serve(
                    pipeline,
                    method_name(method),
                    partial(read_request, message_factory.GetMessageClass(method.input_type)),
                ),
                response_serializer=_to_bytes,
            )
        )
    return [
        grpc.method_handlers_generic_handler(service, handlers)
        for service, handlers in by_service.items()
    ]


class _UnknownMethods(grpc.GenericRpcHandler):
    """Answers calls of methods that do not exist with an error that has its reason."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> "grpc.RpcMethodHandler[Any, Any]":
        method = handler_call_details.method
        return grpc.unary_unary_rpc_method_handler(_serve(self._pipeline, method, bytes))


def _to_bytes(message: Any) -> bytes:
    return bytes(message.SerializeToString())


def _serve(
    pipeline: Pipeline, name: str, read: Callable[[bytes], Any]
) -> Callable[[bytes, "grpc.aio.ServicerContext[Any, Any]"], Awaitable[Any]]:
    async def serve(data: bytes, context: "grpc.aio.ServicerContext[Any, Any]") -> Any:
        metadata = {
            key: value
            for key, value in context.invocation_metadata() or ()
            if isinstance(value, str)
        }
        try:
            return await pipeline(name, read(data), metadata, context.time_remaining())
        except ApiError as error:
            status = rpc_status(error)
            await context.abort(
                grpc.StatusCode[error.code.name],
                error.message,
                (("grpc-status-details-bin", status.SerializeToString()),),
            )
            raise AssertionError("abort always raises") from error

    return serve
