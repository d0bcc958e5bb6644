"""The dealer's rule against the exact table: every way that the dealer's hand can go, weighed.

No simulation and no tolerance but that of the published digits: a dealer who draws or stands on one
total that he should not differs at once.
"""

from functools import cache
from typing import Any

import pytest
import yaml

from service.rules.cards import PIPS
from service.rules.dealer_play import dealer_draws
from service.rules.presets import PRESETS
from service.rules.rule_set import RuleSet
from service.rules.totals import is_two_card_21, total
from tests.truth.runs import TRUTH

CARD_OF = {PIPS[card]: card for card in ("AS", *(f"{n}S" for n in range(2, 10)), "TS")}
Finals = dict[int | str, float]


def finals(rules: RuleSet, upcard: int) -> Finals:
    """The probability of each final of a dealer who plays alone from a shoe less this upcard."""
    full = {pips: rules.decks * (16 if pips == 10 else 4) for pips in CARD_OF}

    @cache
    def play(drawn: tuple[int, ...]) -> tuple[tuple[int | str, float], ...]:
        cards = [CARD_OF[pips] for pips in (upcard, *drawn)]
        if is_two_card_21(cards):
            return (("natural", 1.0),)
        if len(cards) > 1 and not dealer_draws(rules, cards):
            count = total(cards)[0]
            return ((count if count <= 21 else "bust", 1.0),)
        left = {pips: n - (upcard, *drawn).count(pips) for pips, n in full.items()}
        whole = sum(left.values())
        result: Finals = {}
        for pips, n in left.items():
            # The order of what was drawn changes nothing, except that a natural has two cards.
            path = (*drawn, pips) if not drawn else tuple(sorted((*drawn, pips)))
            for final, share in play(path):
                result[final] = result.get(final, 0.0) + share * n / whole
        return tuple(result.items())

    return dict(play(()))


@pytest.mark.parametrize("preset", ["six-deck-h17", "twenty-rounds", "four-deck-vegas"])
def test_the_dealer_comes_to_each_total_as_often_as_the_exact_table_says(preset: str) -> None:
    known: dict[str, Any] = yaml.safe_load(TRUTH.read_text())["presets"][preset]
    for name, shares in known["dealer_table_exact"].items():
        if name in ("about", "all"):
            continue
        found = finals(PRESETS[preset], {"A": 1, "T": 10}.get(name) or int(name))
        order = (17, 18, 19, 20, 21, "natural", "bust")
        assert [found.get(final, 0.0) for final in order] == pytest.approx(shares, abs=6e-9)
