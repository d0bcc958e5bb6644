import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from service.fairness.commitment import commitment
from service.fairness.keystream import keystream_key, words
from service.fairness.salts import salt
from service.fairness.shuffle import ShuffledShoe

VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text())["vectors"]


@pytest.mark.parametrize("vector", VECTORS)
def test_a_published_vector(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    table_id, number, decks = vector["table_id"], vector["shoe"], vector["decks"]
    players_seeds = vector["players_seeds"]
    assert commitment(seed) == vector["commitment"]
    key = keystream_key(seed, table_id, number, players_seeds)
    assert key.hex() == vector["key"]
    assert list(islice(words(key), 16)) == vector["first_words"]
    shoe = ShuffledShoe(seed, table_id, number, decks, players_seeds)
    assert [shoe.card(place) for place in range(len(shoe))] == vector["order"].split()
    salts = {place: salt(seed, table_id, number, int(place)) for place in vector["salts"]}
    assert salts == vector["salts"]


def test_every_input_changes_the_shoe() -> None:
    shoes = [
        ShuffledShoe(bytes(32), "t", 1, 1),
        ShuffledShoe(bytes(31) + b"\1", "t", 1, 1),
        ShuffledShoe(bytes(32), "u", 1, 1),
        ShuffledShoe(bytes(32), "t", 2, 1),
        ShuffledShoe(bytes(32), "t", 1, 1, [""]),
        ShuffledShoe(bytes(32), "t", 1, 1, ["a", "bc"]),
        ShuffledShoe(bytes(32), "t", 1, 1, ["ab", "c"]),
    ]
    assert len({tuple(shoe.card(place) for place in range(52)) for shoe in shoes}) == len(shoes)


def test_a_commitment_is_to_a_whole_seed() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(b"short")
