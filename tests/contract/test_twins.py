"""Two tables that differ only in hidden cards look the same to everybody, byte by byte."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from service.api.table_mapping import table_to_wire
from service.app.codec import to_text
from service.app.engine import Engine
from service.app.ports import Head
from service.rules.cards import packs
from service.rules.hand import Action
from service.rules.presets import PRESETS
from service.rules.reasons import Refused
from service.rules.totals import is_two_card_21
from service.table.chance import Opening
from service.table.commands import Act, Command, OpenTable, PlaceBet
from service.table.decide import play
from service.table.events import Event, HoleCardDealt
from service.table.state import Phase, State, initial_state
from tests.contract.player import bytes_of


class Script:
    """A shoe in a given order; seeds and salts say nothing."""

    def __init__(self, cards: Sequence[str]) -> None:
        self._cards = cards

    def open(self, _shoe: int, _seeds: Sequence[str]) -> Opening:
        return Opening("", "commitment")

    def card(self, _shoe: int, position: int) -> str:
        return self._cards[position]

    def salt(self, _shoe: int, position: int) -> str:
        return f"salt {position}"

    def reveal(self, _shoe: int) -> str:
        return "seed"


class Twin:
    """One of the two tables."""

    def __init__(self, preset: str, cards: Sequence[str]) -> None:
        self._preset = preset
        self._chance: Any = Script(cards)
        self.state: State = initial_state(PRESETS[preset])
        self.events: tuple[Event, ...] = ()

    def play(self, command: Command) -> str:
        """What is told of a command: its events, or why it is refused."""
        try:
            self.events, self.state = play(self.state, command, self._chance, 1)
        except Refused as refused:
            return f"{refused.reason} {refused.message} {refused.details}"
        return to_text(self.events)

    def seen_by(self, viewer: str) -> bytes:
        rules = to_text(PRESETS[self._preset])
        head = Head("t", "o", "ann", self._preset, rules, 0, 1, b"", "", 1, 1, 1, 0, 0)
        return bytes_of(table_to_wire(Engine(head, self.state, self._chance, self.events), viewer))


def twin_orders(random: Random, decks: int, hole: int) -> tuple[list[str], list[str]]:
    """Two orders that agree in the three cards that will lie face up, and in nothing else."""
    cards = list(packs(decks))
    random.shuffle(cards)
    up = [place for place in range(4) if place != hole]
    rest = [card for place, card in enumerate(cards) if place not in up]
    random.shuffle(rest)
    other = list(cards)
    for place in range(len(cards)):
        if place not in up:
            other[place] = rest.pop()
    return cards, other


@pytest.mark.parametrize("preset", ["six-deck-h17", "twenty-rounds", "four-deck-vegas"])
def test_twins_look_the_same(preset: str) -> None:
    random = Random(preset)
    rules = PRESETS[preset]
    compared = insured = 0
    for _ in range(250):
        hole = 1 if rules.hole_card == "first" else 3
        orders = twin_orders(random, rules.decks, hole)
        if any(is_two_card_21([order[1], order[3]]) for order in orders):
            continue
        twins = [Twin(preset, order) for order in orders]
        commands: list[Command] = [
            OpenTable("ann", preset, rules),
            PlaceBet("ann", 1, 1_000),
            Act("ann", "1-0-0", Action.HIT),
            Act("ann", "1-0-0", Action.DECLINE),
            Act("ann", "1-9-9", Action.STAND),
            Act("ann", "1-1-0", Action.INSURE),
        ]
        for command in commands:
            told = [twin.play(command) for twin in twins]
            if twins[0].state.phase is Phase.SETTLED:
                break
            assert told[0] == told[1]
            for viewer in ("ann", "bob", ""):
                assert twins[0].seen_by(viewer) == twins[1].seen_by(viewer)
            if isinstance(command, PlaceBet):
                (dealt,) = [one for one in twins[0].events if isinstance(one, HoleCardDealt)]
                assert dealt.position == hole
                compared += 1
                insured += twins[0].state.phase is Phase.INSURANCE
    assert compared > 150
    assert insured > 3
