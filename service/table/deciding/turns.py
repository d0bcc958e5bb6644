"""Turns: seat by seat, hand by hand from left to right.

Rule: a natural takes no action; a hand of 21 or more ends by itself, also right after a split. Of a
split pair each hand gets its second card when its turn comes, the left one at once. When no hand is
open any more, the dealer plays.

Source: docs/rules.md, sections 3 and 4.
"""

from service.rules.bonuses import bonus_of
from service.rules.hand import Action, EndCause, Hand
from service.rules.splitting import ends_as_split_ace
from service.rules.totals import BEST, total
from service.table.deciding.bank import covers
from service.table.deciding.draft import Draft
from service.table.deciding.first_card import turn_first_card
from service.table.deciding.showdown import showdown
from service.table.events import HandDoubled, HandEnded, HandHit, HandSplit, TurnStarted
from service.table.state import Seat


def act_on_hand(draft: Draft, seat: Seat, number: int, action: Action) -> None:
    """Carry out an action, found legal, on a seat's open hand, and go on to the next decision."""
    stake = seat.hands[number - 1].stake
    match action:
        case Action.HIT:
            draft.emit(HandHit(seat.number, number))
            draft.deal_to(seat.number, number)
        case Action.DOUBLE:
            draft.emit(HandDoubled(seat.number, number, stake))
            draft.deal_to(seat.number, number)
        case Action.SPLIT:
            turn_first_card(draft, seat.number)
            draft.emit(HandSplit(seat.number, number, stake))
            draft.deal_to(seat.number, number)
        case Action.STAND:
            end_hand(draft, seat.number, number, EndCause.STOOD)
            return
        case Action.SURRENDER:
            end_hand(draft, seat.number, number, EndCause.SURRENDERED)
            return
    if _end_by_itself(draft, seat.number, number):
        next_turn(draft)
    else:
        draft.limit(draft.state.rules.turn_seconds)


def end_hand(draft: Draft, seat: int, number: int, cause: EndCause) -> None:
    """End the open hand, and go on to the next decision."""
    draft.emit(HandEnded(seat, number, cause))
    next_turn(draft)


def next_turn(draft: Draft) -> None:
    """Open the next hand that has to be decided on; when there is none, the dealer plays."""
    for seat in draft.state.dealt_in:
        for number, hand in enumerate(seat.hands, start=1):
            if hand.ended:
                continue
            if len(hand.cards) == 1:
                draft.deal_to(seat.number, number)
                if _end_by_itself(draft, seat.number, number):
                    continue
            draft.emit(TurnStarted(seat.number, number))
            draft.limit(draft.state.rules.turn_seconds)
            return
    showdown(draft)


def _end_by_itself(draft: Draft, number: int, hand_number: int) -> bool:
    """End a hand that has just got a card, if it ends by itself; whether it did."""
    seat = draft.state.seat(number)
    hand = seat.hands[hand_number - 1]
    cause = _end_cause(draft, seat, hand)
    if cause is None:
        return False
    if cause is EndCause.BUST:
        turn_first_card(draft, number)
    draft.emit(HandEnded(number, hand_number, cause))
    return True


def _end_cause(draft: Draft, seat: Seat, hand: Hand) -> EndCause | None:
    rules = draft.state.rules
    cards = draft.cards_of(hand)
    if bonus_of(rules, cards, hand.split):
        return EndCause.BONUS
    count = total(cards)[0]
    if count > BEST:
        return EndCause.BUST
    if hand.doubled:
        return EndCause.DOUBLED
    if count == BEST:
        return EndCause.TWENTY_ONE
    covered = covers(draft.state, hand.stake)
    if ends_as_split_ace(rules, hand, len(seat.hands), seat.stack, covered):
        return EndCause.SPLIT_ACE
    return None
