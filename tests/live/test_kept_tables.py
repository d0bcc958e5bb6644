"""What a process keeps in memory: bounded, committed only, one command a table at a time."""

import asyncio

import pytest
from msgspec.structs import replace

from service.live.kept_tables import KeptTables
from service.table.commands import PlaceBet
from tests.live.table_in_memory import Clock, PlannedStore, Process


@pytest.fixture
def process() -> Process:
    clock = Clock()
    return Process(clock, PlannedStore(clock.now), capacity=3)


async def test_no_more_tables_are_kept_than_the_settings_say(process: Process) -> None:
    tables = [await process.open(f"open-{number}") for number in range(5)]
    assert [bool(process.kept.get(table)) for table in tables] == [False, False, True, True, True]
    for table in tables:  # those that are gone are read again
        await process.send(table, "bet", PlaceBet("ann", 1, 1000))


async def test_the_least_recently_used_goes_first(process: Process) -> None:
    a, b, c = [await process.open(f"open-{name}") for name in "abc"]
    await process.read(a)
    await process.open("open-d")
    assert process.kept.get(b) is None
    assert process.kept.get(a)
    assert process.kept.get(c)


async def test_an_older_table_never_takes_the_place_of_a_newer_one(process: Process) -> None:
    table = await process.open()
    old = await process.read(table)
    new = (await process.send(table, "bet", PlaceBet("ann", 1, 1000))).table
    process.kept.put(old)
    assert process.kept.get(table) is new
    process.kept.put(replace(new, latest=()))
    assert process.kept.get(table) is not new


async def test_a_table_is_put_back_only_after_its_commit(process: Process) -> None:
    table = await process.open()
    seen: list[object] = []

    async def look(appends: object, append: object) -> object:
        seen.append(process.kept.get(table))
        process.store.meanwhile = None
        return await process.store.append(appends)  # type: ignore[arg-type]

    process.store.meanwhile = look  # type: ignore[assignment]
    await process.send(table, "bet", PlaceBet("ann", 1, 1000))
    assert seen == [None]
    assert process.kept.get(table)


async def test_queues_vanish_with_the_last_who_waits() -> None:
    kept = KeptTables(1)
    order: list[int] = []

    async def command(number: int) -> None:
        async with kept.turn("t"):
            order.append(number)
            await asyncio.sleep(0)

    waiting = [asyncio.create_task(command(number)) for number in range(4)]
    await asyncio.sleep(0)
    waiting[2].cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert order == [0, 1, 3]
    assert not kept._queues
