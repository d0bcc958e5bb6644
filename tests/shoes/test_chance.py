from itertools import count

import pytest

from service.fairness.card_leaves import card_leaf
from service.fairness.commitment import commitment
from service.fairness.merkle import root_from
from service.fairness.salts import salt
from service.fairness.shuffle import ShuffledShoe
from service.shoes.chance import SeededChance
from service.table.chance import ClientSeed


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
    lucky = [ClientSeed(1, "ann", "lucky")]
    chance.open(1, lucky)
    again = SeededChance("table", 6, {1: seeds()[1]}, bytes)
    again.mix_in(1, lucky)
    assert chance.card(1, 0) == again.card(1, 0)
    cards = [chance.card(1, place) for place in range(20)]
    assert cards != [chance_with({1: seeds()[1]}).card(1, place) for place in range(20)]


def test_a_shoe_whose_seed_is_not_known_gives_no_card() -> None:
    with pytest.raises(KeyError):
        chance_with({1: seeds()[1]}).card(2, 0)


def test_each_card_is_proved_by_the_root_of_the_opening() -> None:
    chance = chance_with({1: seeds()[1]})
    root = chance.open(1, [ClientSeed(2, "bob", "b")]).root
    for place in (0, 1, 200, 311):
        leaf = card_leaf("table", 1, place, chance.card(1, place), chance.salt(1, place))
        proved = root_from(leaf, place, 312, chance.path(1, place))
        assert proved is not None
        assert proved.hex() == root


def test_seeds_that_come_late_change_root_and_cards_together() -> None:
    chance = chance_with({1: seeds()[1]})
    before = chance.open(1, ()).root, chance.card(1, 0), chance.path(1, 0)
    chance.mix_in(1, [ClientSeed(1, "ann", "lucky")])
    assert chance.path(1, 0) != before[2]
    chance.mix_in(1, ())
    assert (chance.open(1, ()).root, chance.card(1, 0), chance.path(1, 0)) == before


def test_only_the_open_shoe_is_kept() -> None:
    chance = chance_with({})
    for number in range(3):
        chance.open(number, ())
        if number:
            chance.card(number, 0)
    assert list(chance._shoes) == list(chance._trees) == [2]
