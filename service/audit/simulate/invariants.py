"""Invariants: what must be true in every single round, whatever the cards.

A seat has at most `max_hands` hands. A split ace gets exactly one more card, unless
`hit_split_aces`. Chips are conserved. No card comes out more often than the shoe has it since it
was opened, and no position of the shoe is skipped. A shoe is opened before the first card of a
round, if and only if the cut card has come out.
"""

from collections.abc import Sequence
from typing import Any

from service.rules.rule_set import RuleSet
from service.rules.shoe import cut_card
from service.table.events import (
    CardDealt,
    DealerCardDealt,
    Event,
    FirstCardDealt,
    FirstCardTurned,
    HoleCardDealt,
    HoleCardTurned,
    ShoeOpened,
    StackRefilled,
)
from service.table.state import Seat, State

_SHOWS_A_CARD = frozenset({CardDealt, DealerCardDealt, FirstCardTurned, HoleCardTurned})
_LEAVES_THE_SHOE = frozenset({CardDealt, DealerCardDealt, FirstCardDealt, HoleCardDealt})


class Invariants:
    """Checks one table with one seat, round by round."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._cut_card = cut_card(rules)
        self._stack = rules.starting_stack
        self._next_position = 0
        self._no_shoe_yet = True
        self._seen: dict[str, int] = {}

    def violations(self, events: Sequence[Event], state: State) -> list[str]:
        """The invariants that a settled round violates, as sentences; normally none."""
        broken: list[str] = []
        self._watch_the_course(events, broken)
        seat = state.seats[0]
        if len(seat.hands) > 1:
            self._watch_split_hands(seat, broken)
        at_stake = came_back = 0
        for hand in seat.hands:
            at_stake += hand.stake
            came_back += hand.returned
        if (
            seat.staked != at_stake + seat.insurance
            or seat.returned != came_back + seat.insurance_returned
        ):
            broken.append("the sums of a round are not those of its hands")
        if seat.stack != self._stack - seat.staked + seat.returned:
            broken.append("chips were created or lost")
        self._stack = seat.stack
        return broken

    def _watch_the_course(self, events: Sequence[Event], broken: list[str]) -> None:
        started = fresh = False
        seen = self._seen
        event: Any
        for event in events:
            kind = type(event)
            if kind in _LEAVES_THE_SHOE:
                if not started and not fresh and self._next_position >= self._cut_card:
                    broken.append("a round was started past the cut card")
                started = True
                if event.position != self._next_position:
                    broken.append("a position of the shoe was skipped or dealt twice")
                self._next_position = event.position + 1
            elif kind is ShoeOpened:
                if started:
                    broken.append("a shoe was opened within a round")
                if not self._no_shoe_yet and self._next_position < self._cut_card:
                    broken.append("a shoe was opened before the cut card came out")
                self._no_shoe_yet = False
                fresh = True
                self._next_position = 0
                seen.clear()
            elif kind is StackRefilled:
                self._stack = event.stack
            if kind in _SHOWS_A_CARD:
                count = seen[event.card] = seen.get(event.card, 0) + 1
                if count > self.rules.decks:
                    broken.append("a card came out more often than the shoe has it")

    def _watch_split_hands(self, seat: Seat, broken: list[str]) -> None:
        if len(seat.hands) > self.rules.max_hands:
            broken.append("a seat had more hands than it may")
        if not self.rules.hit_split_aces and any(
            hand.cards[0][0] == "A" and len(hand.cards) != 2 for hand in seat.hands
        ):
            broken.append("a split ace did not get exactly one card")
