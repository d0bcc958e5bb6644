"""How the dealer plays.

Rule: the dealer draws only if some hand's result depends on it; to 16, stands on hard 17 and more,
and on soft 17 does as `soft_17` says (S17, H17). There is no limit on cards, and being ahead of a
seat changes nothing.

Options: `soft_17`. Source: docs/rules.md, section 3.
"""

from collections.abc import Sequence

from service.rules.hand import EndCause, Hand
from service.rules.rule_set import RuleSet, Soft17
from service.rules.totals import total

_SETTLED_WITHOUT_DEALER = frozenset(
    {EndCause.BUST, EndCause.SURRENDERED, EndCause.NATURAL, EndCause.BONUS, EndCause.FORFEITED}
)


def depends_on_dealer(hand: Hand) -> bool:
    """Whether the result of a hand still depends on the dealer's draw.

    A natural depends on the dealer's first two cards alone, so no draw can change it.
    """
    return hand.ended not in _SETTLED_WITHOUT_DEALER


def dealer_draws(rules: RuleSet, cards: Sequence[str]) -> bool:
    """Whether the dealer takes another card on these."""
    count, soft = total(cards)
    if count == 17 and soft:
        return rules.soft_17 is Soft17.HIT
    return count < 17
