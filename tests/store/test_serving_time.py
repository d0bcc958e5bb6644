"""Beats and interruptions, on both stores: each is written once, whoever looks."""

import asyncio

import psycopg
import pytest
from msgspec.structs import replace

from db.catalog import PostgresCatalog
from db.connections import connect
from service.journal.clock import DatabaseClock
from service.journal.ports import Catalog, StoreUnavailable
from service.journal.serving_time import Beat, Interruption
from service.table.causes import InterruptionCause
from tests.store.conftest import Both
from tests.store.steps import FUTURE, step

FIRST = Interruption(100, 200, InterruptionCause.OUTAGE)
SECOND = Interruption(300, 350, InterruptionCause.CLOCK_STEP)


async def test_before_the_first_beat_there_is_nothing(catalog: Catalog) -> None:
    reading = await catalog.serving_time()
    assert (reading.last, reading.interrupted_until) == (Beat(0, 0), 0)
    assert abs(reading.clock - await catalog.database_time()) < 60_000_000
    assert list(await catalog.interruptions(10)) == []


async def test_a_database_that_was_not_restored_whole_says_so(
    database: str, owner_database: str
) -> None:
    with psycopg.connect(owner_database, autocommit=True) as owner:
        owner.execute("DELETE FROM serving_time")
        async with connect(database, size=1) as connections:
            with pytest.raises(StoreUnavailable, match="lost its row"):
                await DatabaseClock().refresh(PostgresCatalog(connections))


async def test_a_beat_follows_the_one_that_it_has_seen(catalog: Catalog) -> None:
    assert await catalog.beat(Beat(0, 0), Beat(200, 100), FIRST)
    assert not await catalog.beat(Beat(0, 0), Beat(250, 150), SECOND)
    assert await catalog.beat(Beat(200, 100), Beat(250, 150), None)
    reading = await catalog.serving_time()
    assert (reading.last, reading.interrupted_until) == (Beat(250, 150), 200)
    assert list(await catalog.interruptions(10)) == [FIRST]
    assert await catalog.beat(Beat(250, 150), Beat(350, 260), SECOND)
    assert list(await catalog.interruptions(10)) == [FIRST, SECOND]
    assert list(await catalog.interruptions(1)) == [SECOND]


async def test_of_many_that_beat_at_once_one_is_heard(catalog: Catalog) -> None:
    heard = await asyncio.gather(
        *(catalog.beat(Beat(0, 0), Beat(200 + number, 100), FIRST) for number in range(8))
    )
    assert heard.count(True) == 1
    assert list(await catalog.interruptions(10)) == [FIRST]


async def test_processes_find_one_interruption_together(catalog: Catalog) -> None:
    """They all look for the first time after an outage."""
    now = await catalog.database_time()
    assert await catalog.beat(Beat(0, 0), Beat(now - 60_000_000, now - 60_000_000), None)
    clocks = [DatabaseClock() for _ in range(4)]
    await asyncio.gather(*(clock.refresh(catalog) for clock in clocks))
    (found,) = await catalog.interruptions(10)
    assert (found.from_at, found.cause) == (now - 60_000_000, InterruptionCause.OUTAGE)
    assert all(list(clock.interruptions) == [found] for clock in clocks)
    assert all(clock.now() >= found.to_at for clock in clocks)


@pytest.mark.parametrize(
    ("deadline", "at", "is_found"),
    [(501, 599, True), (500, 599, False), (0, 599, False), (501, 600, False)],
)
async def test_interrupted_tables_have_a_deadline_and_no_row_since(
    both: Both, deadline: int, at: int, is_found: bool
) -> None:
    made = step("t1", 1)
    head = replace(made.head, at=FUTURE + at, deadline=deadline and FUTURE + deadline)
    row = replace(made.row, at=head.at)
    await both.store.append([replace(made, row=row, head=head)])
    found = await both.catalog.interrupted(FUTURE + 500, FUTURE + 600, 10)
    assert list(found) == ([("t1", "house")] if is_found else [])
