"""What a seat may do now.

`refusal` is the one place that says why an action is not open; the decider and the list of legal
actions both ask it, so a client is offered exactly what would be accepted.
"""

from service.rules.doubling import refuse_double
from service.rules.hand import Action
from service.rules.hitting import refuse_hit
from service.rules.insurance import premium, refuse_insurance
from service.rules.reasons import Reason
from service.rules.splitting import refuse_split
from service.rules.surrender import refuse_surrender
from service.table.chance import Chance
from service.table.deciding.bank import covers
from service.table.deciding.decision import decision_token
from service.table.deciding.draft import cards_of
from service.table.phase import Phase
from service.table.state import Seat, State


def refusal(state: State, seat: Seat, action: Action, chance: Chance) -> Reason | None:
    """Why a seat may not answer its open decision so, or None.

    `chance` is asked for the seat's own first card where that lies face down.
    """
    if state.phase is Phase.INSURANCE:
        if action is Action.INSURE:
            return refuse_insurance(seat.stack, seat.stake)
        return None if action is Action.DECLINE else Reason.WRONG_PHASE
    if state.phase is Phase.BANKER:
        return None if action in (Action.HIT, Action.STAND) else Reason.WRONG_PHASE
    return _refusal_of_hand(state, seat, action, chance) or (
        None
        if action not in (Action.DOUBLE, Action.SPLIT)
        or covers(state, seat.hands[state.active_hand - 1].stake)
        else Reason.NOT_COVERED
    )


def _refusal_of_hand(state: State, seat: Seat, action: Action, chance: Chance) -> Reason | None:
    hand = seat.hands[state.active_hand - 1]
    match action:
        case Action.STAND:
            return None
        case Action.HIT:
            return refuse_hit(state.rules, hand)
        case Action.DOUBLE:
            return refuse_double(state.rules, hand, cards_of(state, hand, chance), seat.stack)
        case Action.SPLIT:
            cards = cards_of(state, hand, chance)
            return refuse_split(state.rules, hand, cards, len(seat.hands), seat.stack)
        case Action.SURRENDER:
            return refuse_surrender(state.rules, hand, hand.cards)
        case Action.INSURE | Action.DECLINE:
            return Reason.INSURANCE_NOT_OFFERED


def legal_actions(state: State, seat: Seat, chance: Chance) -> tuple[Action, ...]:
    """The actions that a seat may take and can afford now; none while it has nothing to decide."""
    if not decision_token(state, seat):
        return ()
    return tuple(action for action in Action if refusal(state, seat, action, chance) is None)


def stake_of(state: State, seat: Seat, action: Action) -> int:
    """What an open action takes from the stack, in minor units."""
    match action:
        case Action.DOUBLE | Action.SPLIT:
            return seat.hands[state.active_hand - 1].stake
        case Action.INSURE:
            return premium(seat.stake)
    return 0
