"""From a figure to a p-value: how often a fair shuffle gives one as far out, on either side.

Both sides count: cards that fall too evenly (each card first in turn, say) can be foreseen as well
as those that fall too unevenly.
"""

import math
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from scipy import special

Floats = npt.NDArray[np.float64]

_LEAST_EXPECTED = 10


def two_sided(below: float, above: float) -> float:
    """The p-value of a figure from the chances of one as low and of one as high."""
    return min(1.0, 2 * min(below, above))


def chi_square(statistic: float, freedom: float) -> float:
    """The p-value of a chi-square statistic."""
    return two_sided(
        float(special.chdtr(freedom, statistic)), float(special.chdtrc(freedom, statistic))
    )


def normal(figure: float, mean: float, variance: float) -> float:
    """The p-value of a sum of many small contributions."""
    return math.erfc(abs(figure - mean) / math.sqrt(2 * variance))


def poisson(count: int, mean: float) -> float:
    """The p-value of a number of rare happenings."""
    below = float(special.pdtr(count, mean))
    above = float(special.pdtrc(count - 1, mean)) if count else 1.0
    return two_sided(below, above)


def even(counts: npt.NDArray[np.int64]) -> float:
    """The p-value of independent observations that fall into so many cells, each as likely."""
    expected = counts.sum() / counts.size
    return chi_square(float(((counts - expected) ** 2).sum() / expected), counts.size - 1)


def fitting(observed: npt.NDArray[np.int64], chances: Sequence[float]) -> float:
    """The p-value of independent observations (each a cell's number) under the cells' chances.

    Neighbouring cells are joined until each is expected often enough for a chi-square.
    """
    counts = np.bincount(observed, minlength=len(chances))
    expected = np.array(chances) * len(observed)
    ends = [0]
    for cell in range(len(chances)):
        enough = expected[ends[-1] : cell + 1].sum() >= _LEAST_EXPECTED
        if enough and expected[cell + 1 :].sum() >= _LEAST_EXPECTED:
            ends.append(cell + 1)
    joined, awaited = np.add.reduceat(counts, ends), np.add.reduceat(expected, ends)
    return chi_square(float(((joined - awaited) ** 2 / awaited).sum()), len(ends) - 1)


def worst(p_values: Iterable[float]) -> float:
    """One p-value for several figures of any dependence: the least, times how many there are."""
    found = list(p_values)
    return min(1.0, len(found) * min(found))
