"""Late surrender.

Rule: only as a seat's very first decision on its first two cards, in its own turn, after insurance
and peek; half the stake comes back. Never on a split hand.

Options: `surrender`. Source: docs/rules.md, section 4.
"""

from collections.abc import Sequence

from service.rules.hand import Hand
from service.rules.reasons import Reason
from service.rules.rule_set import RuleSet, Surrender


def refuse_surrender(rules: RuleSet, hand: Hand, cards: Sequence[str]) -> Reason | None:
    """Why this open hand may not be surrendered, or None: two cards of an unsplit hand that is
    still open are a seat's first decision."""
    if rules.surrender is not Surrender.LATE or len(cards) != 2 or hand.split:
        return Reason.SURRENDER_NOT_ALLOWED
    return None
