"""The deal.

Rule: one card to each betting seat in ascending seat order, then one to the dealer, twice. One of
the dealer's cards is the upcard, the other the hole card; with `hole_card: first` the upcard is the
dealer's second card. With `first_card_hidden` each player's first card lies face down.

Options: `hole_card`, `first_card_hidden`. Source: docs/rules.md, sections 3 and 6.
"""

from collections.abc import Iterator, Sequence

import msgspec

from service.rules.rule_set import HoleCard, RuleSet

DEALER = 0
"""The dealer's place in the order of a deal; seats count from 1."""


class Place(msgspec.Struct, frozen=True):
    """Where the next card of a deal goes: a seat, or `DEALER`; and whether it lies face down."""

    seat: int
    face_down: bool


def deal_order(rules: RuleSet, seats: Sequence[int]) -> Iterator[Place]:
    """The places of a deal to these betting seats (ascending), card by card."""
    for turn in (HoleCard.FIRST, HoleCard.SECOND):
        hidden = rules.first_card_hidden and turn is HoleCard.FIRST
        for seat in seats:
            yield Place(seat, hidden)
        yield Place(DEALER, rules.hole_card is turn)
