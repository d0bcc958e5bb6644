"""Cards and totals.

Source: docs/rules.md, section 1.
"""

from collections.abc import Sequence

COURT_AND_TEN = ("T", "J", "Q", "K")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", *COURT_AND_TEN)
SUITS = ("S", "H", "D", "C")


_PACK = frozenset(rank + suit for rank in RANKS for suit in SUITS)
_VALUES = {"A": 11} | {rank: 10 if rank in COURT_AND_TEN else int(rank) for rank in RANKS[1:]}


def is_card(text: str) -> bool:
    """Whether a text is a card in the journal's form."""
    return text in _PACK


def value(card: str) -> int:
    """What one card counts; an ace counts 11."""
    return _VALUES[card[0]]


def count(cards: Sequence[str]) -> tuple[int, bool]:
    """The total of some cards, and whether it is soft: aces count 1 instead of 11 as needed."""
    total = high_aces = 0
    for card in cards:
        total += _VALUES[card[0]]
        high_aces += card[0] == "A"
    while total > 21 and high_aces:
        total -= 10
        high_aces -= 1
    return total, high_aces > 0


def is_natural(cards: Sequence[str]) -> bool:
    """Whether two cards are an ace and a ten-value card."""
    return len(cards) == 2 and {value(cards[0]), value(cards[1])} == {10, 11}
