"""Doubles and splits.

Source: docs/rules.md, sections 4 and 8.
"""

from service.audit.referee.cards import count, value
from service.audit.referee.coverage import covered
from service.audit.referee.hand import Hand
from service.audit.referee.record import Seat, Table


def gets_one_card_only(table: Table, hand: Hand) -> bool:
    """Whether a hand is a split ace that gets one card only."""
    return hand.split_ace and not table.rules["hit_split_aces"]


def can_split(table: Table, seat: Seat, hand: Hand) -> bool:
    """Whether a hand is a pair that may be split, with a free hand and enough chips."""
    if len(hand.cards) != 2 or len(seat.hands) >= table.rules["max_hands"]:
        return False
    first, second = hand.cards
    alike = first[0] == second[0]
    if table.rules["split_by"] == "value":
        alike = value(first) == value(second)
    resplit_ace = hand.split_ace and not table.rules["resplit_aces"]
    return alike and not resplit_ace and _affordable(table, seat, hand)


def can_double(table: Table, seat: Seat, hand: Hand) -> bool:
    """Whether a hand may double: two cards, a total that the rule set allows, enough chips."""
    rules = table.rules
    if len(hand.cards) != 2 or hand.natural or gets_one_card_only(table, hand):
        return False
    if hand.split and not rules["double_after_split"]:
        return False
    total, soft = count(hand.cards)
    hard_totals = {"hard_9_to_11": (9, 10, 11), "hard_10_11": (10, 11), "none": ()}
    fits = rules["double_on"] == "any_two" or (
        not soft and total in hard_totals[rules["double_on"]]
    )
    return fits and _affordable(table, seat, hand)


def _affordable(table: Table, seat: Seat, hand: Hand) -> bool:
    """Whether the seat can pay its stake again, and the bank can lose it."""
    return seat.stack >= hand.stake and covered(table, hand.stake)
