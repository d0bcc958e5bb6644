"""How the events of a table's life change the state: opening, seats, rounds, the end.

One function an event, of the event's name.
"""

from msgspec.structs import replace

from service.table import events as e
from service.table.evolving.seat_changes import with_seat
from service.table.phase import Phase
from service.table.state import Departed, Seat, Shoe, State


def table_opened(state: State, event: e.TableOpened) -> State:
    return replace(
        state, rules=event.rule_set, round=1, shoe=Shoe(next_commitment=event.commitment)
    )


def seat_taken(state: State, event: e.SeatTaken) -> State:
    arrival = state.entrants + 1
    seats = (*state.seats, Seat(event.seat, event.player, event.stack, arrival=arrival))
    return replace(
        state,
        seats=tuple(sorted(seats, key=lambda seat: seat.number)),
        departed=tuple(one for one in state.departed if one.player != event.player),
        entrants=arrival,
    )


def client_seed_given(state: State, event: e.ClientSeedGiven) -> State:
    return replace(state, seats=with_seat(state, event.seat, client_seed=event.seed))


def seat_ready(state: State, event: e.SeatReady) -> State:
    return replace(state, seats=with_seat(state, event.seat, ready=True))


def table_started(state: State, event: e.TableStarted) -> State:
    return replace(state, phase=Phase.BETTING, started=True, entrants=len(state.seats))


def seat_left(state: State, event: e.SeatLeft) -> State:
    seat = state.seat(event.seat)
    if not state.between_rounds and (seat.hands or seat.number == state.banker):
        seats = with_seat(state, event.seat, left=True, insurance_open=False, stack=event.stack)
        return replace(state, seats=seats)
    seats = tuple(one for one in state.seats if one.number != event.seat)
    if not state.started:
        return replace(state, seats=seats)
    departed = Departed(seat.player, seat.number, event.stack, event.forfeited)
    return replace(state, seats=seats, departed=(*state.departed, departed))


def round_opened(state: State, event: e.RoundOpened) -> State:
    return State(
        rules=state.rules,
        phase=Phase.BETTING,
        round=event.round,
        seats=tuple(
            Seat(
                one.seat,
                one.player,
                one.stack,
                last_stake=one.last_stake,
                ready=True,
                out=one.out,
                client_seed=one.client_seed,
            )
            for one in event.seats
        ),
        departed=event.departed,
        shoe=event.shoe,
        started=True,
        entrants=event.entrants,
        deadline=event.deadline,
        banker=event.banker,
        last_banker=event.last_banker,
        voided=event.voided,
    )


def banker_changed(state: State, event: e.BankerChanged) -> State:
    last = state.banker or state.last_banker
    return replace(state, banker=event.seat, last_banker=event.seat or last)


def table_closing(state: State, event: e.TableClosing) -> State:
    return replace(state, closing=True)


def table_finished(state: State, event: e.TableFinished) -> State:
    return replace(
        state,
        phase=Phase.FINISHED,
        finish=event.cause,
        standings=event.standings,
        deadline=0,
    )


def seat_out(state: State, event: e.SeatOut) -> State:
    return replace(state, seats=with_seat(state, event.seat, out=True))


def seat_back_in(state: State, event: e.SeatBackIn) -> State:
    return replace(state, seats=with_seat(state, event.seat, out=False))


def deadline_set(state: State, event: e.DeadlineSet) -> State:
    return replace(state, deadline=event.deadline, times_given=0, given_until=0)


def time_given_back(state: State, event: e.TimeGivenBack) -> State:
    return replace(
        state,
        deadline=event.deadline,
        times_given=state.times_given + 1,
        given_until=event.to_at,
    )
