"""Voiding a round: an operator declares that it does not count, and says why.

Rule: of the round that is running every stake goes back, and what was paid of it already is
reversed, so that every stack is what it was before the round's bets. Cards stay dealt, and those
that lie face down stay so; the round counts as played, and the table goes on as after any
settlement.

A settled round is voided between rounds, or when the table is finished. It is reversed as far as
the stacks reach, by player: at whatever seat, also of players who have left. Bets placed on the
coming round stay, and what a banker needs to cover them is out of reach. Then a seat that can't
cover the minimum bet is out, and one that can again is back in; at a finished table the standings
are given again.

A round is voided once only. Source: docs/rules.md, section 11.
"""

import re
from collections.abc import Iterable
from typing import Protocol

from msgspec.structs import replace

from service.rules.banking import can_hold_the_bank
from service.rules.money import MAX_AMOUNT
from service.rules.reasons import Reason, Refused
from service.rules.stakes import is_broke
from service.rules.voiding import reversals
from service.table.commands import SeatNet, VoidRound
from service.table.deciding.bank import cover_left, fill_a_vacant_bank, pass_the_bank
from service.table.deciding.betting import go_on_between_rounds
from service.table.deciding.draft import Draft
from service.table.deciding.finish import standings
from service.table.deciding.opening import open_round
from service.table.deciding.showdown import close_books
from service.table.events import BankChange, RoundVoided, SeatBackIn, SeatOut, VoidedSeat
from service.table.evolving.evolve import evolve
from service.table.phase import Phase
from service.table.state import Departed, Seat, State

LONGEST_REASON = 200
"""Characters."""
# Controls, line ends, and what hides or turns around the text beside it. Named by their numbers,
# because the result of a command may not depend on which characters this Python knows.
_NOT_SHOWN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\ud800-\udfff\U000e0000-\U000e007f]"
)


class _Books(Protocol):
    """What is known of a settled seat, in the journal or beside it."""

    @property
    def seat(self) -> int: ...
    @property
    def player(self) -> str: ...
    @property
    def net(self) -> int: ...


def nets_of(books: Iterable[_Books]) -> tuple[SeatNet, ...]:
    """What a settled round brought each seat, from its books, which are in the order of seats."""
    return tuple(SeatNet(one.seat, one.player, one.net) for one in books if one.net)


def void_round(draft: Draft, command: VoidRound) -> None:
    """Void the running round, or a settled one."""
    _check_reason(command.reason)
    _refuse_if_it_can_not_be_voided(draft.state, command)
    if draft.state.running:
        _void_running(draft, command)
        return
    open_round(draft)
    _void_settled(draft, command)
    if draft.state.phase is not Phase.FINISHED:
        _let_seats_out_and_back_in(draft)
        _let_the_bank_move_on(draft)
        go_on_between_rounds(draft)


def _check_reason(reason: str) -> None:
    if not reason.strip() or len(reason) > LONGEST_REASON or _NOT_SHOWN.search(reason):
        raise Refused(
            Reason.FIELD_INVALID,
            f"reason: 1 to {LONGEST_REASON} printable characters, which every player will see",
            field="reason",
        )


def _refuse_if_it_can_not_be_voided(state: State, command: VoidRound) -> None:
    if command.round in state.voided:
        raise Refused(
            Reason.ROUND_VOIDED,
            f"round {command.round} has been voided already",
            round=command.round,
        )
    if command.round > state.betting_round:
        raise Refused(
            Reason.ROUND_NOT_FOUND, f"this table is at round {state.round}", round=state.round
        )
    is_running = state.running and command.round == state.round
    if state.running and not is_running:
        raise Refused(
            Reason.ROUND_RUNNING,
            f"round {state.round} is running: settled rounds are voided between rounds",
            round=state.round,
        )
    if is_running == bool(command.settlement):
        raise Refused(
            Reason.WRONG_PHASE,
            f"nothing is at stake in round {command.round}, and nothing was; if it was settled a"
            " moment ago, send this again",
            phase=state.phase,
        )


def _void_running(draft: Draft, command: VoidRound) -> None:
    """Give everything back, and go on as after a settlement."""
    seats = [
        VoidedSeat(seat.number, seat.player, back, seat.stack + back)
        for seat in draft.state.seats
        if (back := seat.staked - seat.returned) or seat.staked
    ]
    draft.emit(RoundVoided(command.round, command.reason, tuple(seats), ()))
    close_books(draft)


def _void_settled(draft: Draft, command: VoidRound) -> None:
    """Reverse what the round brought, as far as the stacks reach."""
    state = draft.state
    changes = reversals(
        state.rules.banker,
        [one.net for one in command.seats],
        [_within_reach(state, one.player) for one in command.seats],
    )
    seats = tuple(
        VoidedSeat(one.seat, one.player, change, _holder(state, one.player).stack + change)
        for one, change in zip(command.seats, changes, strict=True)
    )
    _refuse_too_large(seats)
    voided = RoundVoided(command.round, command.reason, seats, ())
    if state.phase is Phase.FINISHED:
        voided = replace(voided, standings=standings(evolve(state, voided)))
    draft.emit(voided)


def _refuse_too_large(seats: Iterable[VoidedSeat]) -> None:
    """A stack that was lost, refilled and won again can't get back all that there ever was."""
    for seat in seats:
        if seat.reversed > 0 and seat.stack > MAX_AMOUNT:
            raise Refused(
                Reason.STACK_LIMIT,
                f"the void would bring {seat.player} a stack past 2^53 - 1 minor units",
                stack=seat.stack,
            )


def _holder(state: State, player: str) -> Seat | Departed:
    """Where a player's chips are: at the seat, or, for one who left, in the record of
    departures."""
    holders: tuple[Seat | Departed, ...] = (*state.seats, *state.departed)
    return next(one for one in holders if one.player == player)


def _within_reach(state: State, player: str) -> int:
    """How much can be taken from a player (minor units): the stack; for a banker what the bets
    placed against the bank have no claim on."""
    holder = _holder(state, player)
    if isinstance(holder, Seat) and holder.number == state.banker and state.between_rounds:
        return max(cover_left(state) or 0, 0)
    return holder.stack


def _let_seats_out_and_back_in(draft: Draft) -> None:
    """A seat that has bet plays its round first."""
    for seat in draft.state.seats:
        broke = is_broke(draft.state.rules, seat.stack)
        if broke and not (seat.out or seat.stake):
            draft.emit(SeatOut(seat.number))
        elif seat.out and not broke:
            draft.emit(SeatBackIn(seat.number))


def _let_the_bank_move_on(draft: Draft) -> None:
    """A banker with too few chips gets no bets; a bank that nobody holds goes to a player who can
    hold it."""
    state = draft.state
    if not state.rotates:
        return
    bets_laid = any(seat.stake for seat in state.seats)
    if state.banker and not (bets_laid or _can_stay_banker(state)):
        pass_the_bank(draft, BankChange.TOO_SMALL)
    fill_a_vacant_bank(draft)


def _can_stay_banker(state: State) -> bool:
    return can_hold_the_bank(state.rules, state.seat(state.banker).stack)
