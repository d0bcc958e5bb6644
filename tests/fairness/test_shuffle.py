"""The shuffle reaches every order, each as often: counted over fixed seeds, so never by luck."""

import math
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from itertools import pairwise

import pytest

from service.fairness.shuffle import ShuffledShoe
from service.rules.cards import PACK
from tests.fairness.recompute import shoe_order


def shoe(number: int, decks: int = 1) -> ShuffledShoe:
    return ShuffledShoe(sha256(b"shuffle").digest(), "table", number, decks)


def excess(observed: Counter[object], cells: int) -> float:
    """How many standard deviations a chi-square lies above (or below) its mean, all cells equal."""
    expected = observed.total() / cells
    missing: float = (cells - len(observed)) * expected
    chi_square = missing + sum((n - expected) ** 2 / expected for n in observed.values())
    freedom = cells - 1
    return (chi_square - freedom) / math.sqrt(2 * freedom)


def count(values: Iterable[object]) -> Counter[object]:
    return Counter(values)


@pytest.mark.parametrize("decks", [1, 4, 6, 8])
def test_a_shoe_holds_its_packs_and_the_order_of_the_description(decks: int) -> None:
    dealt = [shoe(decks, decks).card(place) for place in range(decks * 52)]
    assert Counter(dealt) == Counter(PACK * decks)
    assert dealt == shoe_order(sha256(b"shuffle").digest(), "table", decks, decks, [])


def test_cards_do_not_depend_on_the_order_in_which_they_are_asked_for() -> None:
    forward, backward = shoe(1, 6), shoe(1, 6)
    places = range(len(forward))
    asked = {place: backward.card(place) for place in reversed(places)}
    assert [forward.card(place) for place in places] == [asked[place] for place in places]


def test_there_is_no_card_outside_the_shoe() -> None:
    for place in (-1, 52):
        with pytest.raises(IndexError):
            shoe(1).card(place)


def test_first_cards_and_neighbours_are_uniform() -> None:
    shoes = [shoe(number) for number in range(30_000)]
    firsts = count(one.card(0) for one in shoes)
    neighbours = count((one.card(0), one.card(1)) for one in shoes)
    assert abs(excess(firsts, 52)) < 4
    assert abs(excess(neighbours, 52 * 51)) < 4


def test_every_card_reaches_every_place_and_every_neighbour() -> None:
    orders = [[one.card(place) for place in range(52)] for one in map(shoe, range(3_000))]
    assert abs(excess(count((p, c) for cards in orders for p, c in enumerate(cards)), 52 * 52)) < 4
    pairs = count(pair for cards in orders for pair in pairwise(cards))
    assert abs(excess(pairs, 52 * 51)) < 4
    last = count((cards[50], cards[51]) for cards in orders)
    assert abs(excess(last, 52 * 51)) < 4
