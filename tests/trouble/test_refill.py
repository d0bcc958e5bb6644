"""Replacing dead connections does not wait for a server that says nothing."""

import asyncio
import signal

from db.connections import connect
from tests.trouble.below import running

SECONDS = 5.0
"""How long looking at two connections may take, also on a busy machine."""


async def test_a_server_that_falls_silent_while_connections_are_looked_at() -> None:
    with running() as server:
        async with connect(server.conninfo(), size=2) as database:
            server.signal_all(signal.SIGSTOP)
            try:
                async with asyncio.timeout(SECONDS):
                    await database.refill()
            finally:
                server.signal_all(signal.SIGCONT)
            assert await database.select(int, b"SELECT 1", {}) == [1]
