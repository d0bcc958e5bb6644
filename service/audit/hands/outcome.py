"""The outcome of a hand history, and its differences from what was written."""

from collections.abc import Iterator
from enum import Enum

import msgspec

from service.audit.hands.case import (
    BankerResult,
    Case,
    DealerResult,
    HandResult,
    RoundResult,
    SeatResult,
)
from service.rules.money import chips


class Difference(msgspec.Struct, frozen=True):
    """A difference in a hand history: the place, what is written there, and what was played."""

    place: str
    written: str
    played: str


class Verdict(Enum):
    """The verdict on a hand history."""

    HOLDS = "holds"
    DIFFERS = "differs"


class Outcome(msgspec.Struct, frozen=True):
    """A hand history that was played, and its differences."""

    case: Case
    verdict: Verdict
    differences: tuple[Difference, ...] = ()


def differences(written: RoundResult, played: RoundResult) -> Iterator[Difference]:
    """All differences between two results of a round."""
    pairs = zip(_lines(written, played), _lines(played, written), strict=True)
    for (place, left), (_, right) in pairs:
        if left != right:
            yield Difference(place, left, right)


_NOTHING = "-"


def _lines(result: RoundResult, other: RoundResult) -> Iterator[tuple[str, str]]:
    """A result line by line; a seat or a hand that only `other` has gets an empty one."""
    mine = {seat.seat: seat for seat in result.seats}
    theirs = {seat.seat: seat for seat in other.seats}
    for number in sorted(mine.keys() | theirs.keys()):
        seat = mine.get(number)
        hands = seat.hands if seat else ()
        most = max(len(hands), len(theirs[number].hands) if number in theirs else 0)
        for index in range(most):
            line = _hand(hands[index]) if index < len(hands) else _NOTHING
            yield f"seat {number}, hand {index + 1}", line
        yield f"seat {number}", _seat(seat) if seat else _NOTHING
    yield "dealer", _dealer(result.dealer)
    yield "banker", _banker(result.banker)
    yield "cards used", str(result.cards_used)


def _hand(hand: HandResult) -> str:
    return (
        f"{' '.join(hand.cards)} = {hand.total}, stake {chips(hand.stake)}: "
        f"{hand.result} {chips(hand.net)}"
    )


def _seat(seat: SeatResult) -> str:
    sides = "".join(
        f"{name} {chips(amount)}, "
        for name, amount in (("insurance", seat.insurance), ("pair bets", seat.pair_bets))
        if amount
    )
    return f"{sides}net {chips(seat.net)}, stack {chips(seat.stack)}"


def _banker(banker: BankerResult) -> str:
    said = []
    if banker.net is not None:
        said.append(f"net {chips(banker.net)}")
    if banker.steps_down is not None:
        said.append("steps down" if banker.steps_down else "stays")
    return ", ".join(said) or _NOTHING


def _dealer(dealer: DealerResult) -> str:
    return f"{' '.join(dealer.cards)} = {'soft ' if dealer.soft else ''}{dealer.total}"
