"""The statistics of a simulation: means with their standard errors, and the chi-square test."""

import math
from collections.abc import Iterable, Sequence

import msgspec


class Mean(msgspec.Struct, frozen=True):
    """A mean over rounds, and the standard deviation of a single round."""

    mean: float
    deviation: float
    rounds: int

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / math.sqrt(self.rounds)


def mean_of(values: Iterable[tuple[float, int]]) -> Mean:
    """The mean of values with their counts (at least one in all)."""
    counted = [(value, times) for value, times in values if times]
    rounds = sum(times for _, times in counted)
    mean = math.fsum(value * times for value, times in counted) / rounds
    squares = math.fsum((value - mean) ** 2 * times for value, times in counted)
    return Mean(mean, math.sqrt(squares / max(rounds - 1, 1)), rounds)


def chi_square(observed: Sequence[int], shares: Sequence[float]) -> tuple[float, float]:
    """Compare counts with expected shares (which are scaled to sum to 1): the statistic, and the
    probability of such a value or a larger one by chance.

    A count where nothing is expected has the probability 0.
    """
    rounds, whole = sum(observed), math.fsum(shares)
    statistic = 0.0
    cells = 0
    for count, share in zip(observed, shares, strict=True):
        if share > 0:
            expected = rounds * share / whole
            statistic += (count - expected) ** 2 / expected
            cells += 1
        elif count:
            return math.inf, 0.0
    return statistic, chi_square_tail(statistic, cells - 1)


def chi_square_tail(statistic: float, freedom: int) -> float:
    """The probability that a chi-square variable exceeds the statistic.

    This is the regularised upper gamma function Q(freedom / 2, statistic / 2), computed in steps of
    one from Q(1/2, x) = erfc(sqrt(x)) or Q(1, x) = exp(-x).

    >>> round(chi_square_tail(3.841459, 1), 6), round(chi_square_tail(11.070498, 5), 6)
    (0.05, 0.05)
    """
    x = statistic / 2
    if freedom <= 0 or x <= 0:
        return 1.0
    shape = 0.5 if freedom % 2 else 1.0
    tail = math.erfc(math.sqrt(x)) if freedom % 2 else math.exp(-x)
    while shape < freedom / 2:
        tail += math.exp(shape * math.log(x) - x - math.lgamma(shape + 1))
        shape += 1
    return min(tail, 1.0)
