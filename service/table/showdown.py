"""The showdown: the hole card is turned up, the dealer plays, and every hand is settled.

Rule: the dealer draws only if some hand's result depends on it. Cards still face down are turned
up, however the round ended. Settlement goes by seat and from left to right.

Source: rules of play, section 3.
"""

from service.rules.dealer_play import dealer_draws, depends_on_dealer
from service.rules.insurance import insurance_returns
from service.rules.settlement import settle_hands
from service.rules.totals import is_two_card_21
from service.table.draft import Draft, hole_card
from service.table.events import (
    DealerCardDealt,
    HandSettled,
    HoleCardTurned,
    InsuranceSettled,
    RoundSettled,
    SettledSeat,
)
from service.table.finish import after_settlement
from service.table.first_card import turn_first_card


def showdown(draft: Draft) -> None:
    """Turn up what lies face down, let the dealer draw, settle, and go on between the rounds."""
    shoe, hole_at = draft.state.shoe.number, draft.state.dealer.hole_at
    draft.emit(
        HoleCardTurned(
            hole_card(draft.state, draft.chance), hole_at, draft.chance.salt(shoe, hole_at)
        )
    )
    for seat in draft.state.dealt_in:
        turn_first_card(draft, seat.number)
    if any(depends_on_dealer(hand) for seat in draft.state.dealt_in for hand in seat.hands):
        while dealer_draws(draft.state.rules, draft.state.dealer.cards):
            draft.emit(DealerCardDealt(*draft.next_card()))
    _settle(draft)
    after_settlement(draft)


def _settle(draft: Draft) -> None:
    rules, dealer = draft.state.rules, draft.state.dealer.cards
    dealer_natural = is_two_card_21(dealer)
    for seat in draft.state.dealt_in:
        for number, (result, returned) in enumerate(
            settle_hands(rules, seat.hands, dealer, seat.stake), start=1
        ):
            draft.emit(HandSettled(seat.number, number, result, returned))
        if seat.insurance:
            insured = 0 if seat.left else seat.insurance
            draft.emit(InsuranceSettled(seat.number, insurance_returns(insured, dealer_natural)))
    draft.emit(
        RoundSettled(
            tuple(
                SettledSeat(
                    seat.number,
                    seat.player,
                    seat.staked,
                    seat.returned,
                    seat.returned - seat.staked,
                    seat.stack,
                )
                for seat in draft.state.seats
                if seat.staked
            )
        )
    )
