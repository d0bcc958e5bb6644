"""The REST door on loopback, in the test's own event loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from service.rest.app import RestApp
from service.rest.http1.limits import Limits
from service.rest.server import RestServer


@asynccontextmanager
async def serving(app: RestApp, limits: Limits | None = None) -> AsyncIterator[int]:
    """The port on which an application is served until the end of the block."""
    server = RestServer(app, "127.0.0.1", 0, 1.0, limits=limits)
    task = asyncio.create_task(server.serve())
    try:
        yield server.port
    finally:
        server.stop()
        await task
