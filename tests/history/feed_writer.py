"""A process that writes to tables of its own, slowly on purpose: rows get their times long before
they are committed, in another order, and some come too late.

    python -m tests.history.feed_writer DATABASE NAME TABLES SECONDS
"""

import asyncio
import random
import sys
import time

from msgspec.structs import replace

from db.append import append_all
from db.catalog import PostgresCatalog
from db.connections import Database, connect
from service.journal.clock import DatabaseClock
from service.journal.ports import Outcome
from tests.store.steps import step

BEFORE = (0.01,) * 12 + (0.2, 1.0, 1.9, 2.4)
"""The most seconds from a row's time to its append, one of these each time; 2 are allowed."""
WITHIN = (0.01,) * 12 + (0.1, 0.8, 3.0)
"""The most seconds from the append to the commit."""


async def write(database: Database, clock: DatabaseClock, table_id: str, until: float) -> int:
    """Append to one table until the end; how many rows came too late."""
    choose = random.Random(table_id)
    operator = "other" if table_id.endswith("-0") else "house"
    version, last, late = 0, 0, 0
    while time.monotonic() < until:
        at = max(last, clock.now())
        made = step(table_id, version + 1, operator=operator)
        made = replace(made, row=replace(made.row, at=at), head=replace(made.head, at=at))
        await asyncio.sleep(choose.choice(BEFORE) * choose.random())
        connection = await database._pool.getconn()
        try:
            async with connection.transaction():
                (outcome,) = await append_all(connection, [made])
                # Rows of other tables, with later times, are committed meanwhile.
                await asyncio.sleep(choose.choice(WITHIN) * choose.random())
        finally:
            await database._pool.putconn(connection)
        if outcome is Outcome.APPENDED:
            version, last = version + 1, at
        else:
            late += 1
    return late


async def main() -> None:
    """Write as the arguments say."""
    conninfo, name, tables, seconds = sys.argv[1:]
    async with (
        connect(conninfo, size=int(tables)) as database,
        connect(conninfo, size=1) as own,
    ):
        clock, catalog = DatabaseClock(), PostgresCatalog(own)
        await clock.refresh(catalog)
        keeping = asyncio.create_task(clock.keep_fresh(catalog, 0.5))
        until = time.monotonic() + float(seconds)
        names = [f"{name}-{number}" for number in range(int(tables))]
        await asyncio.gather(*(write(database, clock, table_id, until) for table_id in names))
        keeping.cancel()


if __name__ == "__main__":
    asyncio.run(main())
