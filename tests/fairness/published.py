"""Shoes as GetShoe answers them, made by the service's functions from random seeds."""

import random
from hashlib import sha256
from typing import Any

from service.fairness.card_leaves import shoe_tree
from service.fairness.commitment import commitment
from service.fairness.salts import salt
from service.fairness.shuffle import ShuffledShoe

Published = dict[str, Any]
"""A ProvedShoe as JSON."""

_ALPHABET = "abcXYZ019-_ ~äßñЖ中文あ🂡🎲"


def published(source: random.Random, table_id: str = "") -> tuple[Published, str]:
    """A revealed shoe of random seeds, some of whose cards were turned up, and the SHA-256 over
    its order, root, and the salt and the path of each place."""
    seed, decks = source.randbytes(32), source.choice((1, 1, 1, 2, 2, 4, 6, 8))
    table_id, number = table_id or _text(source, 1), source.randrange(1, 2**31)
    seats = sorted(source.sample(range(1, 8), source.randint(0, 7)))
    given = [(seat, _text(source, 1), _text(source, 0)) for seat in seats]
    shoe = ShuffledShoe(seed, table_id, number, decks, given)
    places = range(len(shoe))
    cards = [shoe.card(place) for place in places]
    salts = [salt(seed, table_id, number, place) for place in places]
    tree = shoe_tree(table_id, number, cards, salts)
    everything = sha256((" ".join(cards) + tree.root.hex()).encode())
    for place in places:
        everything.update(bytes.fromhex(salts[place]) + b"".join(tree.path(place)))
    turned_up = sorted({0, len(shoe) - 1, *source.sample(places, 6)})
    return {
        "tableId": table_id,
        "number": number,
        "decks": decks,
        "commitment": commitment(seed),
        "clientSeeds": [
            {"seat": seat, "playerId": player, "seed": one} for seat, player, one in given
        ],
        "root": tree.root.hex(),
        "cards": [
            {
                "position": place,
                "card": cards[place],
                "salt": salts[place],
                "path": [step.hex() for step in tree.path(place)],
            }
            for place in turned_up
        ],
        "seed": seed.hex(),
    }, everything.hexdigest()


def _text(source: random.Random, shortest: int) -> str:
    return "".join(source.choices(_ALPHABET, k=source.randint(shortest, 24)))
