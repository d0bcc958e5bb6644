"""A crowd of callers holds up neither what a process does by itself, nor what has been decided."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from db.catalog import PostgresCatalog
from db.connections import Connection, Database, connect
from db.event_store import PostgresStore
from service.journal.ports import Outcome
from tests.store.steps import FUTURE, step


@asynccontextmanager
async def taken(database: Database) -> AsyncIterator[None]:
    """The only connection is in use until the end of the block."""
    done, begun = asyncio.Event(), asyncio.Event()

    async def work(connection: Connection) -> None:
        begun.set()
        await done.wait()

    task = asyncio.create_task(database.run(work))
    await begun.wait()
    try:
        yield
    finally:
        done.set()
        await task


async def test_deadlines_and_appends_do_not_wait_for_callers(database: str) -> None:
    async with (
        connect(database, size=1) as commands,
        connect(database, size=1) as reads,
        connect(database, size=1) as appends,
        connect(database, size=1) as own,
    ):
        store = PostgresStore(commands, appends=appends)
        catalog = PostgresCatalog(reads, own=own)
        async with taken(commands), taken(reads), asyncio.timeout(2):
            assert await store.append([step("t1", 1)]) == [Outcome.APPENDED]
            assert await catalog.database_time() < FUTURE
            assert await catalog.due(FUTURE + 60_000_000, 10) == [("t1", "house")]
            assert await catalog.idle(0, 10) == []
        async with taken(reads), taken(appends), taken(own), asyncio.timeout(2):
            assert await store.load("t1")
        async with taken(commands), taken(appends), taken(own), asyncio.timeout(2):
            assert await catalog.head("t1")
