"""From one shoe to the next: nothing of a shoe may tell of another."""

import math

import numpy as np

from tests.randomness.p_values import chi_square, even, poisson
from tests.randomness.shoes import KINDS, Numbers, Shoes

_LAGS = range(1, 17)
_FIRST_CARDS = 4


def first_cards(shoes: Shoes) -> float:
    """Each card comes first as often after each first card of the shoe before.

    Each shoe is in one pair only, so that the pairs are independent.
    """
    firsts = shoes.cards[: shoes.count // 2 * 2, 0].reshape(-1, 2)
    counts: Numbers = np.bincount(firsts[:, 0] * KINDS + firsts[:, 1], minlength=KINDS * KINDS)
    return even(counts)


def alike(shoes: Shoes) -> float:
    """Shoes 1 to 16 apart hold the same card at the same place no more often than by chance.

    Whatever one shoe is, the number of places at which a fair one agrees with it has the same law:
    so these numbers are uncorrelated, and their sums by distance give a chi-square.
    """
    places, copies = shoes.places, shoes.decks
    mean = places / KINDS
    same, other = copies * (copies - 1), copies * copies
    both = KINDS * (same**2 + (KINDS - 1) * other**2) / (places * (places - 1))
    variance = mean + both - mean**2
    total = 0.0
    for lag in _LAGS:
        pairs = shoes.count - lag
        agree = int((shoes.cards[lag:] == shoes.cards[:-lag]).sum())
        total += (agree - pairs * mean) ** 2 / (pairs * variance)
    return chi_square(total, len(_LAGS))


def collisions(shoes: Shoes) -> float:
    """As many pairs of shoes of one pack as should begin with the same four cards."""
    number = np.zeros(shoes.count, dtype=np.int64)
    for place in range(_FIRST_CARDS):
        number = number * KINDS + shoes.cards[:, place]
    _, times = np.unique(number, return_counts=True)
    pairs = int((times * (times - 1) // 2).sum())
    return poisson(pairs, math.comb(shoes.count, 2) / math.perm(KINDS, _FIRST_CARDS))
