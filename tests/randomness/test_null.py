"""The battery finds nothing in numpy's own shuffle: what it holds counts against is right.

Were a mean or variance too small, fair shoes would be rejected; were it too large, faulty ones
would pass.
"""

from collections import defaultdict

import numpy as np
import pytest

from tests.randomness.battery import p_values
from tests.randomness.shoes import fair

_BATCHES = 80


@pytest.fixture(scope="module")
def found() -> dict[str, list[float]]:
    random = np.random.default_rng(1)
    by_test = defaultdict(list)
    for _ in range(_BATCHES):
        for name, p in p_values([fair(1_000, 1, random), fair(500, 2, random)]).items():
            by_test[name].append(p)
    return by_test


def test_p_values_are_not_small_too_often(found: dict[str, list[float]]) -> None:
    """Of 80 below 0.05: 4 are expected; 13 or more come once in 10,000 times."""
    small = {name: sum(p < 0.05 for p in values) for name, values in found.items()}
    assert {name: count for name, count in small.items() if count > 12} == {}


def test_p_values_are_small_often_enough(found: dict[str, list[float]]) -> None:
    """Of 80 below 0.5: 40 are expected, and 31 of the worst of several; 16 almost never.

    Two shoes of a thousand hardly ever begin alike, so collisions can't be too few.
    """
    low = {name: sum(p < 0.5 for p in values) for name, values in found.items()}
    assert {name for name, count in low.items() if count <= 16} == {"collisions, 1 decks"}
