import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from service.fairness.card_leaves import card_leaf, shoe_tree
from service.fairness.commitment import commitment
from service.fairness.keystream import PlayersSeed, keystream_key, words
from service.fairness.merkle import root_from
from service.fairness.salts import salt
from service.fairness.shuffle import ShuffledShoe
from tests.fairness import recompute

VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text())["vectors"]


def given(vector: dict[str, Any]) -> list[PlayersSeed]:
    return [(one["seat"], one["player"], one["seed"]) for one in vector["client_seeds"]]


@pytest.mark.parametrize("vector", VECTORS)
def test_a_published_vector(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    table_id, number, decks = vector["table_id"], vector["shoe"], vector["decks"]
    assert commitment(seed) == vector["commitment"]
    key = keystream_key(seed, table_id, number, given(vector))
    assert key.hex() == vector["key"]
    assert list(islice(words(key), 16)) == vector["first_words"]
    shoe = ShuffledShoe(seed, table_id, number, decks, given(vector))
    cards = [shoe.card(place) for place in range(len(shoe))]
    assert cards == vector["order"].split()
    salts = [salt(seed, table_id, number, place) for place in range(len(shoe))]
    tree = shoe_tree(table_id, number, cards, salts)
    assert tree.root.hex() == vector["root"]
    for proof in vector["proofs"]:
        place = proof["position"]
        leaf = card_leaf(table_id, number, place, proof["card"], proof["salt"])
        assert (proof["card"], proof["salt"]) == (cards[place], salts[place])
        assert leaf.hex() == proof["leaf"]
        assert [neighbour.hex() for neighbour in tree.path(place)] == proof["path"]
        assert root_from(leaf, place, len(shoe), tree.path(place)) == tree.root


@pytest.mark.parametrize("vector", VECTORS)
def test_a_published_vector_by_the_description_alone(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    table_id, number = vector["table_id"], vector["shoe"]
    order = recompute.shoe_order(seed, table_id, number, vector["decks"], given(vector))
    assert order == vector["order"].split()
    salts = [recompute.salt_of(seed, table_id, number, place) for place in range(len(order))]
    leaves = [
        recompute.leaf_of(table_id, number, place, card, salts[place])
        for place, card in enumerate(order)
    ]
    assert recompute.root_of(leaves).hex() == vector["root"]
    for proof in vector["proofs"]:
        path = [bytes.fromhex(neighbour) for neighbour in proof["path"]]
        root = recompute.proved_root(leaves[proof["position"]], proof["position"], len(order), path)
        assert root is not None
        assert root.hex() == vector["root"]


def test_every_input_changes_the_shoe() -> None:
    shoes = [
        ShuffledShoe(bytes(32), "t", 1, 1),
        ShuffledShoe(bytes(31) + b"\1", "t", 1, 1),
        ShuffledShoe(bytes(32), "u", 1, 1),
        ShuffledShoe(bytes(32), "t", 2, 1),
        ShuffledShoe(bytes(32), "t", 1, 1, [(1, "ann", "")]),
        ShuffledShoe(bytes(32), "t", 1, 1, [(1, "ann", "a")]),
        ShuffledShoe(bytes(32), "t", 1, 1, [(2, "ann", "a")]),
        ShuffledShoe(bytes(32), "t", 1, 1, [(1, "bob", "a")]),
        ShuffledShoe(bytes(32), "t", 1, 1, [(1, "anna", "")]),
        ShuffledShoe(bytes(32), "t", 1, 1, [(1, "ann", "a"), (2, "bob", "b")]),
        ShuffledShoe(bytes(32), "t", 1, 1, [(2, "bob", "b"), (1, "ann", "a")]),
    ]
    assert len({tuple(shoe.card(place) for place in range(52)) for shoe in shoes}) == len(shoes)


def test_a_commitment_is_to_a_whole_seed() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(b"short")
