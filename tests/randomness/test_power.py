"""What the battery can see: each faulty shuffle is rejected, and no test is idle."""

from functools import lru_cache

import numpy as np
import pytest

from tests.randomness.battery import ANY_SHOE, ONE_PACK, p_values, rejected
from tests.randomness.faults import FAULTS

_FEWER = 4_000
"""Shoes of one pack: a fifth of what the service's shuffle is judged by."""


@lru_cache(maxsize=len(FAULTS))
def seen(fault: str) -> dict[str, float]:
    return rejected(p_values([FAULTS[fault](_FEWER, 1, np.random.default_rng(1))]))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_shuffle_is_rejected(fault: str) -> None:
    assert seen(fault)


@pytest.mark.parametrize("test", [*ANY_SHOE, *ONE_PACK])
def test_a_test_of_the_battery_sees_a_fault(test: str) -> None:
    assert any(f"{test}, 1 decks" in seen(fault) for fault in FAULTS)


@pytest.mark.parametrize(
    "fault", ["last card never moves", "sorted by a byte", "one shoe again", "first cards in turn"]
)
def test_a_faulty_shuffle_of_six_packs_is_rejected(fault: str) -> None:
    shoes = FAULTS[fault](1_000, 6, np.random.default_rng(1))
    assert rejected(p_values([shoes]))
