"""Time in which nobody could answer is given back: once, in its own row, and not without end."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from service.audit.verify.verifier import Verifier
from service.journal.codec import GENESIS, command_of, events_of, row_hash
from service.journal.serving_time import Beat, Interruption
from service.journal.text import to_text
from service.live.live_table import LiveTable
from service.records.verification import Fault, FaultKind
from service.rules.hand import Action
from service.table.causes import InterruptionCause
from service.table.commands import Act, Command, GiveTimeBack, TimeOut
from service.table.deciding.giving_back import MOST_TIMES, RETURN_SECONDS
from service.table.events import Event, HandEnded, RoundOpened, TimeGivenBack
from service.table.phase import Phase
from service.table.showing.shown import News
from tests.deadlines.sweeping import IDLE_SECONDS, SweepingProcess, time_outs
from tests.live.table_in_memory import SECOND, Clock, PlannedStore, decision
from tests.secrets.audit import MemoryAuditReader

CLOCKS: dict[str, Any] = {"bet_seconds": 10, "insurance_seconds": 11, "turn_seconds": 12}
STEP = InterruptionCause.CLOCK_STEP


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def process(clock: Clock) -> SweepingProcess:
    return SweepingProcess(clock, PlannedStore(clock.now))


async def with_a_turn(process: SweepingProcess, **options: Any) -> str:
    """A table at which ann or bob has a turn."""
    table = await process.seated(rounds=60, **CLOCKS, **options)
    while (await process.read(table)).state.phase is not Phase.TURNS:
        engine = await process.read(table)
        if engine.state.between_rounds:
            await process.bet(table, "ann", "bob")
            continue
        player = "ann" if decision(engine) else "bob"
        act = Act(player, decision(engine, player), Action.DECLINE)
        await process.send(table, f"decline-{engine.head.version}", act)
    return table


def left(table: LiveTable, clock: Clock) -> float:
    """How many seconds the open decision has left."""
    return (table.head.deadline - clock.now()) / SECOND


@pytest.mark.parametrize(
    ("gone", "cause", "expected"),
    [
        (0, InterruptionCause.OUTAGE, 12),
        (4, InterruptionCause.OUTAGE, 8),
        (11, InterruptionCause.OUTAGE, RETURN_SECONDS),
        (0, STEP, 12),
        (11, STEP, 1),
    ],
)
@pytest.mark.parametrize("away", [4, 3600])
async def test_a_decision_has_what_it_had_left(
    process: SweepingProcess,
    clock: Clock,
    gone: float,
    cause: InterruptionCause,
    expected: float,
    away: float,
) -> None:
    table = await with_a_turn(process)
    before = await process.read(table)
    clock.sleep(gone)
    one = process.interrupt(clock, away, cause)
    await process.sweeper.sweep()
    after = await process.read(table)
    assert after.latest == (
        TimeGivenBack(cause, one.from_at, one.to_at, before.head.deadline, after.head.deadline),
    )
    assert left(after, clock) == expected
    assert [news.kind for news in shown(after)] == [News.TIME_GIVEN_BACK]
    clock.sleep(expected - 0.000001)
    await process.sweeper.sweep()
    assert (await process.read(table)).head == after.head
    clock.sleep(0.000001)
    await process.sweeper.sweep()
    rows = await process.store.journal_of(table)
    assert command_of(rows[-1].command) == TimeOut()
    assert len(rows) == after.head.version + 1


def shown(table: LiveTable) -> Any:
    return table.decider.view(table.state, "", table.chance, table.latest).announcements


async def test_no_decision_gets_more_than_its_whole_time(
    process: SweepingProcess, clock: Clock
) -> None:
    table = await process.seated(rounds=9, bet_seconds=2)
    clock.sleep(1)
    process.interrupt(clock, 60)
    await process.sweeper.sweep()
    assert left(await process.read(table), clock) == 2


async def test_what_was_over_before_is_over(process: SweepingProcess, clock: Clock) -> None:
    table = await with_a_turn(process)
    clock.sleep(12)
    process.interrupt(clock, 60)
    await process.sweeper.sweep()
    rows = await process.store.journal_of(table)
    assert command_of(rows[-1].command) == TimeOut()


async def test_a_decision_that_began_meanwhile_gets_the_rest(
    process: SweepingProcess, clock: Clock
) -> None:
    """The beat that begins an interruption is up to a second older than the last row."""
    table = await with_a_turn(process)
    began = clock.now() - SECOND
    clock.sleep(60)
    process.interruptions.append(Interruption(began, clock.now(), InterruptionCause.OUTAGE))
    await process.sweeper.sweep()
    assert left(await process.read(table), clock) == 12


async def test_each_interruption_counts_once_and_only_some(
    process: SweepingProcess, clock: Clock
) -> None:
    """A service that keeps failing does not hold up a match for ever."""
    table = await with_a_turn(process)
    for time in range(MOST_TIMES):
        clock.sleep(1)
        process.interrupt(clock, 60)
        for _ in range(3):
            await process.sweeper.sweep()
        assert (await process.read(table)).state.times_given == time + 1
    process.interrupt(clock, 60)
    await process.sweeper.sweep()
    rows = await process.store.journal_of(table)
    assert command_of(rows[-1].command) == TimeOut()
    assert await verdict(process, table) is None


async def test_several_that_came_before_anybody_looked_all_count(
    process: SweepingProcess, clock: Clock
) -> None:
    table = await with_a_turn(process)
    for _ in range(3):
        clock.sleep(1)
        process.interrupt(clock, 60)
    await process.sweeper.sweep()
    assert left(await process.read(table), clock) == 9
    assert (await process.read(table)).state.times_given == 3


async def test_two_processes_give_it_back_once(process: SweepingProcess, clock: Clock) -> None:
    table = await with_a_turn(process)
    other = SweepingProcess(clock, process.store)
    await other.read(table)
    other.interruptions.append(process.interrupt(clock, 60))
    await asyncio.gather(process.sweeper.sweep(), other.sweeper.sweep())
    assert (await other.read(table)).state.times_given == 1


async def test_a_player_who_comes_first_gets_it_before_the_command(
    process: SweepingProcess, clock: Clock
) -> None:
    table = await with_a_turn(process)
    before = await process.read(table)
    player = "ann" if decision(before) else "bob"
    process.interrupt(clock, 60)
    act = Act(player, decision(before, player), Action.STAND)
    await process.send(table, "stand", act)
    given, stood = (await process.store.journal_of(table))[-2:]
    assert (given.actor, given.request_id) == ("table", "")
    assert isinstance(command_of(given.command), GiveTimeBack)
    assert command_of(stood.command) == act
    assert len(await process.store.journal_of(table)) == before.head.version + 2


async def test_an_interruption_that_is_not_over_yet_by_this_clock_waits(
    process: SweepingProcess, clock: Clock
) -> None:
    table = await with_a_turn(process)
    before = await process.read(table)
    player = "ann" if decision(before) else "bob"
    now = clock.now()
    process.interruptions.append(Interruption(now, now + 4 * SECOND, InterruptionCause.OUTAGE))
    act = Act(player, decision(before, player), Action.STAND)
    await process.send(table, "stand", act)
    assert command_of((await process.store.journal_of(table))[-1].command) == act


async def test_the_betting_clock_between_rounds_gets_it_in_the_round_that_it_opens(
    process: SweepingProcess, clock: Clock
) -> None:
    table = await process.seated(rounds=9, **CLOCKS)
    clock.sleep(10)
    await process.sweeper.sweep()
    settled = await process.read(table)
    assert settled.state.phase is Phase.SETTLED
    clock.sleep(1)
    process.interrupt(clock, 60)
    await process.sweeper.sweep()
    opened = await process.read(table)
    assert [type(event) for event in opened.latest] == [RoundOpened, TimeGivenBack]
    assert left(opened, clock) == 9
    assert not time_outs((await process.store.journal_of(table))[settled.head.version :])
    assert await verdict(process, table) is None


async def test_no_table_is_idle_while_nobody_could_come(
    process: SweepingProcess, clock: Clock
) -> None:
    table = await process.open()
    clock.sleep(IDLE_SECONDS - 60)
    process.interrupt(clock, 10 * IDLE_SECONDS)
    await process.sweeper.close_idle()
    assert (await process.read(table)).state.phase is not Phase.FINISHED
    clock.sleep(61)
    await process.sweeper.close_idle()
    assert (await process.read(table)).state.phase is Phase.FINISHED


# --- what verification says


async def verdict(process: SweepingProcess, table: str) -> Fault | None:
    """The fault that verification finds, with every interruption recorded."""
    for one in process.interruptions:
        if one not in process.store._interruptions:
            await process.store.beat(process.store._beat, Beat(one.to_at, one.to_at), one)
    found = await Verifier(MemoryAuditReader(process.store)).verify_table(table)
    assert found is not None
    return found.fault


def forge(process: SweepingProcess, table: str, command: Command, *events: Event) -> None:
    """Put other content into the newest row, and make hash and head whole again."""
    rows = process.store._journal[table]
    before = rows[-2].hash if len(rows) > 1 else GENESIS
    row = replace(rows[-1], command=to_text(command), events=to_text(events))
    rows[-1] = replace(row, hash=row_hash(before, row))
    head = process.store._heads[table]
    deadline = next(
        (event.deadline for event in events if isinstance(event, TimeGivenBack)), head.deadline
    )
    process.store._heads[table] = replace(head, hash=rows[-1].hash, deadline=deadline)


async def given(process: SweepingProcess, clock: Clock) -> tuple[str, TimeGivenBack]:
    """A table whose newest row gives time back."""
    table = await with_a_turn(process)
    clock.sleep(4)
    process.interrupt(clock, 60)
    await process.sweeper.sweep()
    event = events_of((await process.store.journal_of(table))[-1].events)[-1]
    assert isinstance(event, TimeGivenBack)
    return table, event


async def test_what_was_given_back_is_right(process: SweepingProcess, clock: Clock) -> None:
    table, _ = await given(process, clock)
    assert await verdict(process, table) is None


@pytest.mark.parametrize("field", ["deadline", "was", "from_at", "to_at"])
async def test_an_event_that_gives_another_time_is_found(
    process: SweepingProcess, clock: Clock, field: str
) -> None:
    table, event = await given(process, clock)
    command = GiveTimeBack(event.cause, event.from_at, event.to_at)
    forge(process, table, command, replace(event, **{field: getattr(event, field) + 1}))
    fault = await verdict(process, table)
    assert fault
    assert fault.kind is FaultKind.EVENTS


@pytest.mark.parametrize("seconds", [-1, 1])
async def test_an_interruption_that_never_was_is_found(
    process: SweepingProcess, clock: Clock, seconds: int
) -> None:
    """Its arithmetic is right; only nobody recorded it."""
    table, event = await given(process, clock)
    began = event.from_at + seconds * SECOND
    deadline = event.to_at + event.was - began
    command = GiveTimeBack(event.cause, began, event.to_at)
    forge(process, table, command, replace(event, from_at=began, deadline=deadline))
    fault = await verdict(process, table)
    assert fault
    assert (fault.kind, fault.version) == (FaultKind.CLOCK, process.store._heads[table].version)


async def test_a_time_out_before_its_deadline_stays_wrong(
    process: SweepingProcess, clock: Clock
) -> None:
    table, _ = await given(process, clock)
    clock.sleep(8)
    await process.sweeper.sweep()
    row = (await process.store.journal_of(table))[-1]
    assert any(isinstance(event, HandEnded) for event in events_of(row.events))
    assert await verdict(process, table) is None
    process.store._journal[table][-1] = replace(row, at=row.at - 1)
    forge(process, table, TimeOut(), *events_of(row.events))
    fault = await verdict(process, table)
    assert fault
    assert fault.kind is FaultKind.EVENTS
