"""The showdown: the hole card is turned up, the dealer plays, and every hand is settled.

Rule: the dealer draws only if some hand's result depends on it; a rotating banker chooses on soft
17 to 20. Cards still face down are turned up, however the round ended. Settlement goes by seat and
from left to right.

Source: docs/rules.md, sections 3 and 8.
"""

from service.rules.banking import banker_chooses
from service.rules.dealer_play import dealer_draws, depends_on_dealer
from service.rules.hand import Action
from service.rules.insurance import insurance_returns
from service.rules.rule_set import Insurance, RuleSet
from service.rules.settlement import settle_hands
from service.rules.totals import is_two_card_21
from service.table.causes import Cause
from service.table.deciding.draft import Draft, hole_card
from service.table.deciding.finish import after_settlement
from service.table.deciding.first_card import turn_first_card
from service.table.events import (
    BankerTurnStarted,
    BankMove,
    BankMoved,
    DealerCardDealt,
    DealerStood,
    HandSettled,
    HoleCardTurned,
    InsuranceSettled,
    RoundSettled,
    SettledSeat,
)
from service.table.state import Seat


def showdown(draft: Draft) -> None:
    """Turn up what lies face down, let the dealer play, settle, and go on between the rounds."""
    turn_up(draft)
    if any(depends_on_dealer(hand) for seat in draft.state.dealt_in for hand in seat.hands):
        dealer_play(draft)
    else:
        settle(draft)


def turn_up(draft: Draft) -> None:
    """Turn up the hole card, and each first card that lies face down."""
    shoe, hole_at = draft.state.shoe.number, draft.state.dealer.hole_at
    draft.emit(
        HoleCardTurned(
            hole_card(draft.state, draft.chance), hole_at, draft.chance.salt(shoe, hole_at)
        )
    )
    for seat in draft.state.dealt_in:
        turn_first_card(draft, seat.number)


def dealer_play(draft: Draft) -> None:
    """Let the dealer draw until a banker has to choose, or all is settled."""
    rules = draft.state.rules
    while True:
        cards = draft.state.dealer.cards
        if banker_chooses(rules, cards):
            draft.emit(BankerTurnStarted(draft.state.banker))
            draft.limit(rules.turn_seconds)
            return
        if not dealer_draws(rules, cards):
            settle(draft)
            return
        draft.emit(DealerCardDealt(*draft.next_card()))


def act_as_banker(draft: Draft, action: Action) -> None:
    """Carry out a banker's choice: draw a card and go on, or stand."""
    if action is Action.HIT:
        draft.emit(DealerCardDealt(*draft.next_card()))
        dealer_play(draft)
    else:
        stand_as_banker(draft, Cause.PLAYER)


def stand_as_banker(draft: Draft, cause: Cause) -> None:
    """Stand on the dealer's soft hand, and settle."""
    draft.emit(DealerStood(cause))
    settle(draft)


def settle(draft: Draft) -> None:
    """Settle every hand and insurance, by seat and from left to right, and go on."""
    rules, dealer = draft.state.rules, draft.state.dealer.cards
    dealer_natural = is_two_card_21(dealer)
    bank = 0
    for seat in draft.state.dealt_in:
        for number, (result, returned) in enumerate(
            settle_hands(rules, seat.hands, dealer, seat.stake, seat.insurance > 0), start=1
        ):
            draft.emit(HandSettled(seat.number, number, result, returned))
            bank += seat.hands[number - 1].stake - returned
        if seat.insurance:
            back = _insurance_returns(rules, seat, dealer_natural)
            draft.emit(InsuranceSettled(seat.number, back))
            if rules.insurance is Insurance.TWO_TO_ONE:
                bank += seat.insurance - back
    close_round(draft, bank)


def _insurance_returns(rules: RuleSet, seat: Seat, dealer_natural: bool) -> int:
    if seat.left or rules.insurance is not Insurance.TWO_TO_ONE:
        return 0
    return insurance_returns(seat.insurance, dealer_natural)


def close_round(draft: Draft, bank: int) -> None:
    """Move what the hands brought into a rotating bank, and close the books of the round."""
    if draft.state.rotates:
        draft.emit(BankMoved(bank, BankMove.HANDS))
    close_books(draft)


def close_books(draft: Draft) -> None:
    """Write down what the round brought every seat, and go on between the rounds."""
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
                if seat.staked or seat.returned
            )
        )
    )
    after_settlement(draft)
