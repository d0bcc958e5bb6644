"""The gRPC door: a server over the pipeline, with health, reflection and a graceful drain.

Every method of the contract is served by one generic handler; the servicers behind the pipeline
know no grpc context. What comes in is bounded before anybody looks at it: messages, headers,
streams of a connection, connections, and calls in vain.
"""

import asyncio
import time
from collections.abc import Collection, Sequence

import grpc

from service.api import health, reflection
from service.api.contract import service_names
from service.api.handlers import UnknownMethods, handlers
from service.api.health import Health
from service.api.hearing import Hearing
from service.api.reflection import Reflection
from service.api.request import LARGEST_READ
from service.calls import own_sockets
from service.calls.availability import Availability
from service.calls.own_sockets import Network, Peer
from service.calls.pipeline import Pipeline
from service.calls.vain_calls import IN_VAIN, VainCalls
from service.errors import AddressTaken

STREAMS = 100
"""Calls and streams that are open on one connection; a client that has more waits, or opens
another connection."""
HEADERS_BYTES = 16 * 1024
"""What the headers of a call may have."""
HANDSHAKE_SECONDS = 10
"""How long a connection may take until it speaks HTTP/2."""
IDLE_SECONDS = 900
"""A connection without calls ends after so long; clients make another one when they call."""
PROBE_SECONDS, PROBE_ANSWER_SECONDS = 60, 20
"""A connection is asked so often whether anybody is still there, and has so long to answer."""
CONNECTIONS = 4096
"""Connections of a process. Past them those end that were served least."""
TEND_SECONDS = 1.0
DRAIN_SECONDS = 0.05

_ONLY_IDENTITY = 1
"""A set of compressions, as bits: none. A few compressed bytes could be a message of any size."""


class GrpcServer:
    """A server that listens at `address` (`host:port`; port 0 is any that is free), where others
    may listen too if it is `shared`. Networks that are `trusted` are proxies."""

    def __init__(
        self,
        pipeline: Pipeline,
        address: str,
        availability: Availability,
        *,
        shared: bool = False,
        trusted: Sequence[Network] = (),
        connections: int = CONNECTIONS,
        calls_in_vain: int = IN_VAIN,
    ) -> None:
        self._server = grpc.aio.server(
            options=[
                ("grpc.max_receive_message_length", LARGEST_READ),
                ("grpc.max_metadata_size", HEADERS_BYTES),
                ("grpc.absolute_max_metadata_size", HEADERS_BYTES),
                ("grpc.max_concurrent_streams", STREAMS),
                ("grpc.compression_enabled_algorithms_bitset", _ONLY_IDENTITY),
                ("grpc.server_handshake_timeout_ms", HANDSHAKE_SECONDS * 1000),
                ("grpc.max_connection_idle_ms", IDLE_SECONDS * 1000),
                ("grpc.keepalive_time_ms", PROBE_SECONDS * 1000),
                ("grpc.keepalive_timeout_ms", PROBE_ANSWER_SECONDS * 1000),
                ("grpc.so_reuseport", int(shared)),
            ]
        )
        self._connections = connections
        self._calls = VainCalls(self, time.monotonic, trusted, calls_in_vain)
        hearing = Hearing(self._calls)
        names = [*service_names(), health.NAME, reflection.NAME]
        self._server.add_generic_rpc_handlers(
            (
                *handlers(pipeline, hearing),
                Health(hearing, availability).handler(),
                Reflection(hearing, names).handler(),
                # The last one, so that it is asked for what nobody else serves.
                UnknownMethods(pipeline, hearing),
            )
        )
        try:
            self.port = self._server.add_insecure_port(address)
        except RuntimeError as error:
            raise AddressTaken(f"{address} can't be used: {error}") from error

    async def start(self) -> None:
        """Begin to serve."""
        await self._server.start()
        self._tending = asyncio.create_task(self._tend())

    async def drain(self, seconds: float) -> None:
        """Take no more connections, and end those that there are: each when its calls have been
        answered, and all of them when `seconds` are over.

        gRPC's own stop cancels calls that arrive while it stops, and nothing tells their clients
        that they may be sent again. A connection that ends does.
        """
        self._tending.cancel()
        own_sockets.stop_listening(self.port)
        until = time.monotonic() + seconds
        quiet: set[Peer] = set()
        while (peers := own_sockets.peers_at(self.port)) and time.monotonic() < until:
            idle = peers - self._calls.busy()
            # Those that were idle a moment ago as well: the last answer is on its way by now.
            self.end(idle & quiet)
            quiet = idle
            await asyncio.sleep(DRAIN_SECONDS)
        self.end(peers)
        await self._server.stop(grace=None)

    async def wait(self) -> None:
        """Until the server has stopped."""
        await self._server.wait_for_termination()

    def end(self, peers: Collection[Peer]) -> None:
        """End the connections of these peers."""
        own_sockets.end(self.port, peers)

    def refuse(self, networks: Sequence[Network]) -> None:
        """Let these networks connect no more, and every other one."""
        own_sockets.refuse(self.port, networks)

    async def _tend(self) -> None:
        """Keep the number of connections below its limit, until cancelled."""
        while True:
            await asyncio.sleep(TEND_SECONDS)
            self._calls.tend()
            if own_sockets.open_files() > self._connections:
                peers = own_sockets.peers_at(self.port)
                self.end(self._calls.least_served(peers, len(peers) - self._connections))
