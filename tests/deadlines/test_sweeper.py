"""The sweeper: what is due is done without any client, once, and by whoever comes first."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from structlog.testing import capture_logs

from service.journal.ports import Append, Outcome, StoreUnavailable
from service.live import sweeper
from service.rules.hand import EndCause
from service.table.causes import Cause
from service.table.commands import TakeSeat
from service.table.events import HandEnded, InsuranceDeclined, SatOut
from service.table.phase import FinishCause, Phase
from tests.deadlines.sweeping import IDLE_SECONDS, SweepingProcess, time_outs
from tests.live.table_in_memory import SECOND, Appending, Clock, PlannedStore

CLOCKS: dict[str, Any] = {"bet_seconds": 1, "insurance_seconds": 2, "turn_seconds": 3}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clock: Clock) -> PlannedStore:
    return PlannedStore(clock.now)


@pytest.fixture
def process(clock: Clock, store: PlannedStore) -> SweepingProcess:
    return SweepingProcess(clock, store)


@pytest.fixture
def other(clock: Clock, store: PlannedStore) -> SweepingProcess:
    return SweepingProcess(clock, store)


async def test_a_scheduled_table_plays_to_its_end_without_any_client(
    process: SweepingProcess, clock: Clock
) -> None:
    """Its betting deadline stands in the head from the settlement on."""
    table = await process.seated(rounds=3, **CLOCKS)
    for number in (1, 2, 3):
        before = await process.read(table)
        assert before.head.deadline == before.state.deadline == clock.now() + SECOND
        clock.sleep(0.999999)
        await process.sweeper.sweep()
        assert (await process.read(table)).head.version == before.head.version
        clock.sleep(0.000001)
        await process.sweeper.sweep()
        after = await process.read(table)
        assert after.head.version == before.head.version + 1
        assert {SatOut(1, Cause.TIME_OUT), SatOut(2, Cause.TIME_OUT)} <= set(after.latest)
        assert after.state.round == number
    assert (after.state.phase, after.state.finish) == (Phase.FINISHED, FinishCause.ROUNDS_PLAYED)
    assert after.head.deadline == 0
    clock.sleep(3600)
    await process.sweeper.sweep()
    assert (await process.read(table)).head == after.head


async def test_every_kind_of_decision_runs_out(process: SweepingProcess, clock: Clock) -> None:
    """Bets are laid for both, and nobody ever answers: the table declines and stands for them."""
    table = await process.seated(rounds=60, **CLOCKS)
    limits = {Phase.INSURANCE: 2, Phase.TURNS: 3, Phase.SETTLED: 1, Phase.BETTING: 1}
    seen = set()
    while (await process.read(table)).state.phase is not Phase.FINISHED:
        engine = await process.read(table)
        if engine.state.between_rounds:
            await process.bet(table, "ann", "bob")
            continue
        phase = engine.state.phase
        assert engine.head.deadline == engine.head.at + limits[phase] * SECOND
        clock.sleep(limits[phase] - 0.000001)
        await process.sweeper.sweep()
        assert (await process.read(table)).head.version == engine.head.version
        clock.sleep(0.000001)
        await process.sweeper.sweep()
        after = await process.read(table)
        assert after.head.version == engine.head.version + 1
        seat, hand = engine.state.active_seat, engine.state.active_hand
        said = (
            InsuranceDeclined(engine.state.seats[0].number, Cause.TIME_OUT)
            if phase is Phase.INSURANCE
            else HandEnded(seat, hand, EndCause.TIME_OUT)
        )
        assert said in after.latest
        seen.add(phase)
    assert seen == {Phase.INSURANCE, Phase.TURNS}


async def test_two_sweepers_bring_no_time_out_twice(
    process: SweepingProcess, other: SweepingProcess, store: PlannedStore, clock: Clock
) -> None:
    tables = [await process.seated(f"open-{number}", rounds=9, **CLOCKS) for number in range(5)]
    for table in tables:  # both keep every table as it is now
        await other.read(table)
    for _ in range(4):
        clock.sleep(1)
        await asyncio.gather(process.sweeper.sweep(), other.sweeper.sweep())
    for table in tables:
        rows = time_outs(await store.journal_of(table))
        assert [row.round for row in rows] == [1, 2, 3, 4]


async def test_a_player_and_the_sweeper_meet(
    process: SweepingProcess, other: SweepingProcess, store: PlannedStore, clock: Clock
) -> None:
    """Whoever comes first brings the time-out, and the other finds it done."""
    table = await process.seated(rounds=9, **CLOCKS)
    clock.sleep(1)
    await asyncio.gather(other.bet(table, "ann"), process.sweeper.sweep(), return_exceptions=True)
    assert [row.round for row in time_outs(await store.journal_of(table))] == [1]


async def test_a_table_that_fails_backs_off_and_holds_up_nobody(
    process: SweepingProcess,
    store: PlannedStore,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sweeper, "AT_ONCE", 1)
    bad = await process.seated("bad", rounds=9, **CLOCKS)
    clock.sleep(0.5)  # so that the bad one is always overdue the longest
    good = await process.seated("good", rounds=9, **CLOCKS)
    tries = []

    async def fails(appends: Sequence[Append], append: Appending) -> Sequence[Outcome]:
        if appends[0].row.table_id == bad:
            tries.append(clock.now())
            raise RuntimeError("this one can't be stored")
        return await append(appends)

    store.meanwhile = fails
    with capture_logs() as logs:
        for _ in range(4):
            clock.sleep(1)
            await process.sweeper.sweep()
            await process.sweeper.sweep()
    assert len(time_outs(await store.journal_of(good))) == 4
    assert len(tries) == 1  # the loop's time has not moved: it rests
    (alert,) = [log for log in logs if log["log_level"] == "error"]
    assert (alert["table"], alert["failures"], alert["next_try_seconds"]) == (bad, 1, 1.0)
    for failures in range(2, 9):
        process.sweeper._failures[bad] = (failures - 1, 0.0)  # as if it had rested
        with capture_logs() as logs:
            await process.sweeper.sweep()
        (alert,) = logs
        assert (alert["failures"], alert["next_try_seconds"]) == (
            failures,
            min(2.0 ** (failures - 1), sweeper.LONGEST_BACK_OFF),
        )
    store.meanwhile = None
    process.sweeper._failures[bad] = (8, 0.0)
    await process.sweeper.sweep()
    assert len(time_outs(await store.journal_of(bad))) == 1
    assert not process.sweeper._failures


async def test_one_that_takes_long_holds_up_nobody(
    process: SweepingProcess,
    store: PlannedStore,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sweeper, "SWEEP_SECONDS", 0.01)
    slow = await process.seated("slow", rounds=9, **CLOCKS)
    quick = await process.seated("quick", rounds=9, **CLOCKS)
    clock.sleep(1)
    async with process.kept.turn(slow):  # a command of a player takes long
        for _ in range(3):
            await process.sweeper.sweep()
            clock.sleep(1)
        assert len(time_outs(await store.journal_of(quick))) == 3
        assert list(process.sweeper._running) == [slow]
    await asyncio.gather(*process.sweeper._running.values())
    assert len(time_outs(await store.journal_of(slow))) == 1
    assert not process.sweeper._running


async def test_a_database_that_is_away_is_tried_again_at_once(
    process: SweepingProcess, store: PlannedStore, clock: Clock
) -> None:
    table = await process.seated(rounds=9, **CLOCKS)
    clock.sleep(1)

    async def away(appends: Sequence[Append], append: Appending) -> Sequence[Outcome]:
        raise StoreUnavailable("away")

    store.meanwhile = away
    await process.sweeper.sweep()
    store.meanwhile = None
    await process.sweeper.sweep()
    assert len(time_outs(await store.journal_of(table))) == 1


async def test_a_process_that_has_just_started_finds_what_is_due(
    process: SweepingProcess, store: PlannedStore, clock: Clock
) -> None:
    table = await process.seated(rounds=9, **CLOCKS)
    clock.sleep(60)
    restarted = SweepingProcess(clock, store)
    await restarted.sweeper.sweep()
    (row,) = time_outs(await store.journal_of(table))
    assert row.at == clock.now()
    assert (await restarted.read(table)).head.deadline == clock.now() + SECOND


async def test_an_open_ended_table_pauses_after_three_rounds_without_a_bet(
    process: SweepingProcess, store: PlannedStore, clock: Clock
) -> None:
    """Its clock starts with the first bet of a round, and when nobody bets there is none."""
    table = await process.seated(**CLOCKS)
    assert (await process.read(table)).head.deadline == 0
    await process.bet(table, "ann")
    assert (await process.read(table)).head.deadline == clock.now() + SECOND
    for _ in range(400):
        clock.sleep(1)
        await process.sweeper.sweep()
    engine = await process.read(table)
    assert (engine.state.phase, engine.head.deadline) == (Phase.SETTLED, 0)
    assert {row.round for row in time_outs(await store.journal_of(table))} <= {1, 2, 3, 4}
    await process.bet(table, "bob")
    assert (await process.read(table)).head.deadline == clock.now() + SECOND


async def test_idle_tables_are_closed_between_rounds(
    process: SweepingProcess, clock: Clock
) -> None:
    idle = await process.open("idle", max_seats=2, min_seats=2, penetration=50)
    await process.send(idle, "seat", TakeSeat("ann"))
    plays = await process.deal(await process.open("plays"))  # waits for a turn without a limit
    clock.sleep(IDLE_SECONDS)
    await process.sweeper.close_idle()
    assert (await process.read(idle)).state.phase is Phase.WAITING
    clock.sleep(0.000001)
    fresh = await process.open("fresh")
    await process.sweeper.close_idle()
    closed = await process.read(idle)
    assert (closed.state.phase, closed.state.finish) == (Phase.FINISHED, FinishCause.IDLE)
    assert (await process.read(fresh)).state.phase is Phase.BETTING
    assert (await process.read(plays.head.table_id)).state.phase is Phase.TURNS


async def test_a_table_that_cannot_be_closed_is_reported_and_the_others_are_closed(
    process: SweepingProcess, store: PlannedStore, clock: Clock
) -> None:
    bad, good = await process.open("bad"), await process.open("good")
    clock.sleep(IDLE_SECONDS + 1)

    async def fails(appends: Sequence[Append], append: Appending) -> Sequence[Outcome]:
        if appends[0].row.table_id == bad:
            raise RuntimeError("this one can't be stored")
        return await append(appends)

    store.meanwhile = fails
    with capture_logs() as logs:
        await process.sweeper.close_idle()
    assert [log["table"] for log in logs if log["log_level"] == "error"] == [bad]
    assert (await process.read(good)).state.phase is Phase.FINISHED
