"""The bank at a table whose players take turns as banker: what it covers, and who holds it next.

With a house banker nothing here does anything: the house covers all, and the bank never moves.

Source: docs/rules.md, section 8.
"""

from service.rules.banking import can_hold_the_bank, next_banker, steps_down
from service.rules.coverage import hand_risk, pair_bet_risk, stake_risk
from service.rules.money import chips
from service.rules.reasons import Reason, Refused
from service.table.deciding.draft import Draft
from service.table.events import BankChange, BankerChanged
from service.table.state import State


def cover_left(state: State) -> int | None:
    """How much of the banker's stack nothing at stake has a claim on (minor units); None: the house
    covers all."""
    if not state.rotates:
        return None
    risk = 0
    for seat in state.seats:
        if seat.hands:
            risk += sum(hand_risk(state.rules, hand) for hand in seat.hands)
        else:
            risk += stake_risk(state.rules, seat.stake)
        risk += sum(
            pair_bet_risk(state.rules, bet.stake) for bet in seat.pair_bets if not bet.settled
        )
    return state.seat(state.banker).stack - risk


def covers(state: State, more: int) -> bool:
    """Whether the bank can lose `more` (minor units)."""
    left = cover_left(state)
    return left is None or more <= left


def require_cover(state: State, more: int) -> None:
    """Refuse what the banker's stack does not cover."""
    if not covers(state, more):
        left = cover_left(state) or 0
        raise Refused(
            Reason.NOT_COVERED,
            f"the banker can pay {chips(max(left, 0))} chips more, and this needs {chips(more)}",
            cover=max(left, 0),
        )


def move_bank_after_round(draft: Draft) -> None:
    """Let the banker step down if the rules say so, after a round that has just been settled."""
    state = draft.state
    if not state.rotates or not state.banker:
        return
    banker = state.seat(state.banker)
    gains = [sum(hand.returned - hand.stake for hand in seat.hands) for seat in state.dealt_in]
    if banker.left:
        pass_the_bank(draft, BankChange.LEFT)
    elif steps_down(state.rules, banker.stack, gains):
        small = not can_hold_the_bank(state.rules, banker.stack)
        pass_the_bank(draft, BankChange.TOO_SMALL if small else BankChange.EVERYBODY_GAINED)


def pass_the_bank(draft: Draft, cause: BankChange) -> None:
    """Give the bank to the next seat that can hold it, or to nobody."""
    draft.emit(BankerChanged(_next_in_line(draft.state), cause))


def _next_in_line(state: State) -> int:
    stacks = {
        seat.number: seat.stack
        for seat in state.seats
        if seat.number != state.banker and not (seat.left or seat.out)
    }
    return next_banker(state.rules, stacks, state.banker or state.last_banker)


def first_banker(draft: Draft) -> None:
    """Before the start the earliest seated player is the banker."""
    state = draft.state
    if not state.rotates or state.started:
        return
    earliest = min(state.seats, key=lambda seat: seat.arrival, default=None)
    number = earliest.number if earliest else 0
    if number != state.banker:
        draft.emit(BankerChanged(number, BankChange.FIRST))


def fill_a_vacant_bank(draft: Draft) -> None:
    """Give a bank that nobody holds to a player who can hold it, once somebody has sat down."""
    state = draft.state
    if state.rotates and state.started and not state.banker and _next_in_line(state):
        pass_the_bank(draft, BankChange.VACANT)
