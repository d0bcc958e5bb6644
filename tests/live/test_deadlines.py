"""Late commands: the table's time-out comes first, in a row of its own; then they are decided."""

from typing import Any

import pytest

from service.journal.codec import command_of, events_of
from service.rules.hand import Action, EndCause
from service.rules.reasons import Reason, Refused
from service.table.causes import Cause
from service.table.commands import Act, LeaveSeat, PlaceBet, TakeSeat, TimeOut
from service.table.events import HandEnded, SatOut
from tests.live.table_in_memory import Clock, PlannedStore, Process, decision


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def process(clock: Clock) -> Process:
    return Process(clock, PlannedStore(clock.now))


async def seated(process: Process, **options: Any) -> str:
    """A table with ann on seat 1 and bob on seat 2."""
    table = await process.open(max_seats=2, min_seats=2, penetration=50, **options)
    for player in ("ann", "bob"):
        await process.send(table, f"seat-{player}", TakeSeat(player))
    return table


async def with_turns(process: Process, table: str) -> None:
    """Bet for both until ann has a turn after which bob has one too."""
    while True:
        for player in ("ann", "bob"):
            engine = await process.read(table)
            bet = PlaceBet(player, engine.state.betting_round, 1000)
            await process.send(table, f"{player}-{engine.head.version}", bet)
        engine = await process.read(table)
        open_hands = [not seat.hands[0].ended for seat in engine.state.seats if seat.hands]
        if engine.state.phase.value == "turns" and open_hands == [True, True]:
            return
        while decision(await process.read(table)) or decision(await process.read(table), "bob"):
            await answer(process, table)


async def answer(process: Process, table: str) -> None:
    """Answer what is open, for whoever it is."""
    engine = await process.read(table)
    player = "ann" if decision(engine) else "bob"
    token = decision(engine, player)
    action = Action.DECLINE if token.split("-")[1] == "0" else Action.STAND
    await process.send(table, f"answer-{engine.head.version}", Act(player, token, action))


async def test_a_late_command_comes_after_the_tables_time_out(
    process: Process, clock: Clock
) -> None:
    table = await seated(process, turn_seconds=1)
    await with_turns(process, table)
    before = await process.read(table)
    clock.sleep(1.0)
    bob = Act("bob", f"{before.state.round}-1-0", Action.STAND)  # in turn once ann's time is up
    late = await process.send(table, "late", bob)
    assert late.table.head.version == before.head.version + 2
    time_out, command = (await process.store.journal_of(table))[-2:]
    assert (time_out.actor, time_out.request_id) == ("table", "")
    assert command_of(time_out.command) == TimeOut()
    assert HandEnded(1, 1, EndCause.TIME_OUT) in events_of(time_out.events)
    assert (command.actor, command.request_id) == ("bob", "late")
    assert time_out.at <= command.at


async def test_a_command_in_time_brings_no_time_out(process: Process, clock: Clock) -> None:
    table = await seated(process, turn_seconds=1)
    await with_turns(process, table)
    before = await process.read(table)
    clock.sleep(0.999999)
    act = Act("ann", decision(before), Action.STAND)
    assert (await process.send(table, "in-time", act)).table.head.version == (
        before.head.version + 1
    )


async def test_what_came_too_late_is_refused_and_the_time_out_stays(
    process: Process, clock: Clock
) -> None:
    table = await seated(process, turn_seconds=1)
    await with_turns(process, table)
    before = await process.read(table)
    clock.sleep(1.5)
    with pytest.raises(Refused) as refusal:
        await process.send(table, "late", Act("ann", decision(before), Action.HIT))
    assert refusal.value.reason is Reason.DECISION_CHANGED
    rows = await process.store.journal_of(table)
    assert len(rows) == before.head.version + 1
    assert rows[-1].actor == "table"


async def test_a_late_bet_finds_its_seat_sitting_out(process: Process, clock: Clock) -> None:
    table = await seated(process, bet_seconds=1)
    first = await process.send(table, "ann", PlaceBet("ann", 1, 1000))
    clock.sleep(1.0)
    with pytest.raises(Refused) as refusal:
        await process.send(table, "bob", PlaceBet("bob", 1, 1000))
    assert refusal.value.reason is Reason.ROUND_CHANGED  # it sits the round out
    rows = await process.store.journal_of(table)
    assert len(rows) == first.table.head.version + 1
    assert SatOut(2, Cause.TIME_OUT) in events_of(rows[-1].events)


async def test_reads_bring_no_time_out(process: Process, clock: Clock) -> None:
    table = await seated(process, turn_seconds=1)
    await with_turns(process, table)
    before = await process.read(table)
    clock.sleep(60)
    assert (await process.read(table)).head == before.head


@pytest.mark.parametrize("kept", [True, False])
async def test_a_repeated_request_brings_no_time_out(
    process: Process, clock: Clock, kept: bool
) -> None:
    table = await seated(process, turn_seconds=1)
    await with_turns(process, table)
    before = await process.read(table)
    act = Act("ann", decision(before), Action.STAND)
    first = await process.send(table, "act", act)
    clock.sleep(60)
    if not kept:
        process.kept.take(table)
    again = await process.send(table, "act", act)
    assert again.replayed
    assert again.table.head == first.table.head
    assert len(await process.store.journal_of(table)) == first.table.head.version


async def test_a_process_that_knows_no_later_time_never_writes_an_earlier_one(
    process: Process, clock: Clock
) -> None:
    table = await process.open()
    clock.sleep(-5)
    left = await process.send(table, "leave", LeaveSeat("ann"))
    rows = await process.store.journal_of(table)
    assert [row.at for row in rows] == sorted(row.at for row in rows)
    assert left.table.head.at == rows[0].at
