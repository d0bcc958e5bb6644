"""Decide: what follows from a command, under the rules.

`decide` is a pure function of the state, the command, the cards and the time; it gives the events
that happen, or raises `Refused` and nothing happens. `play` gives the state that they lead to as
well. This is the only place where a rule is applied to a table.
"""

from service.rules.hand import Action, EndCause
from service.rules.reasons import Reason, Refused
from service.table import commands as c
from service.table.causes import Cause
from service.table.chance import Chance
from service.table.deciding.bank import cover_left
from service.table.deciding.betting import (
    go_on_between_rounds,
    go_on_with_betting,
    place_bet,
    sit_out,
)
from service.table.deciding.decision import decision_token, is_past
from service.table.deciding.draft import Draft, seated
from service.table.deciding.finish import (
    close_idle,
    close_table,
)
from service.table.deciding.giving_back import give_time_back
from service.table.deciding.insuring import answer_insurance, peek_if_answered
from service.table.deciding.legal_actions import legal_actions, refusal, stake_of
from service.table.deciding.opening import open_round, open_table
from service.table.deciding.running_away import leave_as_banker
from service.table.deciding.seating import (
    leave_between_rounds,
    leave_running_round,
    set_ready,
    take_seat,
)
from service.table.deciding.showdown import act_as_banker, showdown
from service.table.deciding.time_out import time_out
from service.table.deciding.turns import act_on_hand, next_turn
from service.table.deciding.voiding import void_round
from service.table.events import Event
from service.table.phase import Phase
from service.table.state import Seat, State


def decide(state: State, command: c.Command, chance: Chance, now: int) -> tuple[Event, ...]:
    """The events that follow from a command at a time (microseconds since 1970); or `Refused`."""
    return play(state, command, chance, now)[0]


def play(
    state: State, command: c.Command, chance: Chance, now: int
) -> tuple[tuple[Event, ...], State]:
    """The events that follow from a command, and the state after them; or `Refused`."""
    draft = Draft(state, chance, now)
    match command:
        case c.Act():
            _act(draft, command)
        case c.PlaceBet():
            place_bet(draft, command)
        case c.SitOut():
            sit_out(draft, command)
        case c.TimeOut():
            time_out(draft, command)
        case c.GiveTimeBack():
            give_time_back(draft, command)
        case c.OpenTable():
            open_table(draft, command)
        case c.TakeSeat():
            open_round(draft)
            take_seat(draft, command)
            go_on_with_betting(draft)
        case c.SetReady():
            set_ready(draft, command)
        case c.LeaveSeat():
            open_round(draft)
            _leave(draft, command)
        case c.CloseTable():
            open_round(draft)
            close_table(draft, command)
        case c.VoidRound():
            void_round(draft, command)
        case c.CloseIdle():
            open_round(draft)
            close_idle(draft)
        case _:
            raise TypeError(f"no table knows the command {command!r}")
    return tuple(draft.events), draft.state


def _act(draft: Draft, command: c.Act) -> None:
    state = draft.state
    sits = state.seat_of(command.player)
    if sits and is_past(state, sits, command.decision):
        raise _changed(command.decision, decision_token(state, sits))
    seat = seated(state, command.player)
    token = decision_token(state, seat)
    if not token and state.phase in (Phase.TURNS, Phase.BANKER):
        raise Refused(
            Reason.NOT_YOUR_TURN, "it is another seat's turn", active_seat=state.active_seat
        )
    if not token:
        raise Refused(
            Reason.WRONG_PHASE, "there is nothing for you to decide now", phase=state.phase
        )
    if command.decision != token:
        raise _changed(command.decision, token)
    reason = refusal(state, seat, command.action, draft.chance)
    if reason:
        raise _refused(draft, seat, command.action, reason)
    if state.phase is Phase.BANKER:
        act_as_banker(draft, command.action)
    elif command.action in (Action.INSURE, Action.DECLINE):
        answer_insurance(draft, seat, command.action, Cause.PLAYER)
    else:
        act_on_hand(draft, seat, state.active_hand, command.action)


def _changed(named: str, token: str) -> Refused:
    is_open = f"{token} is" if token else "you have nothing to decide now"
    return Refused(
        Reason.DECISION_CHANGED, f"decision {named!r} is not open; {is_open}", decision=token
    )


def _refused(draft: Draft, seat: Seat, action: Action, reason: Reason) -> Refused:
    state = draft.state
    legal = legal_actions(state, seat, draft.chance)
    message = f"{action} is not open to you now; {', '.join(legal)} is"
    match reason:
        case Reason.STACK_TOO_SMALL:
            needed = stake_of(state, seat, action)
            return Refused(reason, message, stake=needed, stack=seat.stack)
        case Reason.NOT_COVERED:
            return Refused(reason, message, cover=max(cover_left(state) or 0, 0))
        case Reason.WRONG_PHASE:
            return Refused(reason, message, phase=state.phase)
    return Refused(reason, message, legal_actions=",".join(one.name for one in legal))


def _leave(draft: Draft, command: c.LeaveSeat) -> None:
    """Leave, and let the table go on without the seat."""
    seat = seated(draft.state, command.player)
    if draft.state.between_rounds:
        leave_between_rounds(draft, seat)
        go_on_between_rounds(draft)
        return
    if draft.state.banker == seat.number:
        leave_as_banker(draft, seat)
        return
    was_active = draft.state.active_seat == seat.number
    leave_running_round(draft, seat)
    if all(
        hand.ended in (EndCause.BUST, EndCause.FORFEITED)
        for one in draft.state.dealt_in
        for hand in one.hands
    ):
        showdown(draft)
    elif draft.state.phase is Phase.INSURANCE and seat.insurance_open:
        peek_if_answered(draft)
    elif was_active:
        next_turn(draft)
