"""What a seat may bet now.

`refuse_to_bet` is the one place that says why a seat may neither bet nor sit out; the decider and
the view both ask it, so a client is offered exactly what would be accepted.

Source: docs/rules.md, sections 2, 3 and 8.
"""

import msgspec

from service.rules.coverage import largest_covered_stake
from service.rules.reasons import Reason
from service.rules.rule_set import RuleSet
from service.rules.stakes import largest_stake, stack_for_betting
from service.table.deciding.bank import cover_left
from service.table.phase import Phase
from service.table.state import Seat, State


class LegalStakes(msgspec.Struct, frozen=True):
    """The stack that a seat bets from, the largest stake that it may lay (0: none; minor units),
    and whether it may sit out instead."""

    stack: int
    most: int
    may_sit_out: bool


def refuse_to_bet(state: State, seat: Seat) -> Reason | None:
    """Why a seat may neither bet nor sit out in the round that takes bets, or None."""
    settled = state.phase is Phase.SETTLED
    if not settled and (seat.stake or seat.sits_out):
        return Reason.ALREADY_BET
    if not (settled or state.phase is Phase.BETTING) or state.waits_for_players:
        return Reason.WRONG_PHASE
    if seat.number == state.banker:
        return Reason.BANKER_DOES_NOT_BET
    return Reason.SEAT_OUT if seat.out else None


def legal_stakes(state: State, seat: Seat) -> LegalStakes:
    """What a seat may bet that is not refused."""
    stack = stack_for_betting(state.rules, seat.stack)
    most = largest_stake(state.rules, stack)
    cover = _cover(state)
    if cover is not None:
        most = min(most, largest_covered_stake(state.rules, cover))
    return LegalStakes(stack, most, may_sit_out(state.rules))


def may_sit_out(rules: RuleSet) -> bool:
    """Whether a seat may sit a round out: a table of one seat only waits for its bet."""
    return rules.max_seats > 1


def _cover(state: State) -> int | None:
    """What of the banker's stack the coming bets may claim; None: the house covers all. What was
    bet in a settled round is not at stake any more."""
    if state.phase is Phase.SETTLED and state.rotates:
        return state.seat(state.banker).stack
    return cover_left(state)
