"""The deal, and what follows it at once: naturals, pair bets, and the way to the first decision.

Rule: a fresh shoe comes first when the cut card has come out. Naturals take no action; pair bets
are settled right after the deal, and a first card that lies face down is turned up when its hand is
a natural or a pair bet on it is won.

Source: docs/rules.md, sections 3, 5, 6 and 8.
"""

from service.rules.bonuses import is_pair_of_rank, pair_bet_returns
from service.rules.dealing import DEALER, deal_order
from service.rules.hand import EndCause
from service.rules.shoe import cards_in_shoe, cut_card, needs_fresh_shoe
from service.rules.totals import is_two_card_21
from service.table.chance import ClientSeed
from service.table.deciding.draft import Draft
from service.table.deciding.first_card import turn_first_card
from service.table.deciding.insuring import offer_insurance
from service.table.events import (
    BankMove,
    BankMoved,
    DealerCardDealt,
    FirstCardDealt,
    HandEnded,
    HoleCardDealt,
    PairBetSettled,
    ShoeOpened,
    ShoeRevealed,
)


def deal(draft: Draft) -> None:
    """Deal to every seat that has bet, and go on to the first decision or the end."""
    _fresh_shoe(draft)
    seats = [seat.number for seat in draft.state.seats if seat.stake]
    for place in deal_order(draft.state.rules, seats):
        if place.seat != DEALER and place.face_down:
            draft.emit(FirstCardDealt(place.seat, draft.state.shoe.dealt))
        elif place.seat != DEALER:
            draft.deal_to(place.seat, 1)
        elif place.face_down:
            draft.emit(HoleCardDealt(draft.state.shoe.dealt))
        else:
            draft.emit(DealerCardDealt(*draft.next_card()))
    for number in seats:
        if is_two_card_21(draft.cards_of(draft.state.seat(number).hands[0])):
            turn_first_card(draft, number)
            draft.emit(HandEnded(number, 1, EndCause.NATURAL))
    if draft.state.rules.pair_bet:
        _settle_pair_bets(draft)
    offer_insurance(draft)


def _fresh_shoe(draft: Draft) -> None:
    rules, shoe = draft.state.rules, draft.state.shoe
    if not needs_fresh_shoe(rules, shoe.number, shoe.dealt):
        return
    if shoe.number:
        draft.emit(ShoeRevealed(shoe.number, draft.chance.reveal(shoe.number)))
    number = shoe.number + 1
    client_seeds = tuple(
        ClientSeed(seat.number, seat.player, seat.client_seed)
        for seat in draft.state.seats
        if seat.client_seed
    )
    opening = draft.chance.open(number, client_seeds)
    draft.emit(
        ShoeOpened(
            number,
            cards_in_shoe(rules),
            cut_card(rules),
            shoe.next_commitment,
            opening.next_commitment,
            opening.root,
            client_seeds,
        )
    )


def _settle_pair_bets(draft: Draft) -> None:
    ratio = draft.state.rules.pair_bet
    if ratio is None:
        return
    for seat in draft.state.seats:
        for bet in seat.pair_bets:
            won = is_pair_of_rank(draft.cards_of(draft.state.seat(bet.seat).hands[0]))
            if won:
                turn_first_card(draft, bet.seat)
            returned = pair_bet_returns(ratio, bet.stake, won)
            draft.emit(PairBetSettled(seat.number, bet.seat, bet.stake, returned))
            if draft.state.rotates:
                draft.emit(BankMoved(bet.stake - returned, BankMove.PAIR_BETS))
