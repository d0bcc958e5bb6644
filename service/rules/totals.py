"""Totals: hard, soft, bust and natural.

Rule: at most one ace of a hand ever counts 11, and only while the total stays within 21; such a
hand is soft, any other hard. Past 21 a hand is bust. A natural is an ace and a ten-value card as
the first two cards of an unsplit hand; a 21 of a split hand or of three cards is an ordinary 21.

Options: none. Source: docs/rules.md, section 1.
"""

from collections.abc import Sequence

from service.rules.cards import PIPS

BEST = 21


def total(cards: Sequence[str]) -> tuple[int, bool]:
    """The highest total not past 21 (for a bust the lowest), and whether it is soft.

    >>> total(["AS", "AH", "9D"]), total(["AS", "6H"]), total(["TS", "6H", "AD"])
    ((21, True), (17, True), (17, False))
    """
    low = 0
    ace = False
    for card in cards:
        count = PIPS[card]
        low += count
        if count == 1:
            ace = True
    if ace and low <= BEST - 10:
        return low + 10, True
    return low, False


def is_bust(cards: Sequence[str]) -> bool:
    """Whether the hand has passed 21 and so has lost."""
    return total(cards)[0] > BEST


def is_two_card_21(cards: Sequence[str]) -> bool:
    """Whether two cards are an ace and a ten-value card: a natural, where the hand is unsplit."""
    return len(cards) == 2 and total(cards)[0] == BEST
