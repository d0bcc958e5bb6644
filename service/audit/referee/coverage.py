"""What a rotating banker's stack must cover.

In the worst case every stake that is not dealt yet becomes a natural, every natural and every other
hand wins, and every open pair bet wins. A hand that is bust, forfeited or surrendered can't win.

Source: docs/rules.md, section 8.
"""

from service.audit.referee.hand import Hand
from service.audit.referee.record import Plain, Seat, Table


def covered(table: Table, more: int) -> bool:
    """Whether the bank can lose this amount in addition; a house always can."""
    return not table.rotates or more <= unclaimed(table)


def unclaimed(table: Table) -> int:
    """What is left of the banker's stack in the worst case of everything at stake."""
    return table.seats[table.banker].stack - sum(
        _worst_of(table, seat) for seat in table.seats.values()
    )


def worst_of_bet(table: Table, stake: int, pair_bets: int) -> int:
    """The most that a stake before the deal, with pair bets of this total, can cost the bank."""
    natural = _times(table.rules["natural_pays"], stake)
    return max(natural, stake) + _worst_of_pair_bets(table, pair_bets)


def _worst_of(table: Table, seat: Seat) -> int:
    pair_bets = sum(seat.pair_bets.values())
    if not seat.hands:
        return worst_of_bet(table, seat.stake, pair_bets)
    return sum(_worst_of_hand(table, hand) for hand in seat.hands) + _worst_of_pair_bets(
        table, pair_bets
    )


def _worst_of_hand(table: Table, hand: Hand) -> int:
    if hand.bust or hand.lost or hand.ended == "surrendered":
        return 0
    return _times(table.rules["natural_pays"], hand.stake) if hand.natural else hand.stake


def _worst_of_pair_bets(table: Table, chips: int) -> int:
    ratio = table.rules["pair_bet"]
    return _times(ratio, chips) if ratio else 0


def _times(ratio: Plain, chips: int) -> int:
    return int(chips * ratio["numerator"] // ratio["denominator"])
