"""A hand history after it has been read.

Amounts are minor units, except a stake that has not been bet yet: it stays as written until the
table decides, so that `NaN` or `-5` is refused where a client's would be. Seats and hands count
from 1; `DEALER` is the dealer's number in `play`.
"""

from typing import Literal, get_args

import msgspec

from service.rules.hand import Result
from service.rules.rule_set import RuleSet

DEALER = 0

Do = Literal[
    "hit", "stand", "double", "split", "surrender", "insure", "decline", "time_out", "leave"
]
DEEDS: tuple[str, ...] = get_args(Do)


class Step(msgspec.Struct, frozen=True):
    """One line of `play`. `hand` is 0 if none is named; `refused` means that the action must be
    refused."""

    line: int
    seat: int
    do: Do
    hand: int
    refused: bool


class SeatScript(msgspec.Struct, frozen=True):
    """A seat before the deal: its stack, and its stakes as written (pair bets by seat)."""

    seat: int
    stack: int
    bet: str
    pair_bets: tuple[tuple[int, str], ...]


class HandResult(msgspec.Struct, frozen=True):
    """The result of one hand."""

    cards: tuple[str, ...]
    total: int
    stake: int
    result: Result
    net: int


class SeatResult(msgspec.Struct, frozen=True):
    """The result of one seat; `insurance` and `pair_bets` are nets."""

    seat: int
    hands: tuple[HandResult, ...]
    insurance: int
    pair_bets: int
    net: int
    stack: int


class DealerResult(msgspec.Struct, frozen=True):
    """The dealer's cards when the round is over, and their total."""

    cards: tuple[str, ...]
    total: int
    soft: bool


class BankerResult(msgspec.Struct, frozen=True):
    """The result of a round for a rotating banker; None: nothing is asserted."""

    net: int | None = None
    steps_down: bool | None = None


class RoundResult(msgspec.Struct, frozen=True):
    """The outcome of a round, as written or as played."""

    seats: tuple[SeatResult, ...]
    dealer: DealerResult
    cards_used: int
    banker: BankerResult = BankerResult()


class OneRound(msgspec.Struct, frozen=True):
    """The form with `seats`: one round and its full outcome."""

    seats: tuple[SeatScript, ...]
    cards: tuple[str, ...]
    play: tuple[Step, ...]
    result: RoundResult


class Bet(msgspec.Struct, frozen=True):
    """One line of `bets`: a stake that a seat with this stack may or may not bet."""

    line: int
    stack: int
    stake: str
    accepted: bool


class Bets(msgspec.Struct, frozen=True):
    """The form with `bets`: each is tried alone, as the opening bet."""

    bets: tuple[Bet, ...]


class ShortRound(msgspec.Struct, frozen=True):
    """One entry of `rounds`."""

    line: int
    bet: str
    cards: tuple[str, ...]
    play: tuple[Step, ...]
    stack_after: int


class Rounds(msgspec.Struct, frozen=True):
    """The form with `rounds`: one seat plays them one after the other, and the shoe goes on."""

    stack: int
    rounds: tuple[ShortRound, ...]


class Case(msgspec.Struct, frozen=True):
    """A hand history; `rules` are those of the preset with the case's options applied.

    `banker_stack` matters only at tables with a rotating banker.
    """

    id: str
    title: str
    line: int
    preset: str
    rules: RuleSet
    banker_stack: int
    script: OneRound | Bets | Rounds
