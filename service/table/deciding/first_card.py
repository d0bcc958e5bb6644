"""First cards that lie face down.

Rule: with `first_card_hidden` each player's first card is seen by its owner alone until the
showdown, or until the hand is a natural, splits, busts, or a pair bet on it is settled as won.

Options: `first_card_hidden`. Source: docs/rules.md, section 6.
"""

from service.table.deciding.draft import Draft
from service.table.events import FirstCardTurned


def turn_first_card(draft: Draft, number: int) -> None:
    """Turn up a seat's first card, if it lies face down; it is always in the first hand."""
    hand = draft.state.seat(number).hands[0]
    if hand.first_at >= 0:
        shoe = draft.state.shoe.number
        draft.emit(
            FirstCardTurned(
                number,
                1,
                draft.chance.card(shoe, hand.first_at),
                hand.first_at,
                draft.chance.salt(shoe, hand.first_at),
            )
        )
