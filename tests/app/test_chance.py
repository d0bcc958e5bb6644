from itertools import count

import pytest

from service.app.chance import SeededChance
from service.fairness.commitment import commitment
from service.fairness.salts import salt
from service.fairness.shuffle import ShuffledShoe


def seeds() -> list[bytes]:
    return [bytes([number]) * 32 for number in range(4)]


def chance_with(known: dict[int, bytes]) -> SeededChance:
    numbers = count(max(known, default=0) + 1)
    return SeededChance("table", 6, known, lambda: seeds()[next(numbers)])


def test_each_opening_commits_to_the_next_shoe() -> None:
    chance = chance_with({})
    for number in (0, 1):
        assert chance.open(number, ()).next_commitment == commitment(seeds()[number + 1])


def test_an_opening_draws_a_seed_once_and_remembers_it() -> None:
    chance = chance_with({1: seeds()[1]})
    first = chance.open(1, ())
    assert chance.drawn == {2: seeds()[2]}
    assert chance.open(1, ()) == first
    assert chance.drawn == {2: seeds()[2]}


def test_cards_salts_and_seed_are_those_of_the_shoe() -> None:
    chance = chance_with({1: seeds()[1]})
    shoe = ShuffledShoe(seeds()[1], "table", 1, 6)
    assert [chance.card(1, place) for place in range(312)] == [shoe.card(p) for p in range(312)]
    assert chance.salt(1, 7) == salt(seeds()[1], "table", 1, 7)
    assert chance.reveal(1) == seeds()[1].hex()


def test_players_seeds_are_mixed_in_now_and_after_a_restart() -> None:
    chance = chance_with({1: seeds()[1]})
    chance.open(1, ["lucky"])
    again = SeededChance("table", 6, {1: seeds()[1]}, bytes, {1: ["lucky"]})
    assert chance.card(1, 0) == again.card(1, 0)
    cards = [chance.card(1, place) for place in range(20)]
    assert cards != [chance_with({1: seeds()[1]}).card(1, place) for place in range(20)]


def test_a_shoe_whose_seed_is_not_known_gives_no_card() -> None:
    with pytest.raises(KeyError):
        chance_with({1: seeds()[1]}).card(2, 0)
