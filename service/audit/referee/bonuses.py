"""Hands that have won at once, read from section 6 of the rules of play."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from service.audit.referee.hand import Hand


class Bonus(NamedTuple):
    """The ratio that is paid, and whether a dealer natural leaves it so."""

    ratio: Mapping[str, int]
    beats_natural: bool


def bonus_of(rules: Mapping[str, Any], hand: Hand) -> Bonus | None:
    """What a hand has won, whatever the dealer draws."""
    sevens = rules["triple_sevens"]
    if sevens is not None and not hand.split and [card[0] for card in hand.cards] == ["7"] * 3:
        suits = {card[1] for card in hand.cards}
        return Bonus(sevens["suited" if len(suits) == 1 else "mixed"], beats_natural=True)
    return None
