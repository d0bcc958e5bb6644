"""Every change once and in order, wherever it was made and however the watcher came to it."""

import asyncio
import math
import random
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from service.api.wire.tables import table_to_wire
from service.journal.ports import JournalRow
from service.live import replay as past
from service.live import watch, watcher
from service.live.live_table import LiveTable
from service.live.lookup import Asker
from service.live.replay import table_as_of
from service.live.shown_tables import show
from service.rules.reasons import Reason, Refused
from tests.live.table_in_memory import OPERATOR, Clock, PlannedStore
from tests.watch.in_memory import WatchingProcess, changes, take


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clock: Clock) -> PlannedStore:
    return PlannedStore(clock.now)


@pytest.fixture
def process(clock: Clock, store: PlannedStore) -> WatchingProcess:
    return WatchingProcess(clock, store)


@pytest.fixture
def other(clock: Clock, store: PlannedStore) -> WatchingProcess:
    return WatchingProcess(clock, store)


async def test_it_begins_with_the_table_as_it_stands(process: WatchingProcess) -> None:
    table = await process.seated()
    stream = changes(process, table)
    now = await anext(stream)
    assert now
    assert now.head == (await process.read(table)).head
    made = [await process.move(table) for _ in range(3)]
    assert made == await take(stream, 3) == [now.head.version + n for n in (1, 2, 3)]
    await stream.aclose()


async def test_what_another_process_changes_is_found(
    process: WatchingProcess, other: WatchingProcess
) -> None:
    table = await process.seated()
    stream = changes(process, table)
    (start,) = await take(stream, 1)
    for _ in range(12):  # several rounds, each with a shoe of its own
        await other.move(table)
    await process.watch.poll()
    assert await take(stream, 12) == list(range(start + 1, start + 13))
    await stream.aclose()


@pytest.mark.parametrize("seed", range(20))
async def test_two_processes_change_a_table_while_both_look(
    process: WatchingProcess, other: WatchingProcess, store: PlannedStore, seed: int
) -> None:
    """Moves here and there, looks in between, watchers who come from any version."""
    chance = random.Random(seed)
    table = await process.seated()
    last = (await process.read(table)).head.version
    streams = [(changes(process, table), last, [last])]
    await take(streams[0][0], 1)
    poll = process.watch.poll
    for _ in range(25):
        match chance.choice(["here", "there", "look", "watch", "both"]):
            case "here":
                last = await process.move(table)
            case "there":
                last = await other.move(table)
            case "look":
                await poll()
            case "both":  # a look that is under way while a change is made here
                _, last = await asyncio.gather(poll(), process.move(table))
            case _:
                after = chance.randint(1, last)
                streams.append((changes(process, table, after), after, [after]))
                assert await anext(streams[-1][0]) is None
        for stream, _, got in streams:
            while got[-1] < last and chance.random() < 0.3:
                await poll()
                got.extend(await take(stream, 1))
    await poll()
    for stream, first, got in streams:
        got.extend(await take(stream, last - got[-1]))
        assert got == list(range(first, last + 1))
        await stream.aclose()
    assert not process.watch._tables


async def test_from_every_version_on(process: WatchingProcess) -> None:
    """Also from the middle of a round long past, and from the version that the table has."""
    table = await process.seated()
    for _ in range(20):
        last = await process.move(table)
    for after in range(1, last + 1):
        stream = changes(process, table, after)
        assert await anext(stream) is None
        assert await take(stream, last - after) == list(range(after + 1, last + 1))
        await stream.aclose()


async def test_a_version_that_the_table_has_not_reached_is_refused(
    process: WatchingProcess,
) -> None:
    table = await process.seated()
    last = (await process.read(table)).head.version
    with pytest.raises(Refused) as refused:
        await anext(changes(process, table, last + 1))
    assert refused.value.reason is Reason.FIELD_INVALID
    assert f"the table is at version {last}" in refused.value.message
    assert not process.watch._tables


def shown(engine: LiveTable) -> list[bytes]:
    """A table as ann, as bob, and as whoever has no seat sees it."""
    return [
        table_to_wire(show(engine, viewer, None)).SerializeToString(deterministic=True)
        for viewer in ("ann", "bob", "")
    ]


async def test_it_shows_the_same_however_it_was_found(
    process: WatchingProcess, other: WatchingProcess, store: PlannedStore
) -> None:
    """As it was made, as another process read it, and as it was replayed later."""
    table = await process.seated(first_card_hidden=True)
    made, found = changes(process, table), changes(other, table)
    (first,), _ = await take(made, 1), await take(found, 1)
    for _ in range(25):
        last = await process.move(table)
    await other.watch.poll()
    replayed = changes(other, table, first)
    await anext(replayed)
    rows = await store.journal_of(table)
    head = (await process.read(table)).head
    for row in rows[first:last]:
        as_of = await table_as_of(other.store, other.shoes, head, row)
        streams = [await anext(stream) for stream in (made, found, replayed)]
        assert [shown(engine) if engine else None for engine in streams] == [shown(as_of)] * 3
    for stream in (made, found, replayed):
        await stream.aclose()


async def test_shoes_that_are_opened_while_a_past_is_read(
    process: WatchingProcess, store: PlannedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page may be dealt from a shoe that was not drawn yet when the page before it was read."""
    monkeypatch.setattr(past, "PAGE", 2)
    table = await process.seated(first_card_hidden=True)
    while not (await process.read(table)).state.shoe.number:
        dealt = await process.move(table)
    for _ in range(3):
        await process.move(table)
    stream = changes(process, table, 1)
    assert (await take(stream, dealt - 1))[-1] == dealt
    while (await process.read(table)).state.shoe.number < 4:
        await process.move(table)
    head = (await process.read(table)).head
    for row in (await store.journal_of(table))[dealt:]:
        engine = await anext(stream)
        assert engine
        assert engine.head.version == row.version
        assert shown(engine) == shown(await table_as_of(process.store, process.shoes, head, row))
    await stream.aclose()


async def test_one_who_reads_slowly_resumes_and_holds_up_nobody(process: WatchingProcess) -> None:
    table = await process.seated()
    slow, quick = changes(process, table), changes(process, table)
    (start,), _ = await take(slow, 1), await take(quick, 1)
    await process.move(table)
    assert await take(slow, 1) == await take(quick, 1) == [start + 1]
    for _ in range(watcher.QUEUE + 5):
        last = await process.move(table)
        assert await take(quick, 1) == [last]
    queues = [one._changes for one in process.watch._tables[table].watchers]
    assert [len(queue) for queue in queues] == [0, 0]  # what he will not get is not kept for him
    with pytest.raises(Refused) as refused:
        await anext(slow)
    assert refused.value.reason is Reason.WATCH_BEHIND
    assert refused.value.details["after_version"] == str(start + 1)
    resumed = changes(process, table, start + 1)
    assert await take(resumed, last - start - 1) == list(range(start + 2, last + 1))


async def test_a_full_queue_is_still_read(process: WatchingProcess) -> None:
    table = await process.seated()
    stream = changes(process, table)
    (start,) = await take(stream, 1)
    for _ in range(watcher.QUEUE):
        await process.move(table)
    assert await take(stream, watcher.QUEUE) == [start + n + 1 for n in range(watcher.QUEUE)]
    await stream.aclose()


async def test_a_heartbeat_says_that_the_stream_lives(
    process: WatchingProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher, "HEARTBEAT_SECONDS", 0.01)
    table = await process.seated()
    stream = changes(process, table)
    assert await anext(stream)
    assert [await anext(stream), await anext(stream)] == [None, None]
    version = await process.move(table)
    assert await take(stream, 1) == [version]
    await stream.aclose()


async def test_the_stream_ends_with_the_token(process: WatchingProcess) -> None:
    table = await process.seated()
    until = asyncio.get_running_loop().time() + 0.05
    stream = changes(process, table, 0, until)
    assert await anext(stream)
    with pytest.raises(Refused) as refused:
        await anext(stream)
    assert refused.value.reason is Reason.UNAUTHENTICATED
    assert asyncio.get_running_loop().time() >= until
    late = changes(process, table, 0, until)
    assert await anext(late)
    await process.move(table)
    with pytest.raises(Refused) as refused:
        await anext(late)
    assert refused.value.reason is Reason.UNAUTHENTICATED
    assert not process.watch._tables


@pytest.mark.parametrize("before", [True, False])
async def test_the_stream_ends_when_the_server_stops(
    process: WatchingProcess, before: bool
) -> None:
    table = await process.seated()
    stream = changes(process, table)
    if before:
        await anext(stream)
    process.watch.stop()
    if not before:
        await anext(stream)
    async with asyncio.timeout(1):
        with pytest.raises(Refused) as refused:
            await anext(stream)
    assert refused.value.reason is Reason.UNAVAILABLE
    assert not process.watch._tables


async def test_a_watcher_who_goes_is_forgotten(process: WatchingProcess) -> None:
    table = await process.seated()
    stream = changes(process, table)
    await anext(stream)
    waiting = asyncio.create_task(take(stream, 1))
    await asyncio.sleep(0)
    stays = changes(process, table, 1)
    await anext(stays)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert len(process.watch._tables[table].watchers) == 1
    await stays.aclose()
    assert not process.watch._tables


async def test_a_table_that_cannot_be_read_ends_its_own_streams_only(
    process: WatchingProcess, other: WatchingProcess, store: PlannedStore
) -> None:
    broken, sound = await process.seated(), await process.open("sound")
    streams = changes(process, broken), changes(process, sound)
    for stream in streams:
        await anext(stream)
    await other.move(broken)
    read = store.changes

    async def garbled(versions: list[tuple[str, int]]) -> list[JournalRow]:
        rows = await read(versions)
        text = '[{"type":"FromTheFuture"}]'
        return [replace(row, events=text) if row.table_id == broken else row for row in rows]

    store.changes = garbled  # type: ignore[method-assign, assignment]
    await other.deal(sound)
    await process.watch.poll()
    with pytest.raises(Refused) as refused:
        await anext(streams[0])
    assert refused.value.reason is Reason.UNAVAILABLE
    assert await take(streams[1], 1)
    assert list(process.watch._tables) == [sound]
    await streams[1].aclose()


async def test_a_table_of_another_operator_does_not_exist(process: WatchingProcess) -> None:
    table = await process.seated()
    for seen in (False, True):  # also while its own operator's players watch it
        stream = changes(process, table)
        if seen:
            await anext(stream)
        for after in (0, 1):
            with pytest.raises(Refused) as refused:
                await anext(process.watch.changes(table, Asker(f"not-{OPERATOR}"), after, math.inf))
            assert refused.value.reason is Reason.TABLE_NOT_FOUND
        await stream.aclose()


@pytest.mark.parametrize(("missed", "read"), [(3, 0), (watch.RECENT, 0), (watch.RECENT + 1, 1)])
async def test_who_has_missed_little_costs_no_query(
    process: WatchingProcess,
    store: PlannedStore,
    monkeypatch: pytest.MonkeyPatch,
    missed: int,
    read: int,
) -> None:
    """The process in which he watched has died; somebody watches the table here already."""
    table = await process.seated()
    stays = changes(process, table)
    (start,) = await take(stays, 1)
    for _ in range(missed + 2):
        await process.move(table)
    await take(stays, missed + 2)
    asked = []
    journal = store.journal

    async def counted(*given: Any) -> Sequence[JournalRow]:
        asked.append(given)
        return await journal(*given)

    monkeypatch.setattr(store, "journal", counted)
    resumes = changes(process, table, start + 2)
    assert await take(resumes, missed) == list(range(start + 3, start + 3 + missed))
    assert len(asked) == read
    for stream in (stays, resumes):
        await stream.aclose()
