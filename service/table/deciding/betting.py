"""Betting: bets, sitting out, and the end of the betting.

Rule: each seat bets or sits out; at a table of one seat it only bets, and the deal follows at once.
Otherwise the deal follows when every seat has bet or sat out, or when the betting time is over. The
clock of a scheduled table runs from the start, that of an open-ended one from the first bet of the
round. A bet is final; a stack below the minimum bet is refilled before it, where the rule set does.

A pair bet may be placed beside a stake on any seat that is taken, one a seat named.

Source: docs/rules.md, sections 2, 3, 7 and 8.
"""

from service.rules.coverage import pair_bet_risk, stake_risk
from service.rules.reasons import Reason, Refused
from service.rules.rule_set import RuleSet
from service.rules.stakes import check_stake, stack_for_betting
from service.table.causes import Cause
from service.table.commands import PlaceBet, SitOut
from service.table.deciding.bank import require_cover
from service.table.deciding.deal import deal
from service.table.deciding.draft import Draft, seated
from service.table.deciding.finish import after_settlement, cause_without_players, finish_table
from service.table.deciding.legal_bets import may_sit_out, refuse_to_bet
from service.table.deciding.opening import open_round
from service.table.events import (
    BetPlaced,
    ClientSeedGiven,
    PairBetReturned,
    RoundSettled,
    SatOut,
    StackRefilled,
)
from service.table.phase import Phase
from service.table.state import Seat, State


def place_bet(draft: Draft, command: PlaceBet) -> None:
    """Take a seat's bet; deal if it was the last one awaited."""
    seat = _may_answer(draft, command.player, command.round)
    stack = stack_for_betting(draft.state.rules, seat.stack)
    if stack != seat.stack:
        draft.emit(StackRefilled(seat.number, stack))
    check_stake(draft.state.rules, stack, command.stake)
    _check_pair_bets(draft.state, stack - command.stake, command)
    require_cover(draft.state, _risk(draft.state.rules, command))
    if command.client_seed:
        draft.emit(ClientSeedGiven(seat.number, command.client_seed))
    first_bet = not any(one.stake for one in draft.state.seats)
    draft.emit(BetPlaced(seat.number, command.stake, command.pair_bets))
    if not close_betting_if_answered(draft) and first_bet and not draft.state.rules.rounds:
        draft.limit(draft.state.rules.bet_seconds)


def _risk(rules: RuleSet, command: PlaceBet) -> int:
    pair_bets = sum(pair_bet_risk(rules, bet.stake) for bet in command.pair_bets)
    return stake_risk(rules, command.stake) + pair_bets


def _check_pair_bets(state: State, stack: int, command: PlaceBet) -> None:
    if not command.pair_bets:
        return
    seats = [bet.seat for bet in command.pair_bets]
    taken = {seat.number for seat in state.seats if not seat.out and seat.number != state.banker}
    if state.rules.pair_bet is None or len(set(seats)) < len(seats) or not taken.issuperset(seats):
        raise Refused(
            Reason.PAIR_BET_NOT_ALLOWED,
            "a pair bet needs a rule set that has it, and goes once on each seat that plays",
            seats=",".join(str(number) for number in sorted(taken)),
        )
    for bet in command.pair_bets:
        check_stake(state.rules, stack, bet.stake)
        stack -= bet.stake


def sit_out(draft: Draft, command: SitOut) -> None:
    """Let a seat sit the round out; deal if it was the last one awaited."""
    seat = _may_answer(draft, command.player, command.round)
    if not may_sit_out(draft.state.rules):
        raise Refused(
            Reason.SIT_OUT_NOT_ALLOWED,
            "a table of one seat only waits for its bet",
            round=draft.state.betting_round,
        )
    draft.emit(SatOut(seat.number, Cause.PLAYER))
    close_betting_if_answered(draft)


def _may_answer(draft: Draft, player: str, round_number: int) -> Seat:
    """The player's seat if it may bet or sit out in that round, which is opened; else refused."""
    state = draft.state
    dealt = state.round if state.dealer.cards else state.round - 1
    if state.phase is Phase.FINISHED and round_number <= dealt and state.seat_of(player):
        raise _changed(round_number, 0)
    seat = seated(state, player)
    open_number = state.betting_round if state.between_rounds else 0
    if round_number != open_number:
        raise _changed(round_number, open_number)
    reason = refuse_to_bet(state, seat)
    if reason:
        raise _refused(reason, state, seat)
    open_round(draft)
    return draft.state.seat(seat.number)


def _changed(named: int, open_number: int) -> Refused:
    is_open = f"round {open_number} does" if open_number else "no round does now"
    return Refused(
        Reason.ROUND_CHANGED, f"round {named} takes no bets; {is_open}", round=open_number
    )


def _refused(reason: Reason, state: State, seat: Seat) -> Refused:
    match reason:
        case Reason.ALREADY_BET:
            return Refused(
                reason,
                "this seat has bet or sat out in this round already",
                round=state.betting_round,
            )
        case Reason.BANKER_DOES_NOT_BET:
            return Refused(
                reason, "you hold the bank in this round, and do not bet", seat=seat.number
            )
        case Reason.SEAT_OUT:
            return Refused(
                reason, "this seat can't cover the minimum bet and is out", stack=seat.stack
            )
    return Refused(reason, "no bets are taken now", phase=state.phase)


def unanswered(state: State) -> list[Seat]:
    """The seats that may bet and have neither bet nor sat out, ascending."""
    return [
        seat
        for seat in state.seats
        if not (seat.stake or seat.sits_out or seat.out or seat.left)
        and seat.number != state.banker
    ]


def go_on_between_rounds(draft: Draft) -> None:
    """Somebody left or is broke: the last who could play, perhaps, or the last awaited."""
    cause = cause_without_players(draft.state)
    if cause:
        finish_table(draft, cause)
    else:
        go_on_with_betting(draft)


def go_on_with_betting(draft: Draft) -> None:
    """Somebody came or went: close betting that has begun if nobody else is awaited.

    A table that waits for players closes nothing; a player who ends the waiting by sitting down may
    find that all the others have sat out."""
    state = draft.state
    begun = any(seat.stake or seat.sits_out for seat in state.seats)
    if state.phase is Phase.BETTING and begun and not state.waits_for_players:
        close_betting_if_answered(draft)


def close_betting_if_answered(draft: Draft) -> bool:
    """Close the betting if every seat has bet or sat out; whether it was closed."""
    if unanswered(draft.state):
        return False
    close_betting(draft)
    return True


def close_betting(draft: Draft) -> None:
    """Deal to the seats that bet; with none the round is over."""
    state = draft.state
    dealt_in = {seat.number for seat in state.seats if seat.stake}
    for seat in state.seats:
        for bet in seat.pair_bets:
            if bet.seat not in dealt_in:
                draft.emit(PairBetReturned(seat.number, bet.seat, bet.stake))
    if dealt_in:
        deal(draft)
    else:
        draft.emit(RoundSettled(()))
        after_settlement(draft)
