"""PostgreSQL's failures: what is done again, what the caller learns; and nothing is doubled."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from db.connections import ATTEMPTS, Connection, Database, connect
from db.event_store import PostgresStore
from service.journal.ports import DataRefused, Outcome, SeatRow, StoreUnavailable
from tests.store.steps import step

T = TypeVar("T")
APPENDED, CONFLICT = Outcome.APPENDED, Outcome.CONFLICT


@pytest.fixture
async def connected(database: str) -> AsyncIterator[Database]:
    async with connect(database, size=3) as made:
        yield made


@pytest.fixture
def store(connected: Database) -> PostgresStore:
    return PostgresStore(connected)


async def test_an_append_that_waited_for_another_finds_the_new_version(
    store: PostgresStore, owner_database: str
) -> None:
    await store.append([step("t1", 1)])
    async with await psycopg.AsyncConnection.connect(owner_database) as other:
        await other.execute("UPDATE table_head SET version = 2 WHERE table_id = 't1'")
        waiting = asyncio.create_task(store.append([step("t1", 2)]))
        await until_one_waits_for_a_lock(owner_database)
        assert not waiting.done()
        await other.commit()
        assert await waiting == [CONFLICT]
    assert len(await store.changes([("t1", 0)])) == 1


async def until_one_waits_for_a_lock(conninfo: str) -> None:
    async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as watching:
        for _ in range(500):
            waits = await watching.execute(
                "SELECT FROM pg_stat_activity"
                " WHERE wait_event_type = 'Lock' AND datname = current_database()"
            )
            if waits.rowcount:
                return
            await asyncio.sleep(0.01)
    raise AssertionError("nobody waits for a lock")


class CountsAttempts(Database):
    """Counts how often work was begun, and so what had to be done again."""

    attempts = 0

    async def run(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        async def counted(connection: Connection) -> T:
            self.attempts += 1
            return await work(connection)

        return await super().run(counted)


async def test_batches_in_opposite_orders_do_not_wait_for_each_other(connected: Database) -> None:
    database = CountsAttempts(connected._pool)
    store = PostgresStore(database)
    tables = [f"t{number:02}" for number in range(20)]
    await store.append([step(table_id, 1) for table_id in tables])
    for version in range(2, 12):
        forth = [step(table_id, version, request_id=f"f{version}") for table_id in tables]
        back = [step(table_id, version, request_id=f"b{version}") for table_id in tables[::-1]]
        ahead, behind = await asyncio.gather(store.append(forth), store.append(back))
        for one, other in zip(ahead, reversed(behind), strict=True):
            assert {one, other} == {APPENDED, CONFLICT}
    assert len(await store.changes([(table_id, 0) for table_id in tables])) == 20 * 11
    assert database.attempts == 1 + 2 * 10 + 1


@pytest.mark.parametrize(
    "failure", [psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure]
)
async def test_what_the_server_undid_is_done_again(
    connected: Database, failure: type[psycopg.Error]
) -> None:
    calls = 0

    async def work(connection: Connection) -> int:
        nonlocal calls
        calls += 1
        if calls < ATTEMPTS:
            raise failure
        return calls

    assert await connected.run(work) == ATTEMPTS


async def test_what_the_server_undoes_every_time_is_given_up(connected: Database) -> None:
    async def work(connection: Connection) -> None:
        raise psycopg.errors.SerializationFailure("again")

    with pytest.raises(StoreUnavailable, match="again"):
        await connected.run(work)


async def test_a_strict_default_of_the_server_fails_no_neighbour(
    owner_database: str, database: str
) -> None:
    with psycopg.connect(owner_database, autocommit=True) as owner:
        name = owner.info.dbname
        owner.execute(
            f'ALTER DATABASE "{name}" SET default_transaction_isolation = serializable'.encode()
        )
    async with connect(database, size=3) as strict:
        store = PostgresStore(strict)
        tables = [f"t{number}" for number in range(5)]
        await store.append([step(table_id, 1) for table_id in tables])
        for version in range(2, 8):
            outcomes = await asyncio.gather(
                *(store.append([step(table_id, version) for table_id in tables]) for _ in range(3))
            )
            for of_one_table in zip(*outcomes, strict=True):
                assert sorted(outcome.value for outcome in of_one_table) == [
                    *["appended", "conflict", "conflict"]
                ]


async def test_a_restart_of_the_server_goes_unnoticed(
    store: PostgresStore, owner_database: str
) -> None:
    await store.append([step("t1", 1)])
    with psycopg.connect(owner_database, autocommit=True) as owner:
        owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert await store.append([step("t1", 2)]) == [APPENDED]
    loaded = await store.load("t1")
    assert loaded is not None
    assert loaded.head.version == 2


class LosesFirstReply(Database):
    """The server does the work, and the connection breaks before it can say so."""

    lost = False

    async def run(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        async def loses(connection: Connection) -> T:
            result = await work(connection)
            if not self.lost:
                self.lost = True
                await connection.close()
                raise psycopg.OperationalError("the connection is lost")
            return result

        return await super().run(loses)


async def test_a_reply_that_was_lost_is_a_conflict_and_not_a_second_row(
    connected: Database,
) -> None:
    careless = PostgresStore(LosesFirstReply(connected._pool))
    once = step("t1", 1, request_id="r1")
    assert await careless.append([once]) == [CONFLICT]
    loaded = await careless.load("t1", "ann", "r1")
    assert loaded is not None
    assert loaded.request == once.row
    assert loaded.rows == (once.row,)


async def test_no_server_is_said_so_soon(database: str) -> None:
    started = time.monotonic()
    nowhere = make_conninfo(database, host="/nowhere", hostaddr="")
    with pytest.raises(StoreUnavailable):
        async with connect(nowhere, size=2, wait_seconds=0.3):
            pass
    assert time.monotonic() - started < 5


async def test_no_free_connection_is_said_so(database: str) -> None:
    async with connect(database, size=1, wait_seconds=0.5) as narrow:

        async def busy(connection: Connection) -> None:
            await asyncio.sleep(1.0)

        holding = asyncio.create_task(narrow.run(busy))
        await asyncio.sleep(0.01)
        with pytest.raises(StoreUnavailable):
            await PostgresStore(narrow).load("t1")
        await holding


async def test_a_value_that_is_no_data_is_not_taken_for_an_outage(store: PostgresStore) -> None:
    with pytest.raises(DataRefused):
        await store.append([step("t1", 1, command="\0")])
    assert await store.append([step("t1", 1)]) == [APPENDED]


async def test_nor_is_what_only_the_server_finds(connected: Database) -> None:
    for query, value in (
        (b"SELECT %(value)s::text", "\ud800"),
        (b"SELECT %(value)s::text::int2", "99999"),
        (b"SELECT convert_from(decode(%(value)s::text, 'hex'), 'UTF8')", "ff"),
    ):
        with pytest.raises(DataRefused):
            await connected.select(str, query, {"value": value})


async def test_a_load_and_an_append_prepare_one_statement_each(database: str) -> None:
    """Integers of any size must not make statements of their own."""
    async with connect(database, size=1) as single:
        store = PostgresStore(single)
        for table_id, opened_at in (("a", 1), ("b", 2**20), ("c", 2**40)):
            for version in (1, 2):
                seats = [SeatRow(table_id, "ann", opened_at % 7)]
                await store.append([step(table_id, version, opened_at=opened_at, seats=seats)])
                await store.load(table_id, "ann", "r1")

        async def work(connection: Connection) -> list[str]:
            found = await connection.execute("SELECT statement FROM pg_prepared_statements")
            return [statement for (statement,) in await found.fetchall()]

        prepared = await single.run(work)
    assert sum("INSERT INTO table_head" in each for each in prepared) == 1
    assert sum("UPDATE table_head" in each for each in prepared) == 1
    assert sum("'head' AS part" in each for each in prepared) == 1
