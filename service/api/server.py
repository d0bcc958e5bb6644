"""The gRPC door: a server over the pipeline, with health, reflection and a graceful drain.

Every method of the contract is served by one generic handler; the servicers behind the pipeline
know no grpc context.
"""

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from service.api.contract import service_names
from service.api.handlers import UnknownMethods, handlers
from service.api.request import LARGEST_READ
from service.calls.pipeline import Pipeline
from service.errors import AddressTaken


class GrpcServer:
    """A server that listens at `address` (`host:port`; port 0 is any that is free), where others
    may listen too if it is `shared`."""

    def __init__(self, pipeline: Pipeline, address: str, *, shared: bool = False) -> None:
        self._server = grpc.aio.server(
            options=[
                ("grpc.max_receive_message_length", LARGEST_READ),
                ("grpc.so_reuseport", int(shared)),
            ]
        )
        self._server.add_generic_rpc_handlers(handlers(pipeline))
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection(
            [*service_names(), health.SERVICE_NAME, reflection.SERVICE_NAME], self._server
        )
        # The last one, so that it is asked for what nobody else serves.
        self._server.add_generic_rpc_handlers((UnknownMethods(pipeline),))
        try:
            self.port = self._server.add_insecure_port(address)
        except RuntimeError as error:
            raise AddressTaken(f"{address} can't be used: {error}") from error

    async def start(self) -> None:
        """Begin to serve, and say so to whoever asks for the server's health."""
        await self._server.start()
        for name in ("", *service_names()):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)

    async def drain(self, seconds: float) -> None:
        """Report NOT_SERVING, take no new calls, let running ones end within `seconds`."""
        await self._health.enter_graceful_shutdown()
        await self._server.stop(grace=seconds)

    async def wait(self) -> None:
        """Until the server has stopped."""
        await self._server.wait_for_termination()
