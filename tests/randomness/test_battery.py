"""The service's shoes pass the whole battery: fixed seeds, so the verdict never changes by luck."""

import pytest

from tests.randomness.battery import ALPHA, p_values, rejected
from tests.randomness.run import SHOES
from tests.randomness.shoes import served


def test_nothing_is_found_in_the_shuffled_shoes() -> None:
    found = p_values(served(count, decks) for decks, count in SHOES.items())
    assert rejected(found) == {}


@pytest.mark.parametrize("tests", [1, 10, 40])
def test_all_tests_together_may_be_wrong_once_in_a_hundred_times(tests: int) -> None:
    share = ALPHA / tests
    names = [str(number) for number in range(tests)]
    assert rejected(dict.fromkeys(names, share * 1.01)) == {}
    assert rejected(dict.fromkeys(names, share * 0.99)) != {}
