"""Hit and stand.

Rule: a hit takes one card; standing ends the hand. A split ace gets one card only, unless
`hit_split_aces`.

Options: `hit_split_aces`. Source: docs/rules.md, section 4.
"""

from service.rules.hand import Hand
from service.rules.reasons import Reason
from service.rules.rule_set import RuleSet


def gets_one_card_only(rules: RuleSet, hand: Hand) -> bool:
    """Whether the hand is a split ace that gets one card and no more.

    A split hand has turned up both its cards, so its first card is never face down here.
    """
    return hand.split and not rules.hit_split_aces and hand.cards[0][0] == "A"


def refuse_hit(rules: RuleSet, hand: Hand) -> Reason | None:
    """Why this open hand may not be hit, or None."""
    return Reason.HIT_NOT_ALLOWED if gets_one_card_only(rules, hand) else None
