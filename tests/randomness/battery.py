"""The battery: every test over the shuffled order, and the verdict over all of them.

Each test gives a p-value: how often a fair shuffle looks as odd, or odder, to this test. The
battery as a whole may reject a fair shuffle once in a hundred times, so each of its *n* p-values is
held against 0.01 / n (Bonferroni): the chance that any of them is below can't be more than 0.01,
however the tests depend on each other, and they do, as they look at the same shoes.
"""

from collections.abc import Callable, Iterable, Mapping

from tests.randomness import across, orders, pairs, places
from tests.randomness.shoes import Shoes

ALPHA = 0.01
"""How often the whole battery may reject a fair shuffle."""

Test = Callable[[Shoes], float]

ANY_SHOE: dict[str, Test] = {
    "every place": places.every_place,
    "worst place": places.worst_place,
    "worst card": places.worst_card,
    "neighbours": pairs.neighbours,
    "kept together": pairs.kept_together,
    "ascents": pairs.ascents,
    "serial correlation": pairs.serial_correlation,
    "colour runs": orders.colour_runs,
    "small decks": orders.small_decks,
    "ace gaps": orders.ace_gaps,
    "first cards": across.first_cards,
    "alike": across.alike,
}

ONE_PACK: dict[str, Test] = {
    "cut": places.cut,
    "five places": orders.five_places,
    "collisions": across.collisions,
}
"""Those that need each card to be there once."""


def p_values(samples: Iterable[Shoes]) -> dict[str, float]:
    """The p-value of each test on each sample, by a name that tells both."""
    return {
        f"{name}, {shoes.decks} decks": test(shoes)
        for shoes in samples
        for name, test in (ANY_SHOE | (ONE_PACK if shoes.decks == 1 else {})).items()
    }


def rejected(found: Mapping[str, float]) -> dict[str, float]:
    """The p-values that a fair shuffle does not give, at 99 % for all of them together."""
    return {name: p for name, p in found.items() if p < ALPHA / len(found)}
