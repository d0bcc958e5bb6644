"""Clocks that are set and services that are away: a decision lasts as long as it was served."""

from random import Random
from typing import Any

import msgspec
import pytest

from service.audit.referee import review
from service.journal.codec import command_of, events_of
from service.journal.serving_time import (
    LONGEST_PAUSE,
    SECOND,
    TRUSTED,
    Beat,
    Interruption,
    interruption,
    reached,
)
from service.journal.text import to_text
from service.table.causes import InterruptionCause
from service.table.commands import SetReady, TakeSeat, TimeOut
from service.table.deciding.giving_back import MOST_TIMES, RETURN_SECONDS
from service.table.events import DeadlineSet, TimeGivenBack
from service.table.phase import Phase
from tests.deadlines.stepping import TimedProcess, World, world_of_its_own

TICK = 0.25
LIMIT = 10
"""Seconds of every decision."""
BEATS = 1.3
"""What is known of the beginning of an interruption: the beat before it, in seconds."""


async def match(process: TimedProcess) -> str:
    """A ranked match of two who never answer."""
    clocks: dict[str, Any] = {
        "bet_seconds": LIMIT,
        "insurance_seconds": LIMIT,
        "turn_seconds": LIMIT,
    }
    table = await process.open(max_seats=2, min_seats=2, penetration=50, rounds=60, **clocks)
    for player in ("ann", "bob"):
        await process.send(table, f"seat-{player}", TakeSeat(player))
    if (await process.read(table)).state.phase is Phase.WAITING:
        for player in ("ann", "bob"):
            await process.send(table, f"ready-{player}", SetReady(player))
    return table


@pytest.mark.parametrize("seed", range(12))
async def test_a_decision_lasts_as_long_as_it_was_served(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    random = Random(seed)
    with world_of_its_own(monkeypatch) as world:
        processes = [TimedProcess(world), TimedProcess(world)]
        for process in processes:
            await process.look()
        table = await match(processes[0])
        served, steps_back, ended, version = 0.0, 0, 0, 0
        while ended < 15:
            world.pass_by(TICK)
            served += TICK
            chance = random.random()
            if chance < 0.01:
                seconds = random.choice((4, 60, 3600)) * random.choice((-1, 1))
                steps_back += seconds < 0
                world.step(seconds)
            elif chance < 0.02:
                world.pass_by(random.choice((4, 11, 600)))
                if random.random() < 0.5:
                    processes = [TimedProcess(world), TimedProcess(world)]
            for process in processes if random.random() < 0.9 else processes[:1]:
                await process.look()
            rows = (await world.store.journal_of(table))[version:]
            for row in rows:
                version = row.version
                events = events_of(row.events)
                if command_of(row.command) == TimeOut():
                    assert served >= LIMIT - 2 * TICK - 1
                    most = MOST_TIMES * (RETURN_SECONDS + BEATS) + (steps_back + 1) * BEATS
                    assert served <= LIMIT / 0.9 + most
                    ended += 1
                if any(isinstance(event, DeadlineSet) for event in events):
                    served, steps_back = 0.0, 0
        await _is_right(world, table)


async def _is_right(world: World, table: str) -> None:
    """The referee agrees, time never goes back, and no interruption counts twice."""
    rows = await world.store.journal_of(table)
    assert [row.at for row in rows] == sorted(row.at for row in rows)
    events = [event for row in rows for event in events_of(row.events)]
    given = [(event.from_at, event.to_at) for event in events if isinstance(event, TimeGivenBack)]
    assert given
    assert len(set(given)) == len(given)
    recorded = await world.store.interruptions(1000)
    assert set(given) <= {(one.from_at, one.to_at) for one in recorded}
    log = msgspec.json.decode(to_text(tuple(events)))
    head = await world.store.head(table)
    assert head is not None
    assert review(msgspec.json.decode(head.rule_set), log) == []


@pytest.mark.parametrize("seconds", [3600, -3600, 86_400 * 400, -86_400 * 400])
async def test_whoever_has_twelve_seconds_left_has_them_after_a_step(
    monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    with world_of_its_own(monkeypatch) as world:
        first, second = TimedProcess(world), TimedProcess(world)
        for process in (first, second):
            await process.look()
        table = await match(first)
        before = await first.read(table)
        world.step(seconds)
        world.pass_by(TICK)
        for process in (first, second, first):
            await process.look()
        after = await second.read(table)
        left = after.head.deadline - second.time.now()
        assert LIMIT - 1 <= left / SECOND <= LIMIT + 1
        shown = second.time.by_the_databases_clock(after.head.deadline) - world.database()
        assert abs(shown - left) <= SECOND
        rows = (await world.store.journal_of(table))[before.head.version :]
        given: list[Any] = [event for row in rows for event in events_of(row.events)]
        assert [type(event) for event in given] == [TimeGivenBack] * (seconds > 0)
        if seconds > 0:
            assert given[0].cause is InterruptionCause.CLOCK_STEP
        for _ in range(int((LIMIT - 2) / TICK)):
            world.pass_by(TICK)
            await second.look()
        assert (await second.read(table)).head.version == after.head.version


@pytest.mark.parametrize("left", [1, 1800, 3600])
async def test_a_clock_that_is_set_ends_no_token(
    monkeypatch: pytest.MonkeyPatch, left: int
) -> None:
    with world_of_its_own(monkeypatch) as world:
        process = TimedProcess(world)
        await process.look()
        now = process.time.now()
        world.step(3600)
        await process.look()
        ends = process.time.lasting_until(now + left * SECOND)
        assert ends - process.time.now() == left * SECOND
        later = process.time.now() + 60 * SECOND
        assert process.time.lasting_until(later) == later


async def test_a_table_without_a_clock_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with world_of_its_own(monkeypatch) as world:
        process = TimedProcess(world)
        await process.look()
        table = await process.open()
        for seconds in (3600, -3600):
            world.step(seconds)
            await process.look()
            world.pass_by(100)
            await process.look()
        assert len(await world.store.journal_of(table)) == 1


async def test_who_sleeps_with_the_machine_was_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process's monotonic clock stands meanwhile, its boot time runs on."""
    with world_of_its_own(monkeypatch) as world:
        process = TimedProcess(world)
        await process.look()
        world.pass_by(600)
        await process.look()
        (found,) = process.time.interruptions
        assert found.cause is InterruptionCause.OUTAGE


async def test_whoever_hears_nothing_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others may have found an interruption that this process does not know of."""
    with world_of_its_own(monkeypatch) as world:
        process, other = TimedProcess(world), TimedProcess(world)
        for one in (process, other):
            await one.look()
        table = await match(process)
        last = process.time.now()
        world.pass_by(LIMIT + 1)
        await other.time.refresh(world.store)
        assert process.time.now() == last + TRUSTED
        assert TRUSTED < LONGEST_PAUSE
        await process.sweeper.sweep()
        assert command_of((await world.store.journal_of(table))[-1].command) != TimeOut()


def test_the_time_line_never_goes_back_and_has_the_clock_catch_up() -> None:
    last = Beat(1000 * SECOND, 1000 * SECOND)
    assert reached(last, 1001 * SECOND) == 1001 * SECOND
    assert reached(last, 400 * SECOND) == last.reached
    ahead = Beat(1000 * SECOND, 400 * SECOND)
    assert reached(ahead, 401 * SECOND) == 1000 * SECOND + 900_000
    assert reached(ahead, 900 * SECOND) == 1000 * SECOND  # the clock is set forward, or all away
    assert interruption(ahead, 900 * SECOND, SECOND) is None
    assert reached(ahead, 1500 * SECOND) == 1500 * SECOND
    assert interruption(ahead, 1500 * SECOND, SECOND) == Interruption(
        1000 * SECOND, 1500 * SECOND, InterruptionCause.CLOCK_STEP
    )


@pytest.mark.parametrize(
    ("passed", "watched", "cause"),
    [
        (2.9, 0.5, None),
        (3.1, 3.1, InterruptionCause.OUTAGE),
        (3.1, None, InterruptionCause.OUTAGE),
        (3600, 0.5, InterruptionCause.CLOCK_STEP),
        (3600, 3599, InterruptionCause.OUTAGE),
    ],
)
def test_what_an_interruption_is(
    passed: float, watched: float | None, cause: InterruptionCause | None
) -> None:
    last = Beat(1000 * SECOND, 1000 * SECOND)
    own = None if watched is None else round(watched * SECOND)
    found = interruption(last, last.clock + round(passed * SECOND), own)
    assert (found and found.cause) == cause
