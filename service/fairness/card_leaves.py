"""The leaves of a shoe's Merkle tree: each card at its position, hidden by its salt.

Rule: the entry of a position is the framed message of `CARD_PURPOSE`, the table id, the number of
the shoe, the position (counted from 0), the card as two letters, and the sixteen bytes of its salt.
The root of a shoe is the root of the tree over the entries of all its positions, in order. It is
published before the first card; with a card, its salt and its path anyone can check that the card
was at that position.

Source: docs/fairness.md, steps 9 and 10.
"""

from collections.abc import Sequence
from functools import lru_cache

from service.fairness.framing import frame, framed
from service.fairness.merkle import MerkleTree, leaf

CARD_PURPOSE = "croupier card 1"


_frame = lru_cache(maxsize=1024)(frame)
"""Cached for positions and cards, which are the same in every shoe."""


def card_leaf(table_id: str, shoe: int, position: int, card: str, salt: str) -> bytes:
    """The leaf of a card at a position; `salt` in hex (ValueError if it is not hex)."""
    return leaf(framed(CARD_PURPOSE, [table_id, shoe, position, card, bytes.fromhex(salt)]))


def shoe_tree(table_id: str, shoe: int, cards: Sequence[str], salts: Sequence[str]) -> MerkleTree:
    """The tree over a whole shoe; `salts` in hex, by position."""
    before = framed(CARD_PURPOSE, [table_id, shoe])
    return MerkleTree(
        [
            leaf(before + _frame(place) + _frame(card) + frame(bytes.fromhex(salt)))
            for place, (card, salt) in enumerate(zip(cards, salts, strict=True))
        ]
    )
