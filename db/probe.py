"""Asks the database, over a connection of its own, whether it can be written to."""

import asyncio
import os
import socket
from contextlib import suppress
from typing import Any

import psycopg
from psycopg import AsyncConnection

from service.journal.ports import StoreUnavailable

CAN_WRITE = b"SELECT current_setting('transaction_read_only')"


class Probe:
    """One connection, which is made again when it is lost."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._connection: AsyncConnection[tuple[str]] | None = None

    async def ask(self, seconds: float) -> None:
        """Return when the database has answered. Raises StoreUnavailable if it refuses, only reads,
        or says nothing for that number of seconds."""
        try:
            async with asyncio.timeout(seconds):
                only_reads = await self._only_reads()
        except psycopg.Error as error:
            raise StoreUnavailable(str(error).strip()) from error
        except TimeoutError as error:
            raise StoreUnavailable(f"no answer within {seconds} seconds") from error
        if only_reads:
            raise StoreUnavailable("the database only reads: it is a standby, or was set to")

    async def _only_reads(self) -> bool:
        connection, self._connection = self._connection, None
        if connection is None or connection.closed:
            connection = await AsyncConnection.connect(
                self._conninfo, autocommit=True, prepare_threshold=None
            )
        asking = asyncio.ensure_future(_ask(connection))
        try:
            only_reads = await asyncio.shield(asking)
        except asyncio.CancelledError:
            # Cancelled, psycopg would first ask the server, for seconds, to give the query up.
            cut(connection)
            await asyncio.wait([asking])
            asking.exception()
            raise
        finally:
            if asking.done() and asking.exception():
                await connection.close()
        self._connection = connection
        return only_reads

    async def aclose(self) -> None:
        """End the connection."""
        if self._connection is not None:
            await self._connection.close()


async def _ask(connection: AsyncConnection[tuple[str]]) -> bool:
    cursor = await connection.execute(CAN_WRITE)
    return await cursor.fetchone() != ("off",)


def cut(connection: AsyncConnection[Any]) -> None:
    """End a connection from here; who waits for its answer sees that at once."""
    with suppress(OSError), socket.socket(fileno=os.dup(connection.fileno())) as own:
        own.shutdown(socket.SHUT_RDWR)
