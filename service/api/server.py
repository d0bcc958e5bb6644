"""The gRPC door: a server over the pipeline, with health, reflection and a graceful drain.

Every method of the contract is served by one generic handler; the servicers behind the pipeline
know no grpc context.
"""

from collections.abc import Awaitable, Callable, Sequence
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

from service.app.call import Pipeline
from service.app.errors import ApiError

FILES: tuple[FileDescriptor, ...] = (
    table_service_pb2.DESCRIPTOR,
    rule_set_service_pb2.DESCRIPTOR,
    history_service_pb2.DESCRIPTOR,
    access_service_pb2.DESCRIPTOR,
)
"""The files of the contract that have services."""

LARGEST_REQUEST = 256 * 1024
"""Bytes; the same limit holds over REST."""

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
                ("grpc.max_receive_message_length", LARGEST_REQUEST),
                ("grpc.so_reuseport", 0),
            ]
        )
        self._server.add_generic_rpc_handlers(_handlers(pipeline))
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection(
            [*service_names(), health.SERVICE_NAME, reflection.SERVICE_NAME], self._server
        )
        self.port = self._server.add_insecure_port(address)

    async def start(self) -> None:
        """Begin to serve, and say so to whoever asks for the server's health."""
        await self._server.start()
        for name in ("", *service_names()):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)

    async def drain(self, seconds: float) -> None:
        """Report NOT_SERVING, take no new calls, and let running ones end within so many seconds."""
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
                _serve(pipeline, method_name(method)),
                request_deserializer=message_factory.GetMessageClass(method.input_type).FromString,
                response_serializer=_to_bytes,
            )
        )
    return [
        grpc.method_handlers_generic_handler(service, handlers)
        for service, handlers in by_service.items()
    ]


def _to_bytes(message: Any) -> bytes:
    return bytes(message.SerializeToString())


def _serve(
    pipeline: Pipeline, name: str
) -> Callable[[Any, "grpc.aio.ServicerContext[Any, Any]"], Awaitable[Any]]:
    async def serve(request: Any, context: "grpc.aio.ServicerContext[Any, Any]") -> Any:
        metadata = {
            key: value
            for key, value in context.invocation_metadata() or ()
            if isinstance(value, str)
        }
        try:
            return await pipeline(name, request, metadata, context.time_remaining())
        except ApiError as error:
            status = rpc_status(error)
            await context.abort(
                grpc.StatusCode[error.code.name],
                error.message,
                (("grpc-status-details-bin", status.SerializeToString()),),
            )
            raise AssertionError("abort always raises") from error

    return serve
