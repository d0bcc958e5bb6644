"""The shuffle as it is described, card by card; how even it is stands in `tests/randomness`."""

from collections import Counter
from hashlib import sha256

import pytest

from service.fairness.shuffle import ShuffledShoe
from service.rules.cards import PACK
from tests.fairness.recompute import shoe_order


def shoe(number: int, decks: int = 1) -> ShuffledShoe:
    return ShuffledShoe(sha256(b"shuffle").digest(), "table", number, decks)


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
