"""Connections to PostgreSQL, and how failures are handled.

All work is one statement, or one transaction that is sent at once, and may safely run twice: an
append names the version that it expects, so its second run finds a conflict. So work that the
server rolled back (a deadlock, or a serialization failure, as Citus has them) is run again. Work
that lost its connection is run again once: after a restart of the server every idle connection is
dead, and callers need not notice. A connection is lost if it is closed after a failure, whatever
the failure was called: servers, and poolers in front of them, have many reasons to end one.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar

import psycopg
from psycopg import AsyncConnection
from psycopg.errors import DeadlockDetected, ReadOnlySqlTransaction, SerializationFailure
from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from db.probe import cut
from service.journal.ports import DataRefused, StoreUnavailable

T = TypeVar("T")
Connection = AsyncConnection[tuple[Any, ...]]

ANSWER_SECONDS = 10.0
ATTEMPTS = 8
LOOK_SECONDS = 0.5
"""How long a connection may take to answer when the pool looks whether it is dead."""

SESSION = {
    # At a stricter level one conflict would fail the whole batch.
    "default_transaction_isolation": "read committed",
    "statement_timeout": f"{ANSWER_SECONDS:.0f}s",
    # Everything is read by a key whose value tells the planner little: by default it plans every
    # call again, or scans the journal of a server that has a single long table.
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
}


class _Pool(AsyncConnectionPool[Connection]):
    """A pool that takes a connection on which the server says nothing for a dead one."""

    @staticmethod
    async def check_connection(conn: Connection) -> None:
        """Raise OperationalError if the connection is dead, or says nothing."""
        # Cancelled, psycopg would first ask the server, for seconds, to give the query up.
        cutting = asyncio.get_running_loop().call_later(LOOK_SECONDS, cut, conn)
        try:
            await conn.execute("")
        finally:
            cutting.cancel()


class Database:
    """A pool of connections that runs work on one of them and raises only the port's error."""

    def __init__(self, pool: AsyncConnectionPool[Connection]) -> None:
        self._pool = pool

    async def run(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run `work` on a connection; `work` may be called again and must do the same the second
        time.

        Raises StoreUnavailable when the database cannot be reached or does not answer, and
        DataRefused when it does not take a value as the data that it is to be.
        """
        reconnected = False
        for attempt in range(1, ATTEMPTS + 1):
            connection: Connection | None = None
            try:
                async with asyncio.timeout(ANSWER_SECONDS + 1):
                    # Not `pool.connection()`, which would commit although nothing is left to
                    # commit.
                    connection = await self._pool.getconn()
                    try:
                        return await work(connection)
                    finally:
                        await self._pool.putconn(connection)
            except (DeadlockDetected, SerializationFailure) as error:
                if attempt == ATTEMPTS:
                    raise StoreUnavailable(str(error)) from error
                await asyncio.sleep(random.uniform(0, 0.002 * 2**attempt))  # noqa: S311 - jitter
            except (psycopg.DataError, UnicodeEncodeError) as error:
                raise DataRefused(str(error)) from error
            except (PoolTimeout, PoolClosed, TimeoutError, ReadOnlySqlTransaction) as error:
                raise StoreUnavailable(str(error)) from error
            except (psycopg.OperationalError, psycopg.InterfaceError) as error:
                lost = connection is None or connection.closed
                if reconnected or not lost:
                    raise StoreUnavailable(str(error)) from error
                reconnected = True
                await self._pool.check()
        raise AssertionError("the last attempt returns or raises")

    async def refill(self) -> None:
        """The server answers again: replace connections that are dead, and open those that are
        missing, so that who waits for one goes on at once."""
        await self._pool.check()

    async def select(
        self,
        record: Callable[..., T],
        query: bytes,
        parameters: dict[str, object],
        prepare: bool | None = None,
    ) -> list[T]:
        """The rows of one query, each made into a record from its columns in order.

        `prepare` False is for queries that take many forms.
        """

        async def work(connection: Connection) -> list[T]:
            cursor = connection.cursor(binary=True)
            await cursor.execute(query, parameters, prepare=prepare)
            return [record(*row) for row in await cursor.fetchall()]

        return await self.run(work)


@asynccontextmanager
async def connect(
    conninfo: str, size: int = 8, wait_seconds: float = 5.0, *, read_only: bool = False
) -> AsyncIterator[Database]:
    """Open `size` connections and close them at the end; with `read_only` the server refuses to
    change anything.

    A call waits at most `wait_seconds` for a free connection; so does `connect` itself for the
    first ones. Raises StoreUnavailable if there are none by then.
    """
    pool = _Pool(
        conninfo,
        min_size=size,
        max_size=size,
        timeout=wait_seconds,
        reconnect_timeout=0,
        configure=partial(_configure, read_only=read_only),
        kwargs={
            "autocommit": True,
            "prepare_threshold": 0,
            "connect_timeout": 5,
            "keepalives_idle": 10,
            "tcp_user_timeout": int(ANSWER_SECONDS * 1000),
        },
        open=False,
    )
    try:
        await pool.open(wait=True, timeout=wait_seconds)
    except PoolTimeout as error:
        await pool.close()
        raise StoreUnavailable(str(error)) from error
    try:
        yield Database(pool)
    finally:
        await pool.close()


async def _configure(connection: Connection, *, read_only: bool) -> None:
    # psycopg would choose an integer's type by its size, and prepare one statement per combination.
    for dumper in (Int8Dumper, Int8BinaryDumper):
        connection.adapters.register_dumper(int, dumper)
    session = SESSION | {"default_transaction_read_only": "on" if read_only else "off"}
    await connection.execute(
        "SELECT set_config(name, value, false)"
        " FROM unnest(%s::text[], %s::text[]) AS setting (name, value)",
        [list(session), list(session.values())],
    )
