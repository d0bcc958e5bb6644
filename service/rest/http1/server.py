"""The server: connections of one listening socket, from the first one to the end of the last."""

import asyncio
import socket

from service.rest.http1.connection import Connection
from service.rest.http1.connections import Connections
from service.rest.http1.limits import Limits
from service.rest.http1.messages import Application


class HttpServer:
    """Serves an application on a socket that listens already."""

    def __init__(
        self, app: Application, listening: socket.socket, limits: Limits, drain_seconds: float
    ) -> None:
        self._app = app
        self._socket = listening
        self._drain_seconds = drain_seconds
        self._connections = Connections(limits)
        self._stopped = asyncio.Event()

    async def serve(self) -> None:
        """Serve until `stop`, then until every answer that is due has been sent, or the time for
        that is over."""
        self._connections.begin()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: Connection(self._app, self._connections), sock=self._socket
        )
        try:
            await self._stopped.wait()
        finally:
            server.close()
            self._connections.stop()
            await self._connections.end(self._drain_seconds)

    def stop(self) -> None:
        """Take no new connections, close the idle ones, and the others after their answers, which
        say so (`connection: close`)."""
        self._stopped.set()
