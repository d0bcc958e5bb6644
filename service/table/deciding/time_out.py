"""Time out: the table answers for seats that did not.

Rule: no bet in time, and the seat sits the round out; no answer in time, and insurance is declined
and a turn stands that hand only. A deadline binds whether or not any client is connected.

Source: docs/rules.md, section 7.
"""

from service.rules.hand import Action, EndCause
from service.rules.reasons import Reason, Refused
from service.table.causes import Cause
from service.table.commands import TimeOut
from service.table.deciding.betting import close_betting_if_answered, unanswered
from service.table.deciding.draft import Draft
from service.table.deciding.insuring import answer_insurance
from service.table.deciding.opening import open_round
from service.table.deciding.showdown import stand_as_banker
from service.table.deciding.turns import end_hand
from service.table.events import SatOut
from service.table.phase import Phase


def time_out(draft: Draft, command: TimeOut) -> None:
    """Answer every open question, or only that of the seat that the command names."""
    state = draft.state
    if not command.seat and not 0 < state.deadline <= draft.now:
        raise Refused(Reason.NOT_DUE, "no deadline has passed", deadline=state.deadline)
    match state.phase:
        case Phase.BETTING | Phase.SETTLED:
            open_round(draft)
            for seat in unanswered(draft.state):
                if command.seat in (0, seat.number):
                    draft.emit(SatOut(seat.number, Cause.TIME_OUT))
            close_betting_if_answered(draft)
        case Phase.INSURANCE:
            for seat in state.seats:
                if seat.insurance_open and command.seat in (0, seat.number):
                    answer_insurance(draft, seat, Action.DECLINE, Cause.TIME_OUT)
        case Phase.BANKER if command.seat in (0, state.banker):
            stand_as_banker(draft, Cause.TIME_OUT)
        case Phase.TURNS if command.seat in (0, state.active_seat):
            end_hand(draft, state.active_seat, state.active_hand, EndCause.TIME_OUT)
    if not draft.events:
        raise Refused(Reason.NOT_DUE, "this seat has nothing to answer", deadline=state.deadline)
