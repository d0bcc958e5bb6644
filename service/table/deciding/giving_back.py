"""Giving time back: a deadline does not count time in which nobody could answer.

Rule: the service was away for some seconds, or the database's clock was set forward. Then the open
decision has as long left at the end of the interruption as it had at its beginning; after an outage
at least `RETURN_SECONDS`, but no more than the whole time of the decision, because players have to
connect again. Each interruption counts once, and a decision gets time back `MOST_TIMES` times at
most: a service that keeps failing can't delay a match without end.

Source: docs/rules.md, section 7.
"""

from service.rules.reasons import Reason, Refused
from service.table.causes import InterruptionCause
from service.table.commands import GiveTimeBack
from service.table.deciding.draft import SECOND, Draft
from service.table.deciding.opening import open_round
from service.table.events import TimeGivenBack
from service.table.phase import Phase
from service.table.state import State

RETURN_SECONDS = 5
MOST_TIMES = 5


def give_time_back(draft: Draft, command: GiveTimeBack) -> None:
    """Move the deadline of the open decision."""
    was = draft.state.deadline
    deadline = deadline_after(draft.state, command)
    if not deadline or command.to_at > draft.now:
        raise Refused(Reason.NOT_DUE, "no open decision gets time back", deadline=was)
    open_round(draft)
    draft.emit(TimeGivenBack(command.cause, command.from_at, command.to_at, was, deadline))


def deadline_after(state: State, interruption: GiveTimeBack) -> int:
    """The deadline of the open decision after an interruption; 0 if it gets no time back."""
    if not state.deadline or state.times_given >= MOST_TIMES:
        return 0
    whole = _seconds(state) * SECOND
    began = max(interruption.from_at, counted_until(state))
    if not began < min(interruption.to_at, state.deadline):
        return 0
    left = state.deadline - began
    if interruption.cause is InterruptionCause.OUTAGE:
        left = max(left, min(RETURN_SECONDS * SECOND, whole))
    return interruption.to_at + left


def counted_until(state: State) -> int:
    """When the open decision began, or the last interruption ended for which it got time back: what
    was before does not concern it."""
    return state.given_until or state.deadline - _seconds(state) * SECOND


def _seconds(state: State) -> int:
    """How long the open decision may take."""
    match state.phase:
        case Phase.INSURANCE:
            return state.rules.insurance_seconds
        case Phase.TURNS | Phase.BANKER:
            return state.rules.turn_seconds
    return state.rules.bet_seconds
