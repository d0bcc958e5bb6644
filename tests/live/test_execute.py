"""The write path when others write too, when the database fails, and when something breaks."""

import asyncio
from collections.abc import Sequence

import pytest

from service.calls.errors import Code, code_of
from service.journal.codec import command_of
from service.journal.ports import Append, Outcome, StoreUnavailable
from service.live import execute
from service.live import live_table as live_table_module
from service.rules.hand import Action
from service.rules.reasons import Reason, Refused
from service.table.commands import Act, PlaceBet, TakeSeat
from tests.live.table_in_memory import (
    Appending,
    Clock,
    PlannedStore,
    Process,
    decision,
    next_command,
)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clock: Clock) -> PlannedStore:
    return PlannedStore(clock.now)


@pytest.fixture
def process(clock: Clock, store: PlannedStore) -> Process:
    return Process(clock, store)


@pytest.fixture
def other(clock: Clock, store: PlannedStore) -> Process:
    """A second process on the same database."""
    return Process(clock, store)


async def test_who_always_loses_the_race_is_told_so_when_his_time_is_over(
    process: Process, store: PlannedStore
) -> None:
    table = await process.open()
    tries = 0

    async def lose(appends: Sequence[Append], append: Appending) -> Sequence[Outcome]:
        nonlocal tries
        tries += 1
        return [Outcome.CONFLICT] * len(appends)

    store.meanwhile = lose
    with pytest.raises(Refused) as refusal:
        async with asyncio.timeout(3):
            await process.send(table, "bet", PlaceBet("ann", 1, 1000), seconds=0.2)
    assert refusal.value.reason is Reason.CONTENTION
    assert code_of(Reason.CONTENTION) is Code.ABORTED
    assert tries > 2
    store.meanwhile = None
    assert len(await store.journal_of(table)) == 1
    assert not (await process.send(table, "bet", PlaceBet("ann", 1, 1000))).replayed


async def test_a_command_of_the_tables_own_that_always_loses_the_race_ends_too(
    process: Process, store: PlannedStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With pauses between its tries, as any other command; whoever sweeps tries it again later."""
    table = await process.open()
    tries = 0

    async def lose(appends: Sequence[Append], append: Appending) -> Sequence[Outcome]:
        nonlocal tries
        tries += 1
        return [Outcome.CONFLICT] * len(appends)

    store.meanwhile = lose
    clock.sleep(3600)
    monkeypatch.setattr(execute, "OWN_COMMAND_SECONDS", 0.2)
    with pytest.raises(Refused) as refusal:
        async with asyncio.timeout(3):
            await process.handler.close_idle(table, clock.now(), 60)
    assert refusal.value.reason is Reason.CONTENTION
    assert 3 <= tries < 100


async def test_who_loses_the_race_once_decides_again(
    process: Process, other: Process, store: PlannedStore
) -> None:
    table = await process.open(max_seats=2, min_seats=2, penetration=50)
    await seat_two(process, table)

    async def bob_first(appends: Sequence[Append], append: Appending) -> Sequence[Outcome]:
        store.meanwhile = None
        await other.send(table, "bob", PlaceBet("bob", 1, 500))
        return await append(appends)

    store.meanwhile = bob_first
    answer = await process.send(table, "ann", PlaceBet("ann", 1, 1000))
    rows = await store.journal_of(table)
    assert [row.request_id for row in rows[-2:]] == ["bob", "ann"]
    assert answer.table.head.version == len(rows)
    assert {seat.stake for seat in answer.table.state.seats} == {500, 1000}


async def test_a_refusal_is_decided_again_on_what_others_wrote(
    process: Process, other: Process
) -> None:
    table = await process.open()
    await process.deal(table)
    moved = await other.send(table, "there", next_command(await other.read(table)))
    here = await process.send(table, "here", next_command(moved.table))
    assert here.table.head.version == moved.table.head.version + 1


@pytest.mark.parametrize("refused", [True, False])
async def test_what_a_refused_or_repeated_command_has_read_is_kept(
    process: Process, store: PlannedStore, refused: bool
) -> None:
    """Many of these come at once when the clients of a process that died go on at another one."""
    table = await process.open()
    dealt = await process.deal(table)
    repeated = dealt.head.version - 1
    if refused:
        with pytest.raises(Refused):
            await process.send(table, "late", PlaceBet("ann", 1, 1000))
    else:
        row = (await store.journal_of(table))[repeated]
        again = await process.send(table, row.request_id, command_of(row.command))
        assert again.replayed
    kept = process.kept.get(table)
    assert kept
    assert (kept.head, kept.state) == (dealt.head, dealt.state)


async def test_a_read_shows_what_others_wrote(process: Process, other: Process) -> None:
    table = await process.open()
    before = await process.read(table)
    moved = await other.send(table, "there", next_command(before))
    assert (await process.read(table)).head == moved.table.head


@pytest.mark.parametrize("written", [False, True])
async def test_after_a_failed_append_the_same_request_tells(
    process: Process, store: PlannedStore, written: bool
) -> None:
    table = await process.open()

    async def fail(appends: Sequence[Append], append: Appending) -> Sequence[Outcome]:
        if written:
            await append(appends)
        raise StoreUnavailable("the connection broke")

    store.meanwhile = fail
    with pytest.raises(StoreUnavailable):
        await process.send(table, "bet", PlaceBet("ann", 1, 1000))
    assert code_of(Reason.UNAVAILABLE) is Code.UNAVAILABLE
    assert process.kept.get(table) is None
    store.meanwhile = None
    again = await process.send(table, "bet", PlaceBet("ann", 1, 1000))
    assert again.replayed is written
    assert [row.request_id for row in await store.journal_of(table)] == ["open", "bet"]


@pytest.mark.parametrize("broken", ["seat_changes", "settled_summaries"])
async def test_a_fault_while_deciding_leaves_no_half_advanced_table(
    process: Process, store: PlannedStore, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """The first bet opens the shoe and draws its successor's seed: that must not stay in memory
    alone, or nobody else could ever deal from that shoe."""
    table = await process.open()

    def fault(*_: object) -> None:
        raise RuntimeError("a fault")

    with monkeypatch.context() as patch:
        patch.setattr(live_table_module, broken, fault)
        with pytest.raises(RuntimeError):
            await process.send(table, "bet", PlaceBet("ann", 1, 1000))
    await process.send(table, "bet", PlaceBet("ann", 1, 1000))
    assert [shoe.number for shoe in await store.load_shoes(table, 1)] == [1, 2]


async def test_a_fault_of_the_store_leaves_no_half_advanced_table(
    process: Process, store: PlannedStore
) -> None:
    table = await process.open()

    async def fault(appends: Sequence[Append], append: Appending) -> Sequence[Outcome]:
        raise RuntimeError("a fault")

    store.meanwhile = fault
    with pytest.raises(RuntimeError):
        await process.send(table, "bet", PlaceBet("ann", 1, 1000))
    store.meanwhile = None
    assert (await process.read(table)).head.version == 1
    await process.send(table, "bet", PlaceBet("ann", 1, 1000))
    assert [shoe.number for shoe in await store.load_shoes(table, 1)] == [1, 2]


async def test_commands_for_one_table_wait_for_each_other(
    process: Process, store: PlannedStore
) -> None:
    table = await process.open()
    engine = await process.deal(table)
    at_once, most = 0, 0
    outcomes: list[Outcome] = []

    async def slow(appends: Sequence[Append], append: Appending) -> Sequence[Outcome]:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0.01)
        at_once -= 1
        found = await append(appends)
        outcomes.extend(found)
        return found

    store.meanwhile = slow
    stand = Act("ann", decision(engine), Action.STAND)
    answers = await asyncio.gather(
        *(process.send(table, f"act-{number}", stand) for number in range(10)),
        return_exceptions=True,
    )
    assert sum(not isinstance(answer, Refused) for answer in answers) == 1
    assert most == 1
    assert outcomes == [Outcome.APPENDED]  # none of them ran into another


async def test_commands_for_other_tables_do_not_wait(process: Process, store: PlannedStore) -> None:
    slow, quick = await process.open("slow"), await process.open("quick")
    held, release = asyncio.Event(), asyncio.Event()

    async def hold(appends: Sequence[Append], append: Appending) -> Sequence[Outcome]:
        if any(one.row.table_id == slow for one in appends):
            held.set()
            await release.wait()
        return await append(appends)

    store.meanwhile = hold
    waiting = asyncio.create_task(process.send(slow, "bet", PlaceBet("ann", 1, 1000)))
    await asyncio.wait_for(held.wait(), 2)
    await asyncio.wait_for(process.send(quick, "bet", PlaceBet("ann", 1, 1000)), 2)
    assert not waiting.done()
    release.set()
    await waiting


async def test_a_table_that_is_opened_twice_at_once_is_one(process: Process) -> None:
    opened = await asyncio.gather(*(process.open("same") for _ in range(5)))
    assert len(set(opened)) == 1
    assert len(await process.store.journal_of(opened[0])) == 1


async def seat_two(process: Process, table: str) -> None:
    """Seat ann and bob, which starts the table."""
    for player in ("ann", "bob"):
        await process.send(table, f"seat-{player}", TakeSeat(player))
