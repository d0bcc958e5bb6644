"""Coverage: what a rotating banker's stack must be able to pay.

Rule: a bet, double, split or pair bet is legal only while the banker's stack covers the worst case
of all that is at stake: `natural_pays` on each stake not yet dealt and on each natural, 1:1 on
every other hand that has not lost, and the ratio on every open pair bet. Premiums count for the
bank when they are bought, lost stakes only at settlement; so no stack ever goes below zero.

Options: `banker`, `natural_pays`, `pair_bet`. Source: docs/rules.md, section 8.
"""

from service.rules.hand import EndCause, Hand
from service.rules.rule_set import RuleSet

_COSTS_NOTHING = frozenset({EndCause.BUST, EndCause.FORFEITED, EndCause.SURRENDERED})


def stake_risk(rules: RuleSet, stake: int) -> int:
    """The most that the bank can lose on a stake not yet dealt, in minor units."""
    return max(rules.natural_pays.of(stake), stake)


def hand_risk(rules: RuleSet, hand: Hand) -> int:
    """The most that the bank can lose on a hand, in minor units."""
    if hand.ended in _COSTS_NOTHING:
        return 0
    if hand.ended is EndCause.NATURAL:
        return rules.natural_pays.of(hand.stake)
    return hand.stake


def pair_bet_risk(rules: RuleSet, stake: int) -> int:
    """The most that the bank can lose on an open pair bet, in minor units."""
    return rules.pair_bet.of(stake) if rules.pair_bet else 0


def largest_covered_stake(rules: RuleSet, cover: int) -> int:
    """The largest legal stake that `cover` of the banker's stack covers, in minor units, or 0."""
    pays = rules.natural_pays
    limit = min(cover * pays.denominator // pays.numerator, cover)
    limit -= limit % rules.bet_step
    return limit if limit >= rules.min_bet else 0
