"""Cards, packs and pips.

Rule: 2-10 count their pips, J Q K count 10, an ace counts 1 here and 11 where a total allows it
(see `totals`). A shoe holds `decks` packs of 52.

A card is a two-letter string, rank then suit: `AS`, `TD`, `7H`. A card that lies face down is
written `??` (`FACE_DOWN`) wherever its face may not be known.

Options: `decks`. Source: docs/rules.md, section 1.
"""

from functools import lru_cache

RANKS = "A23456789TJQK"
SUITS = "SHDC"
FACE_DOWN = "??"

PACK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)

PIPS: dict[str, int] = {card: min(RANKS.index(card[0]) + 1, 10) for card in PACK}
"""Pips by card, an ace counting 1."""


def pips(card: str) -> int:
    """What a card counts, an ace 1.

    >>> [pips(card) for card in ("AS", "9D", "TH", "KC")]
    [1, 9, 10, 10]
    """
    return PIPS[card]


def rank(card: str) -> str:
    """The rank of a card: K and Q count the same and are of different rank.

    >>> rank("TD")
    'T'
    """
    return card[0]


def parse_card(text: str) -> str:
    """The card that a text names; raises ValueError for anything else.

    >>> parse_card("td")
    'TD'
    """
    card = text.strip().upper()
    if card not in PIPS:
        raise ValueError(
            f"{text!r} is not a card: write one of {RANKS} and one of {SUITS}, as in TD"
        )
    return card


@lru_cache(maxsize=8)
def packs(decks: int) -> tuple[str, ...]:
    """The cards of an unshuffled shoe, pack after pack, each ace to king of S, H, D, C."""
    return PACK * decks
