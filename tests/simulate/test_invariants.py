"""What must never happen is seen when it does."""

from typing import Any

import pytest
from msgspec.structs import replace

from service.audit.simulate.chance import SimulatedChance
from service.audit.simulate.invariants import Invariants
from service.audit.simulate.player import open_table, play_round
from service.audit.simulate.strategy import read_strategy
from service.rules.options import with_options
from service.rules.presets import PRESETS
from service.table.events import CardDealt, Event, ShoeOpened
from service.table.state import State
from tests.simulate.test_strategy import FILE

RULES = PRESETS["six-deck-h17"]


def a_round(invariants: Invariants) -> tuple[list[Event], State]:
    """The first round of a table."""
    chance = SimulatedChance("run", "table", invariants.rules.decks)
    state = open_table(invariants.rules, chance)
    return play_round(state, chance, read_strategy(FILE, invariants.rules))


def broken(invariants: Invariants, events: list[Event], state: State) -> set[str]:
    return set(invariants.violations(events, state))


def with_changes(state: State, **changes: Any) -> State:
    return replace(state, seats=(replace(state.seats[0], **changes),))


def test_a_correct_round_breaks_nothing() -> None:
    invariants = Invariants(RULES)
    assert broken(invariants, *a_round(invariants)) == set()


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda seat: {"stack": seat.stack + 1}, "chips were created or lost"),
        (lambda seat: {"returned": seat.returned + 50}, "the sums of a round"),
        (lambda seat: {"hands": seat.hands * 5}, "more hands than it may"),
        (
            lambda seat: {
                "hands": tuple(replace(seat.hands[0], cards=("AS", "2S", "3S")) for _ in "12")
            },
            "a split ace",
        ),
    ],
)
def test_a_wrong_seat_is_seen(change: Any, what: str) -> None:
    invariants = Invariants(RULES)
    events, state = a_round(invariants)
    seen = broken(invariants, events, with_changes(state, **change(state.seats[0])))
    assert any(what in one for one in seen)


def test_a_card_too_often_and_a_place_skipped_are_seen() -> None:
    invariants = Invariants(RULES)
    events, state = a_round(invariants)
    last = max(event.position for event in events if isinstance(event, CardDealt))
    extra: list[Event] = [CardDealt(1, 1, "AS", last + 10 + n, "") for n in range(7)]
    assert broken(invariants, events + extra, state) == {
        "a position of the shoe was skipped or dealt twice",
        "a card came out more often than the shoe has it",
    }


def test_a_shoe_that_comes_too_early_too_late_or_within_a_round_is_seen() -> None:
    shoe = ShoeOpened(2, 312, 234, "", "", "", ())
    invariants = Invariants(RULES)
    events, state = a_round(invariants)
    assert broken(invariants, [*events, shoe], state) == {
        "a shoe was opened within a round",
        "a shoe was opened before the cut card came out",
    }
    every_round = Invariants(with_options(RULES, {"penetration": "0"}))
    events, state = a_round(every_round)
    assert broken(every_round, events, state) == set()
    again = replace(state, seats=(replace(state.seats[0], staked=0, returned=0, hands=()),))
    stale: list[Event] = [CardDealt(1, 1, "2S", 40, "")]
    assert "a round was started past the cut card" in broken(every_round, stale, again)
