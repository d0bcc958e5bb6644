"""Shoes as numbers: what the battery looks at.

A card is its place in an unshuffled pack (ace to king of spades, hearts, diamonds, clubs), so
`card % 13` is its rank and `card // 13` its suit. A shoe is a row, its cards in dealing order; the
rows are consecutive shoes of one table.
"""

from dataclasses import dataclass
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from service.fairness.shuffle import ShuffledShoe
from service.rules.cards import PACK

Numbers = npt.NDArray[np.int64]

KINDS = len(PACK)
RANKS = 13

_NUMBER = {card: number for number, card in enumerate(PACK)}


@dataclass(frozen=True)
class Shoes:
    """Consecutive shoes of one table, each of `decks` packs."""

    cards: Numbers
    decks: int

    @property
    def count(self) -> int:
        """How many shoes there are."""
        return len(self.cards)

    @property
    def places(self) -> int:
        """Cards in each shoe."""
        return KINDS * self.decks


def served(count: int, decks: int, series: int = 1) -> Shoes:
    """Shoes as the service shuffles them, from seeds that count up: the same at each run."""
    orders = np.empty((count, KINDS * decks), dtype=np.int64)
    for number in range(count):
        seed = sha256(f"randomness {series} {decks} {number}".encode()).digest()
        shoe = ShuffledShoe(seed, "table", number + 1, decks)
        shoe.card(len(shoe) - 1)
        orders[number] = [_NUMBER[shoe.card(place)] for place in range(len(shoe))]
    return Shoes(orders, decks)


def fair(count: int, decks: int, random: np.random.Generator) -> Shoes:
    """Shoes from numpy's own shuffle: what the battery must find nothing in."""
    return Shoes(random.permuted(unshuffled(count, decks), axis=1), decks)


def unshuffled(count: int, decks: int) -> Numbers:
    """Shoes as their packs lie before they are shuffled."""
    return np.tile(np.arange(KINDS, dtype=np.int64), (count, decks))
