"""Splitting pairs.

Rule: two cards of the same rank, or of the same value, may be split, up to `max_hands` hands. A
further stake goes on the new hand, which stands immediately to the right of the split one. Each of
the two gets its second card when its turn comes. Split aces get one card each and end, unless
`hit_split_aces` (HSA). A-A after a split may be split again only when `resplit_aces` (RSA); then,
without `hit_split_aces`, it may split or stand, and ends by itself when no split is possible.

Options: `split_by`, `max_hands`, `hit_split_aces`, `resplit_aces`.
Source: docs/rules.md, section 4.
"""

from collections.abc import Sequence

from service.rules.cards import pips
from service.rules.hand import Hand
from service.rules.hitting import gets_one_card_only
from service.rules.reasons import Reason
from service.rules.rule_set import RuleSet, SplitBy


def is_pair(split_by: SplitBy, cards: Sequence[str]) -> bool:
    """Whether two cards may be split under this option.

    >>> is_pair(SplitBy.RANK, ["TS", "KH"]), is_pair(SplitBy.VALUE, ["TS", "KH"])
    (False, True)
    """
    if len(cards) != 2:
        return False
    left, right = cards
    return left[0] == right[0] if split_by is SplitBy.RANK else pips(left) == pips(right)


def refuse_split(
    rules: RuleSet, hand: Hand, cards: Sequence[str], hands: int, stack: int
) -> Reason | None:
    """Why this open hand may not be split, or None.

    `cards` are the hand's own, face up; `hands` is how many the seat has already; `stack` is what
    it has left, in minor units.
    """
    if not is_pair(rules.split_by, cards) or hands >= rules.max_hands:
        return Reason.SPLIT_NOT_ALLOWED
    if hand.split and cards[0][0] == "A" and not rules.resplit_aces:
        return Reason.SPLIT_NOT_ALLOWED
    if stack < hand.stake:
        return Reason.STACK_TOO_SMALL
    return None


def ends_as_split_ace(
    rules: RuleSet, hand: Hand, hands: int, stack: int, covered: bool = True
) -> bool:
    """Whether a split ace with its second card ends by itself: unless it may be split again.

    `covered` says whether a rotating bank covers one more stake; a house covers all.
    """
    refused = refuse_split(rules, hand, hand.cards, hands, stack)
    return gets_one_card_only(rules, hand) and (refused is not None or not covered)
