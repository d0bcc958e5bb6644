"""What the rules let everybody learn of a hidden card, so that games may part there.

Public outcomes disclose what they imply: that the dealer has no natural, that a hand with a hidden
first card is one, or has ended, or won a pair bet, or could be doubled or split. A card that is
turned up or dealt discloses itself. Nothing else may depend on what lies face down.
"""

from collections.abc import Mapping
from itertools import zip_longest
from typing import NamedTuple

from service.rules.hand import Action
from service.rules.reasons import Refused
from service.table.commands import Act, Command
from service.table.events import (
    DealerPeeked,
    Event,
    FirstCardTurned,
    HandEnded,
    HoleCardTurned,
    PairBetSettled,
)
from service.table.state import State

Told = Refused | tuple[Event, ...]


class Leak(AssertionError):
    """Two tables that must look the same do not."""


class Secrets(NamedTuple):
    """In what two games differ: the hole card or not, the hidden first cards of these seats, every
    place of the shoe from `undealt` on; and the players who see one of these cards."""

    hole: bool
    seats: frozenset[int]
    undealt: int
    owners: frozenset[str]

    @classmethod
    def of(cls, state: State, changed: Mapping[int, str]) -> "Secrets":
        """For changed places, with who may look there."""
        return cls(
            state.dealer.hole_at in changed,
            frozenset(s.number for s in state.dealt_in if s.hands[0].first_at in changed),
            state.shoe.dealt,
            frozenset(changed.values()) - {""},
        )


def disclosed(secrets: Secrets, command: Command, one: Told, other: Told) -> bool:
    """Whether the first difference in what two games tell of a command is one that the rules
    make."""
    if isinstance(one, Refused) or isinstance(other, Refused):
        if not isinstance(command, Act) or command.player not in secrets.owners:
            return False
        alone = isinstance(one, Refused) and isinstance(other, Refused)  # nobody else hears of it
        return alone or command.action in (Action.DOUBLE, Action.SPLIT)
    for pair in zip_longest(one, other):
        if pair[0] != pair[1]:
            return _discloses(secrets, *pair)
    return True


def _discloses(secrets: Secrets, one: Event | None, other: Event | None) -> bool:
    match one, other:
        case DealerPeeked(), DealerPeeked():
            return secrets.hole
        case HoleCardTurned(), HoleCardTurned():
            return secrets.hole and one.position == other.position
    if any(_tells_of_first_card(secrets, event) for event in (one, other)):
        return True
    position = getattr(one, "position", -1)
    is_dealt = hasattr(one, "card") and position >= secrets.undealt
    return is_dealt and type(one) is type(other) and position == getattr(other, "position", -1)


def _tells_of_first_card(secrets: Secrets, event: Event | None) -> bool:
    match event:
        case FirstCardTurned() | HandEnded():
            return event.seat in secrets.seats
        case PairBetSettled():
            return event.on in secrets.seats
    return False
