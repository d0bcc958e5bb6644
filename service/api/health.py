"""gRPC's health service: whether this process serves, for all services alike.

The one that comes with gRPC holds a lock while it writes to a watcher, so a watcher who does not
read holds up all others, and a server that stops.
"""

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

import grpc
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from service.api.contract import service_names
from service.api.hearing import Hearing, abort
from service.calls.availability import Availability, State
from service.calls.errors import ApiError

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[Any, Any]

NAME = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name


class Health:
    """Says SERVING or NOT_SERVING for the server (the empty name) and each of its services."""

    def __init__(self, hearing: Hearing, availability: Availability) -> None:
        self._hearing = hearing
        self._availability = availability
        self._names = {"", *service_names()}

    def handler(self) -> grpc.GenericRpcHandler:
        """What serves it."""
        to_bytes = HealthCheckResponse.SerializeToString
        return grpc.method_handlers_generic_handler(
            NAME,
            {
                "Check": grpc.stream_unary_rpc_method_handler(
                    self._check, response_serializer=to_bytes
                ),
                "Watch": grpc.stream_stream_rpc_method_handler(
                    self._watch, response_serializer=to_bytes
                ),
            },
        )

    async def _check(self, _requests: object, context: "Context") -> HealthCheckResponse:
        """The state now; NOT_FOUND for a service that is not here."""
        if await self._service(context) not in self._names:
            await context.abort(grpc.StatusCode.NOT_FOUND, "there is no such service here")
        return self._now()

    async def _watch(
        self, _requests: object, context: "Context"
    ) -> AsyncGenerator[HealthCheckResponse, None]:
        """The state now and whenever it changes. Ends with UNAVAILABLE when the server ends, so
        that a client looks for another one."""
        is_here = await self._service(context) in self._names
        told = None
        while True:
            change = self._availability.next_change()
            now = self._now() if is_here else _UNKNOWN
            if now != told:
                told = now
                yield now
            if self._availability.state is State.ENDING:
                await context.abort(grpc.StatusCode.UNAVAILABLE, "the server has stopped")
            await change.wait()

    async def _service(self, context: "Context") -> str:
        """The service that a call asks about."""
        try:
            data = await self._hearing.message(context, self._hearing.begin(context))
        except ApiError as error:
            await abort(context, error)
        name: str = HealthCheckRequest.FromString(data).service
        return name

    def _now(self) -> HealthCheckResponse:
        serves = self._availability.serves
        return HealthCheckResponse(
            status=HealthCheckResponse.SERVING if serves else HealthCheckResponse.NOT_SERVING
        )


_UNKNOWN = HealthCheckResponse(status=HealthCheckResponse.SERVICE_UNKNOWN)
"""The protocol keeps the stream of a service that is not here open, in case that it comes."""
