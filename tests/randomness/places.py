"""Where cards lie: each card at each place, and how far the cut moved them."""

import numpy as np

from tests.randomness.p_values import chi_square, even, worst
from tests.randomness.shoes import KINDS, Numbers, Shoes


def every_place(shoes: Shoes) -> float:
    """Each card lies at each place as often, all places together.

    A shoe holds each card a fixed number of times, so places are not independent. All covariances
    are alike: a shoe's table of places and cards varies in (places - 1) * 51 directions, in each by
    places / (places - 1) times what independent places would.
    """
    expected = shoes.count / KINDS
    statistic = ((_table(shoes) - expected) ** 2).sum() / expected
    left = shoes.places - 1
    return chi_square(float(statistic) * left / shoes.places, left * (KINDS - 1))


def worst_place(shoes: Shoes) -> float:
    """Each card lies as often at the place where they are least even: one bad place shows."""
    return worst(even(counts) for counts in _table(shoes))


def worst_card(shoes: Shoes) -> float:
    """Each place holds the card as often whose places are least even: one card that stays shows.

    As in `every_place`, for one card: its places vary in places - 1 directions.
    """
    table = _table(shoes)
    expected = shoes.count / KINDS
    spread = places_spread(shoes)
    statistics = ((table - expected) ** 2).sum(axis=0) / expected / spread
    return worst(chi_square(float(statistic), shoes.places - 1) for statistic in statistics)


def places_spread(shoes: Shoes) -> float:
    """The variance of one card's places in each direction, as a part of what is expected."""
    return (1 - 1 / KINDS) * shoes.places / (shoes.places - 1)


def cut(shoes: Shoes) -> float:
    """Cards of one pack move on (around its end) by each number of places as often.

    A pack that is only cut moves all its cards as far. Two different cards of a shoe move by two
    given numbers with the same chance, whichever these are, so all covariances are alike here too.
    """
    moved = (np.arange(KINDS) - shoes.cards) % KINDS
    counts: Numbers = np.bincount(moved.ravel(), minlength=KINDS)
    statistic = ((counts - shoes.count) ** 2).sum() / shoes.count
    return chi_square(float(statistic) * (KINDS - 1) / KINDS, KINDS - 1)


def _table(shoes: Shoes) -> Numbers:
    """How often each place (row) held each card (column)."""
    cells = np.arange(shoes.places) * KINDS + shoes.cards
    counts: Numbers = np.bincount(cells.ravel(), minlength=shoes.places * KINDS)
    return counts.reshape(shoes.places, KINDS)
