"""Hands that win at once.

Source: docs/rules.md, section 6.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from service.audit.referee.hand import Hand


class Bonus(NamedTuple):
    """The ratio that is paid, and whether the hand also wins against a dealer natural."""

    ratio: Mapping[str, int]
    beats_natural: bool


def bonus_of(rules: Mapping[str, Any], hand: Hand) -> Bonus | None:
    """The bonus of a hand, whatever the dealer draws; None if it has none."""
    sevens = rules["triple_sevens"]
    if sevens is not None and not hand.split and [card[0] for card in hand.cards] == ["7"] * 3:
        suits = {card[1] for card in hand.cards}
        return Bonus(sevens["suited" if len(suits) == 1 else "mixed"], beats_natural=True)
    return None
