"""After a settlement, and the end of a table.

Rule: between rounds a stack below the minimum bet is out, where the rule set does not refill it. A
match ends after its rounds, or when nobody who is left can cover the minimum bet, or when all have
left. Every closed betting phase counts as a round. A table that is closed gives bets back; a
dealt round is finished first. The last row of a table reveals the shoe that is still open.

Ranking: the highest stack wins, equal stacks share a rank (1-2-2-4), all who forfeited share the
last rank. A match of one player is won above the starting stack, drawn at it, lost below.

Source: docs/rules.md, section 7.
"""

from service.rules.reasons import Reason, Refused
from service.rules.rule_set import Ranking
from service.rules.stakes import is_broke
from service.table.commands import CloseTable
from service.table.deciding.bank import move_bank_after_round
from service.table.deciding.draft import Draft, refuse_finished
from service.table.events import BetReturned, SeatOut, ShoeRevealed, TableClosing, TableFinished
from service.table.phase import FinishCause, Phase
from service.table.state import Departed, Standing, State


def after_settlement(draft: Draft) -> None:
    """Put broke seats out, and finish the table or start the clock of the next betting."""
    rules = draft.state.rules
    for seat in draft.state.seats:
        if is_broke(rules, seat.stack) and not seat.out and not seat.left:
            draft.emit(SeatOut(seat.number))
    move_bank_after_round(draft)
    cause = _finish_cause(draft.state)
    if cause:
        finish_table(draft, cause)
    elif rules.rounds:
        draft.limit(rules.bet_seconds)


def _finish_cause(state: State) -> FinishCause | None:
    if state.closing:
        return FinishCause.CLOSED
    if state.rules.rounds and state.round >= state.rules.rounds:
        return FinishCause.ROUNDS_PLAYED
    return cause_without_players(state)


def cause_without_players(state: State) -> FinishCause | None:
    """Why a table that nobody can join ends now: all have left, or all who stay are broke."""
    if not state.started or (not state.rules.rounds and state.rules.max_seats > 1):
        return None
    staying = [seat for seat in state.seats if not seat.left]
    if not staying:
        return FinishCause.ALL_LEFT
    return FinishCause.BROKE if all(seat.out for seat in staying) else None


def finish_table(draft: Draft, cause: FinishCause) -> None:
    """Reveal the open shoe and close the table for good."""
    shoe = draft.state.shoe.number
    if shoe:
        draft.emit(ShoeRevealed(shoe, draft.chance.reveal(shoe)))
    draft.emit(TableFinished(cause, standings(draft.state)))


def close_table(draft: Draft, command: CloseTable) -> None:
    """Close the table: at once between rounds; for an operator after the running round."""
    state = draft.state
    if state.phase is Phase.FINISHED:
        refuse_finished(state)
    if not state.between_rounds:
        if command.player or state.closing:
            raise Refused(
                Reason.ROUND_RUNNING,
                "the running round is played to its end first",
                round=state.round,
            )
        draft.emit(TableClosing())
        return
    _give_bets_back(draft)
    finish_table(draft, FinishCause.CLOSED)


def close_idle(draft: Draft) -> None:
    """Close a table that is between rounds and has no deadline."""
    state = draft.state
    if state.phase is Phase.FINISHED:
        refuse_finished(state)
    if not state.between_rounds or state.deadline:
        raise Refused(Reason.ROUND_RUNNING, "this table is not idle", round=state.round)
    _give_bets_back(draft)
    finish_table(draft, FinishCause.IDLE)


def _give_bets_back(draft: Draft) -> None:
    for seat in draft.state.seats:
        if seat.staked and draft.state.phase is Phase.BETTING:
            draft.emit(BetReturned(seat.number, seat.staked))


def standings(state: State) -> tuple[Standing, ...]:
    """Everybody who played, by rank and then by seat."""
    ranked = state.rules.ranking is Ranking.HIGHEST_STACK
    everybody = [
        *state.departed,
        *(
            Departed(seat.player, seat.number, seat.stack, seat.left and ranked)
            for seat in state.seats
        ),
    ]
    stacks = [one.stack for one in everybody if not one.forfeited]
    placed = []
    for one in everybody:
        rank = len(stacks) + 1 if one.forfeited else 1 + sum(s > one.stack for s in stacks)
        outcome = _outcome(state, one) if ranked and state.entrants == 1 else ""
        placed.append(
            Standing(one.player, one.seat, one.stack, rank if ranked else 0, one.forfeited, outcome)
        )
    return tuple(sorted(placed, key=lambda standing: (standing.rank, standing.seat)))


def _outcome(state: State, one: Departed) -> str:
    start = state.rules.starting_stack
    if one.forfeited or one.stack < start:
        return "loss"
    return "win" if one.stack > start else "draw"
