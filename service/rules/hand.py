"""A hand on the table, as the rules see it.

Source: docs/rules.md, sections 1, 3 and 4.
"""

from enum import StrEnum

import msgspec


class EndCause(StrEnum):
    """Why a hand takes no more cards."""

    NATURAL = "natural"  # an ace and a ten-value card as the first two
    TWENTY_ONE = "twenty_one"  # a total of 21 ends a hand by itself
    BUST = "bust"  # a total past 21 has lost
    STOOD = "stood"
    DOUBLED = "doubled"  # exactly one card after a double
    SPLIT_ACE = "split_ace"  # a split ace gets one card
    SURRENDERED = "surrendered"
    BONUS = "bonus"  # three sevens
    TIME_OUT = "time_out"  # nobody answered in time: the hand stands
    FORFEITED = "forfeited"  # the player left
    BANKER_LEFT = "banker_left"  # the banker left the running round, and pays


class Result(StrEnum):
    """The result of a settled hand."""

    NATURAL = "natural"
    WIN = "win"
    PUSH = "push"
    LOSE = "lose"
    BUST = "bust"
    SURRENDER = "surrender"
    BONUS = "bonus"
    FORFEIT = "forfeit"


class Action(StrEnum):
    """What a seat can decide."""

    HIT = "hit"
    STAND = "stand"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    INSURE = "insure"
    DECLINE = "decline"


class Hand(msgspec.Struct, frozen=True):
    """One hand: its cards in the order dealt, and what is at stake on it (minor units).

    `split` marks a hand that came from a split. `first_at` is the place in the shoe of a first
    card that lies face down (it stands as `??` in `cards`), or -1. `result` and `returned` (minor
    units, the stake included) are set by the settlement.
    """

    cards: tuple[str, ...]
    stake: int
    split: bool = False
    doubled: bool = False
    first_at: int = -1
    ended: EndCause | None = None
    result: Result | None = None
    returned: int = 0
