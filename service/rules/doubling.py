"""Doubling down.

Rule: on the first two cards of a hand that is not a natural, and never later: the stake is doubled,
the hand takes exactly one card and ends. Double after split where `double_after_split` (DAS);
never on a split ace that gets one card only. `double_on` may narrow it to hard totals.

Options: `double_on`, `double_after_split`, `hit_split_aces`. Source: docs/rules.md, section 4.
"""

from collections.abc import Sequence

from service.rules.hand import Hand
from service.rules.hitting import gets_one_card_only
from service.rules.reasons import Reason
from service.rules.rule_set import DoubleOn, RuleSet
from service.rules.totals import is_two_card_21, total


def refuse_double(rules: RuleSet, hand: Hand, cards: Sequence[str], stack: int) -> Reason | None:
    """Why this open hand may not be doubled, or None.

    `cards` are the hand's own, face up; `stack` is what the seat has left, in minor units.
    """
    if len(cards) != 2:
        return Reason.DOUBLE_NOT_ALLOWED
    if hand.split and (not rules.double_after_split or gets_one_card_only(rules, hand)):
        return Reason.DOUBLE_NOT_ALLOWED
    if not hand.split and is_two_card_21(cards):
        return Reason.DOUBLE_NOT_ALLOWED
    if not may_double_total(rules.double_on, cards):
        return Reason.DOUBLE_NOT_ALLOWED
    if stack < hand.stake:
        return Reason.STACK_TOO_SMALL
    return None


def may_double_total(double_on: DoubleOn, cards: Sequence[str]) -> bool:
    """Whether the option lets these two cards double.

    >>> may_double_total(DoubleOn.HARD_9_TO_11, ["AS", "9D"])
    False
    """
    if double_on is DoubleOn.ANY_TWO:
        return True
    if double_on is DoubleOn.NONE:
        return False
    count, soft = total(cards)
    lowest = 9 if double_on is DoubleOn.HARD_9_TO_11 else 10
    return not soft and lowest <= count <= 11
