"""The insurance phase, and the peek that follows it.

Rule: when the upcard is an ace and the rule set has insurance, every seat dealt in is asked; seats
answer in any order, once. Who can't pay is answered "no" by the table; if none can, there is no
such phase. Then the dealer peeks, where `peek` names the upcard; with a natural the round ends.

Source: docs/rules.md, section 3.
"""

from service.rules.hand import Action
from service.rules.insurance import is_insurance_offered, premium, refuse_insurance
from service.rules.peek import peeks_under
from service.rules.rule_set import Insurance
from service.rules.totals import is_two_card_21
from service.table.causes import Cause
from service.table.deciding.draft import Draft, hole_card, upcard
from service.table.deciding.showdown import showdown
from service.table.deciding.turns import next_turn
from service.table.events import (
    BankMove,
    BankMoved,
    DealerPeeked,
    InsuranceDeclined,
    InsuranceOffered,
    InsuranceTaken,
)
from service.table.state import Seat


def offer_insurance(draft: Draft) -> None:
    """Ask the seats that can pay, or go on if insurance is not offered or nobody can."""
    if not is_insurance_offered(draft.state.rules, upcard(draft.state)):
        peek(draft)
        return
    asked = []
    for seat in draft.state.dealt_in:
        if refuse_insurance(seat.stack, seat.stake):
            draft.emit(InsuranceDeclined(seat.number, Cause.TABLE))
        else:
            asked.append(seat.number)
    if asked:
        draft.emit(InsuranceOffered(tuple(asked)))
        draft.limit(draft.state.rules.insurance_seconds)
    else:
        peek(draft)


def answer_insurance(draft: Draft, seat: Seat, action: Action, cause: Cause) -> None:
    """Take a seat's answer, and go on if it was the last one."""
    if action is Action.INSURE:
        draft.emit(InsuranceTaken(seat.number, premium(seat.stake)))
        if draft.state.rules.insurance is Insurance.PROTECTS_STAKE:
            draft.emit(BankMoved(premium(seat.stake), BankMove.PREMIUM))
    else:
        draft.emit(InsuranceDeclined(seat.number, cause))
    peek_if_answered(draft)


def peek_if_answered(draft: Draft) -> None:
    """Go on when nobody has to answer any more."""
    if not any(seat.insurance_open for seat in draft.state.seats):
        peek(draft)


def peek(draft: Draft) -> None:
    """Look at the hole card where the rules say so, then start the turns or end the round."""
    up = upcard(draft.state)
    if peeks_under(draft.state.rules, up):
        natural = is_two_card_21((up, hole_card(draft.state, draft.chance)))
        draft.emit(DealerPeeked(natural))
        if natural:
            showdown(draft)
            return
    next_turn(draft)
