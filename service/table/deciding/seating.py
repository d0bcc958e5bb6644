"""Seats: sitting down, being ready, leaving.

Rule: a table with one seat starts when it is taken; any other when at least the minimum is seated
and every seated player is ready, or when it is full. A scheduled table takes no one after its
start; an open-ended one does between rounds, and a player who comes back gets the stack they left
with. It takes 500 players in all.

Leaving between rounds frees the seat, and bets on it come back. Leaving in a running
round forfeits every hand of the seat that is not already bust, and its insurance; against a
rotating banker only the hands that are still open. In a ranked match who leaves has forfeited the
match; who leaves before the start was never in it. When a banker leaves between rounds, the bets
placed against that bank come back.

Source: docs/rules.md, section 7.
"""

from service.rules.hand import EndCause
from service.rules.reasons import Reason, Refused
from service.rules.stakes import is_broke
from service.table.commands import SetReady, TakeSeat
from service.table.deciding.bank import fill_a_vacant_bank, first_banker, pass_the_bank
from service.table.deciding.draft import Draft, refuse_finished, seated
from service.table.events import (
    BankChange,
    BetReturned,
    ClientSeedGiven,
    DeadlineSet,
    HandEnded,
    PairBetReturned,
    SeatLeft,
    SeatOut,
    SeatReady,
    SeatTaken,
    TableStarted,
)
from service.table.phase import Phase
from service.table.state import MOST_PLAYERS, Seat


def take_seat(draft: Draft, command: TakeSeat) -> None:
    """Sit down on a free seat."""
    state = draft.state
    rules = state.rules
    if state.phase is Phase.FINISHED:
        refuse_finished(state)
    own = state.seat_of(command.player)
    if own:
        raise Refused(
            Reason.ALREADY_SEATED, "you have a seat at this table already", seat=own.number
        )
    if not 0 <= command.seat <= rules.max_seats:
        raise Refused(
            Reason.FIELD_INVALID,
            f"seat {command.seat}: the seats here are 1 to {rules.max_seats}, 0 is any",
            field="seat",
        )
    if state.started and rules.rounds:
        raise Refused(
            Reason.TABLE_STARTED, "this table takes no one after its start", round=state.round
        )
    if not state.between_rounds:
        raise Refused(Reason.ROUND_RUNNING, "a seat can be taken between rounds", round=state.round)
    taken = {seat.number for seat in state.seats}
    free = [number for number in range(1, rules.max_seats + 1) if number not in taken]
    if not free:
        raise Refused(Reason.TABLE_FULL, "every seat at this table is taken", limit=rules.max_seats)
    if command.seat and command.seat not in free:
        raise Refused(Reason.SEAT_OCCUPIED, f"seat {command.seat} is taken", seat=command.seat)
    comes_back = any(one.player == command.player for one in state.departed)
    if not (comes_back or state.takes_newcomers):
        raise Refused(
            Reason.TABLE_FULL,
            f"this table has had {MOST_PLAYERS} players, and takes no new one",
            limit=MOST_PLAYERS,
        )
    sit(draft, command.player, command.seat or free[0], command.client_seed)


def sit(draft: Draft, player: str, number: int, client_seed: str = "") -> None:
    """Seat a player, and start the table if that fills it."""
    rules = draft.state.rules
    left_with = [one.stack for one in draft.state.departed if one.player == player]
    stack = left_with[0] if left_with else rules.starting_stack
    draft.emit(SeatTaken(number, player, stack))
    first_banker(draft)
    if is_broke(rules, stack):
        draft.emit(SeatOut(number))
    fill_a_vacant_bank(draft)
    if client_seed:
        draft.emit(ClientSeedGiven(number, client_seed))
    if not draft.state.started and len(draft.state.seats) == rules.max_seats:
        _start(draft)


def set_ready(draft: Draft, command: SetReady) -> None:
    """Say that the table may start; it does when enough are seated and all are ready."""
    seat = seated(draft.state, command.player)
    if draft.state.started or seat.ready:
        raise Refused(Reason.WRONG_PHASE, "this seat is ready already", phase=draft.state.phase)
    draft.emit(SeatReady(seat.number))
    _start_if_all_are_ready(draft)


def _start_if_all_are_ready(draft: Draft) -> None:
    seats = draft.state.seats
    if len(seats) >= draft.state.rules.min_seats and all(one.ready for one in seats):
        _start(draft)


def _start(draft: Draft) -> None:
    draft.emit(TableStarted())
    if draft.state.rules.rounds:
        draft.limit(draft.state.rules.bet_seconds)


def leave_between_rounds(draft: Draft, seat: Seat) -> None:
    """Free a seat; its bet, and pair bets of others on its cards, come back."""
    if seat.staked:
        draft.emit(BetReturned(seat.number, seat.staked))
    for other in draft.state.seats:
        if other.number != seat.number and any(bet.seat == seat.number for bet in other.pair_bets):
            stake = next(bet.stake for bet in other.pair_bets if bet.seat == seat.number)
            draft.emit(PairBetReturned(other.number, seat.number, stake))
    held_the_bank = draft.state.banker == seat.number
    if held_the_bank and draft.state.started:
        for other in draft.state.seats:
            if other.staked and other.number != seat.number:
                draft.emit(BetReturned(other.number, other.staked))
    draft.emit(SeatLeft(seat.number, seat.stack + seat.staked, draft.state.forfeits_when_left))
    if draft.state.deadline and not draft.state.rules.rounds:
        _stop_the_clock_without_bets(draft)
    if held_the_bank and draft.state.started:
        pass_the_bank(draft, BankChange.LEFT)
    if not draft.state.started:
        first_banker(draft)
        _start_if_all_are_ready(draft)


def _stop_the_clock_without_bets(draft: Draft) -> None:
    """An open-ended table's betting clock runs from the first bet; it stops if all came back."""
    if not any(seat.stake for seat in draft.state.seats):
        draft.emit(DeadlineSet(0))


def leave_running_round(draft: Draft, seat: Seat) -> None:
    """Forfeit a punter's hands; a seat that sits the round out is free at once.

    Against a house banker every hand that is not bust is lost; against a rotating one those that
    are still open, while finished ones are settled as if the player had stayed.
    """
    draft.emit(SeatLeft(seat.number, seat.stack, draft.state.forfeits_when_left))
    for number, hand in enumerate(seat.hands, start=1):
        stays = hand.ended if draft.state.rotates else hand.ended is EndCause.BUST
        if not stays:
            draft.emit(HandEnded(seat.number, number, EndCause.FORFEITED))
