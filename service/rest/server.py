"""The address of the REST door, and the server behind it.

The service listens on the socket itself, so that port 0 works and the address is known before the
first request, and it stops the server itself, after the gRPC door has begun to drain.
"""

import socket

from service.errors import AddressTaken
from service.rest.app import RestApp
from service.rest.http1.limits import Limits
from service.rest.http1.server import HttpServer

BACKLOG = 2048
"""Connections that may wait to be accepted."""


class RestServer:
    """A server on `host` and `port` (0 is any that is free), which others may listen on if it is
    `shared`. Answers that are due at a stop have `drain_seconds`."""

    def __init__(
        self,
        app: RestApp,
        host: str,
        port: int,
        drain_seconds: float,
        *,
        shared: bool = False,
        limits: Limits | None = None,
    ) -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # asyncio sends small writes at once (TCP_NODELAY) only where the protocol is named.
        self._socket = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, int(shared))
        try:
            self._socket.bind((host, port))
        except OSError as error:
            self._socket.close()
            raise AddressTaken(f"{host}:{port} can't be used: {error.strerror}") from error
        # Whoever calls as soon as the address is shown waits for the server instead of being
        # turned away.
        self._socket.listen(BACKLOG)
        self.port: int = self._socket.getsockname()[1]
        self._server = HttpServer(app, self._socket, limits or Limits(), drain_seconds)

    async def serve(self) -> None:
        """Serve until `stop`, then let running requests end."""
        await self._server.serve()

    def stop(self) -> None:
        """Take no new requests, and end when the running ones have."""
        self._server.stop()
