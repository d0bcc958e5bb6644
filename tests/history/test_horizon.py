"""The feed waits for what is on its way: a row is never passed over because it commits late."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import psycopg
import pytest
from msgspec.structs import replace
from psycopg.conninfo import make_conninfo

from db.append import append_all
from db.connections import Database, connect
from db.event_store import PostgresStore
from db.history import HIDDEN_SECONDS, PostgresHistory
from service.journal.ports import LATEST_APPEND, Append, Outcome
from service.records.feed import Feed
from tests.store.steps import step

SECOND = 1_000_000


def now() -> int:
    return time.time_ns() // 1_000


def step_at(table_id: str, at: int) -> Append:
    made = step(table_id, 1)
    return replace(made, row=replace(made.row, at=at), head=replace(made.head, at=at))


@pytest.fixture
async def connections(database: str) -> AsyncIterator[Database]:
    async with connect(database, size=3) as connections:
        yield connections


async def read_until(feed: Feed, tables: int) -> list[str]:
    """What the feed delivers, until so many tables have come."""
    seen: list[str] = []
    page = await feed.page("house", None, 0, 10)
    async with asyncio.timeout(20):
        while True:
            seen += [row.table_id for row in page.rows]
            if len(seen) >= tables:
                break
            await asyncio.sleep(0.05)
            page = await feed.page("house", page.cursor, 0, 10)
    return seen


async def test_the_feed_waits_for_a_transaction_that_began_before(connections: Database) -> None:
    feed = Feed(PostgresHistory(connections))
    connection = await connections._pool.getconn()
    async with connection.transaction():
        earlier = now() - 3 * SECOND // 2
        assert await append_all(connection, [step_at("held", earlier)]) == [Outcome.APPENDED]
        later = step_at("later", now() - SECOND)
        assert await PostgresStore(connections).append([later]) == [Outcome.APPENDED]
        # Long enough for both times to be further back than a row may be late.
        until = time.monotonic() + 3
        while time.monotonic() < until:
            page = await feed.page("house", None, 0, 10)
            assert list(page.rows) == []
            assert page.horizon <= earlier
            await asyncio.sleep(0.1)
    await connections._pool.putconn(connection)
    assert await read_until(feed, 2) == ["held", "later"]


async def test_without_company_a_row_is_delivered_when_none_may_come_before_it(
    connections: Database,
) -> None:
    feed = Feed(PostgresHistory(connections))
    at = now()
    await PostgresStore(connections).append([step_at("t1", at)])
    assert await read_until(feed, 1) == ["t1"]
    assert now() - at >= LATEST_APPEND


@contextmanager
def role(owner_database: str, name: str) -> Iterator[str]:
    """How a role of its own connects that may read journals, and no more."""
    with psycopg.connect(owner_database, autocommit=True) as owner:
        owner.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'reads'".encode())
        owner.execute(f"GRANT SELECT ON journal, table_head TO {name}".encode())
        yield make_conninfo(owner_database, user=name, password="reads", options="")
        owner.execute(f"DROP OWNED BY {name}".encode())
        owner.execute(f"DROP ROLE {name}".encode())


async def test_only_who_may_write_holds_it_back(
    connections: Database, owner_database: str, worker: str
) -> None:
    history = PostgresHistory(connections)
    with (
        role(owner_database, f"croupier_auditor_{worker}") as auditor,
        psycopg.connect(auditor) as reading,
    ):
        reading.execute("SELECT count(*) FROM journal")
        began = await history.horizon()
        await asyncio.sleep(0.3)
        assert await history.horizon() - began >= SECOND // 4
        reading.rollback()
    with psycopg.connect(owner_database) as writing:
        writing.execute("SELECT count(*) FROM journal")
        began = await history.horizon()
        await asyncio.sleep(0.3)
        assert await history.horizon() == began


async def test_a_writer_who_cannot_be_looked_into_holds_it_back_for_so_long(
    owner_database: str, worker: str
) -> None:
    """The reader has a role of its own, and no right to see when others began."""
    name = f"croupier_stranger_{worker}"
    with (
        role(owner_database, name) as stranger,
        psycopg.connect(owner_database, autocommit=True) as owner,
    ):
        async with connect(stranger, size=1) as connections:
            horizon = await PostgresHistory(connections).horizon()
        behind = (now() - horizon - LATEST_APPEND) / SECOND
        assert HIDDEN_SECONDS <= behind < HIDDEN_SECONDS + 5
        owner.execute(f"GRANT pg_read_all_stats TO {name}".encode())
        async with connect(stranger, size=1) as connections:
            assert now() - await PostgresHistory(connections).horizon() < LATEST_APPEND + SECOND
