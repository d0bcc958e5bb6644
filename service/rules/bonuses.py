"""Triple sevens and the pair bet.

Rule, triple sevens: an unsplit hand whose first three cards are three sevens ends at once and wins
whatever the dealer has: the `mixed` ratio, or the `suited` one when all are of one suit. A hand
that doubled on 7-7 counts, on its doubled stake.

Rule, pair bet: a side bet on a seat's first two cards being of one rank (10-J is not a pair). It is
settled right after the deal, and comes back if that seat is not dealt in.

Options: `triple_sevens`, `pair_bet`. Source: docs/rules.md, sections 6 and 8.
"""

from collections.abc import Sequence
from typing import NamedTuple

from service.rules.money import Ratio
from service.rules.rule_set import RuleSet


class Bonus(NamedTuple):
    """What a hand that ends at once has won: the ratio, and whether it stands against a dealer
    natural."""

    pays: Ratio
    beats_natural: bool


def bonus_of(rules: RuleSet, cards: Sequence[str], split: bool) -> Bonus | None:
    """The bonus that these cards earn at once, or None."""
    bonus = rules.triple_sevens
    if bonus is None or split or len(cards) != 3 or any(card[0] != "7" for card in cards):
        return None
    of_one_suit = len({card[1] for card in cards}) == 1
    return Bonus(bonus.suited if of_one_suit else bonus.mixed, beats_natural=True)


def is_pair_of_rank(cards: Sequence[str]) -> bool:
    """Whether a pair bet on these first two cards is won."""
    return cards[0][0] == cards[1][0]


def pair_bet_returns(ratio: Ratio, stake: int, won: bool) -> int:
    """What comes back of a pair bet, the stake included, in minor units."""
    return stake + ratio.of(stake) if won else 0
