"""How the events that move chips change the state: bets, insurance, settlement.

One function an event, of the event's name.
"""

from msgspec.structs import replace

from service.table import events as e
from service.table.evolving.seat_changes import with_seat
from service.table.phase import Phase
from service.table.state import PlacedPairBet, Seat, State


def stack_refilled(state: State, event: e.StackRefilled) -> State:
    return replace(state, seats=with_seat(state, event.seat, stack=event.stack, refilled=True))


def bet_placed(state: State, event: e.BetPlaced) -> State:
    seat = state.seat(event.seat)
    staked = event.stake + sum(bet.stake for bet in event.pair_bets)
    return replace(
        state,
        seats=with_seat(
            state,
            event.seat,
            stack=seat.stack - staked,
            stake=event.stake,
            last_stake=event.stake,
            pair_bets=tuple(PlacedPairBet(bet.seat, bet.stake) for bet in event.pair_bets),
            staked=staked,
        ),
    )


def sat_out(state: State, event: e.SatOut) -> State:
    return replace(state, seats=with_seat(state, event.seat, sits_out=True))


def pair_bet_returned(state: State, event: e.PairBetReturned) -> State:
    seat = state.seat(event.seat)
    return replace(
        state,
        seats=with_seat(
            state,
            event.seat,
            stack=seat.stack + event.stake,
            staked=seat.staked - event.stake,
            pair_bets=tuple(bet for bet in seat.pair_bets if bet.seat != event.on),
        ),
    )


def bet_returned(state: State, event: e.BetReturned) -> State:
    seat = state.seat(event.seat)
    return replace(
        state,
        seats=with_seat(
            state, event.seat, stack=seat.stack + event.returned, stake=0, pair_bets=(), staked=0
        ),
    )


def pair_bet_settled(state: State, event: e.PairBetSettled) -> State:
    seat = state.seat(event.seat)
    return replace(
        state,
        seats=with_seat(
            state,
            event.seat,
            stack=seat.stack + event.returned,
            returned=seat.returned + event.returned,
            pair_bets=tuple(
                replace(bet, settled=True, returned=event.returned) if bet.seat == event.on else bet
                for bet in seat.pair_bets
            ),
        ),
    )


def insurance_offered(state: State, event: e.InsuranceOffered) -> State:
    return replace(
        state,
        phase=Phase.INSURANCE,
        seats=tuple(
            replace(seat, insurance_open=True) if seat.number in event.seats else seat
            for seat in state.seats
        ),
    )


def insurance_taken(state: State, event: e.InsuranceTaken) -> State:
    seat = state.seat(event.seat)
    return replace(
        state,
        seats=with_seat(
            state,
            event.seat,
            stack=seat.stack - event.stake,
            staked=seat.staked + event.stake,
            insurance=event.stake,
            insurance_open=False,
        ),
    )


def insurance_declined(state: State, event: e.InsuranceDeclined) -> State:
    return replace(
        state, seats=with_seat(state, event.seat, insurance_open=False, insurance_declined=True)
    )


def hand_settled(state: State, event: e.HandSettled) -> State:
    seat = state.seat(event.seat)
    hands = list(seat.hands)
    hands[event.hand - 1] = replace(
        hands[event.hand - 1], result=event.result, returned=event.returned
    )
    return replace(
        state,
        seats=with_seat(
            state,
            event.seat,
            hands=tuple(hands),
            stack=seat.stack + event.returned,
            returned=seat.returned + event.returned,
        ),
    )


def insurance_settled(state: State, event: e.InsuranceSettled) -> State:
    seat = state.seat(event.seat)
    return replace(
        state,
        seats=with_seat(
            state,
            event.seat,
            stack=seat.stack + event.returned,
            returned=seat.returned + event.returned,
            insurance_returned=event.returned,
        ),
    )


def round_settled(state: State, event: e.RoundSettled) -> State:
    return replace(
        state,
        phase=Phase.SETTLED,
        seats=tuple(
            replace(seat, insurance_open=False) if seat.insurance_open else seat
            for seat in state.seats
        ),
        active_seat=0,
        active_hand=0,
        deadline=0,
    )


def round_voided(state: State, event: e.RoundVoided) -> State:
    voided = {one.player: one for one in event.seats}
    return replace(
        state,
        seats=tuple(
            _after_void(seat, voided[seat.player], state.running) if seat.player in voided else seat
            for seat in state.seats
        ),
        departed=tuple(
            replace(one, stack=voided[one.player].stack) if one.player in voided else one
            for one in state.departed
        ),
        voided=(*state.voided, event.round),
        void_reason=event.reason if event.round == state.round else state.void_reason,
        standings=event.standings or state.standings,
    )


def _after_void(seat: Seat, voided: e.VoidedSeat, running: bool) -> Seat:
    returned = seat.returned + voided.reversed if running else seat.returned
    return replace(seat, stack=voided.stack, returned=returned)


def bank_moved(state: State, event: e.BankMoved) -> State:
    seat = state.seat(state.banker)
    return replace(
        state,
        seats=with_seat(
            state,
            state.banker,
            stack=seat.stack + event.amount,
            staked=seat.staked + max(-event.amount, 0),
            returned=seat.returned + max(event.amount, 0),
        ),
    )
