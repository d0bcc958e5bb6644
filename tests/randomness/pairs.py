"""Cards that lie one, two … places apart, and what their counts should be.

The pairs of one shoe are not independent: what follows a card can't follow another. Their means and
covariances are exact, from the chances that two, three or four given places hold given kinds of
card. Shoes are independent of each other, so those of many shoes are that many times as large.
"""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from tests.randomness.p_values import Floats, chi_square, normal, worst
from tests.randomness.shoes import KINDS, RANKS, Numbers, Shoes

_LAGS = range(1, 13)

Weights = Callable[[int], Floats]
"""What each ordered pair of so many kinds weighs."""


class PairLaw:
    """Ordered pairs of kinds `lag` places apart, in a fair shoe of `copies` cards of each kind."""

    def __init__(self, kinds: int, copies: int, lag: int = 1) -> None:
        self._kinds, self._copies, self._lag = kinds, copies, lag
        self._places = kinds * copies
        self.first, self.second = np.indices((kinds, kinds))
        self.means = (self._places - lag) * self._chance(self.first, self.second)

    def covariances(self, a: int, b: int) -> Floats:
        """Of the count of `a` before `b` with that of every pair."""
        pairs = self._places - self._lag
        chains = max(0, pairs - self._lag)
        c, d = self.first, self.second
        found = (pairs * (pairs - 1) - 2 * chains) * self._chance(a, b, c, d)
        found += np.where(c == b, chains * self._chance(a, b, d), 0)
        found += np.where(d == a, chains * self._chance(c, a, b), 0)
        found[a, b] += self.means[a, b]
        covariances: Floats = found - self.means[a, b] * self.means
        return covariances

    def moments(self, weights: Floats) -> tuple[float, float]:
        """Mean and variance, in one shoe, of the sum of the pairs' weights."""
        variance = math.fsum(
            weights[a, b] * float((weights * self.covariances(a, b)).sum())
            for a, b in np.argwhere(weights).tolist()
        )
        return float((weights * self.means).sum()), variance

    def _chance(self, *held: int | Numbers) -> Floats:
        """That so many given places hold these kinds."""
        chance = np.ones(self.first.shape)
        for taken, kind in enumerate(held):
            gone = sum(np.equal(kind, before).astype(int) for before in held[:taken])
            chance = chance * np.maximum(self._copies - gone, 0) / (self._places - taken)
        return chance


def neighbours(shoes: Shoes) -> float:
    """Each card follows each other as often.

    The counts' covariances have two shapes of rows (a card before itself, and before another), so
    mean and variance of the chi-square are those of one row each; a chi-square law with the same
    mean and variance stands for it.
    """
    law = PairLaw(KINDS, shoes.decks)
    possible = law.means > 0
    counts = _counts(shoes.cards, KINDS)[possible]
    means = law.means[possible]
    statistic = float(((counts - shoes.count * means) ** 2 / (shoes.count * means)).sum())
    mean, half_variance = _neighbours_moments(shoes.decks)
    return chi_square(statistic * mean / half_variance, mean * mean / half_variance)


def kept_together(shoes: Shoes) -> float:
    """Cards that lay side by side in the unshuffled pack do so no more often than others."""
    return _weighed(shoes.cards, _side_by_side, KINDS, shoes)


def ascents(shoes: Shoes) -> float:
    """As many cards are followed by one of higher rank as should be."""
    return _weighed(shoes.cards % RANKS, _rising, RANKS, shoes)


def serial_correlation(shoes: Shoes) -> float:
    """The ranks of cards 1 to 12 places apart don't go together; the worst distance."""
    ranks = shoes.cards % RANKS
    return worst(_weighed(ranks, _products, RANKS, shoes, lag) for lag in _LAGS)


def _weighed(dealt: Numbers, weights: Weights, kinds: int, shoes: Shoes, lag: int = 1) -> float:
    """The p-value of the sum of the weights of all pairs that were dealt."""
    mean, variance = _moments(weights, kinds, shoes.places // kinds, lag)
    figure = float((weights(kinds) * _counts(dealt, kinds, lag)).sum())
    return normal(figure, shoes.count * mean, shoes.count * variance)


def _side_by_side(kinds: int) -> Floats:
    return np.roll(np.eye(kinds), 1, axis=1)


def _rising(kinds: int) -> Floats:
    return np.triu(np.ones((kinds, kinds)), 1)


def _products(kinds: int) -> Floats:
    from_the_middle = np.arange(kinds) - (kinds - 1) / 2
    return np.outer(from_the_middle, from_the_middle)


@lru_cache(maxsize=64)
def _moments(weights: Weights, kinds: int, copies: int, lag: int) -> tuple[float, float]:
    return PairLaw(kinds, copies, lag).moments(weights(kinds))


@lru_cache(maxsize=8)
def _neighbours_moments(decks: int) -> tuple[float, float]:
    """Mean and half the variance of the chi-square of neighbours."""
    law = PairLaw(KINDS, decks)
    mean = half_variance = 0.0
    for second, rows in ((0, KINDS), (1, KINDS * (KINDS - 1))):
        if law.means[0, second] > 0:
            row = law.covariances(0, second)
            mean += rows * row[0, second] / law.means[0, second]
            scale = np.where(law.means > 0, law.means, 1) * law.means[0, second]
            half_variance += rows * float((row**2 / scale).sum())
    return mean, half_variance


def _counts(kinds_dealt: Numbers, kinds: int, lag: int = 1) -> Numbers:
    cells = kinds_dealt[:, :-lag] * kinds + kinds_dealt[:, lag:]
    counts: Numbers = np.bincount(cells.ravel(), minlength=kinds * kinds)
    return counts.reshape(kinds, kinds)
