"""The decision token: the name of the one question that a seat has to answer now.

It reads `ROUND-HAND-MOVE`: round 3, hand 1, no move made yet is `3-1-0`; insurance is a decision of
hand 0, and so is a banker who has to choose. An action names the decision that it answers, so that
a click that came too late, or twice, can't answer the next question.
"""

from service.table.phase import Phase
from service.table.state import Seat, State


def decision_token(state: State, seat: Seat) -> str:
    """The open decision of a seat, or an empty text."""
    if state.phase is Phase.TURNS and state.active_seat == seat.number:
        return f"{state.round}-{state.active_hand}-{seat.moves}"
    if state.phase is Phase.BANKER and state.banker == seat.number and not seat.left:
        return f"{state.round}-0-{len(state.dealer.cards)}"
    if state.phase is Phase.INSURANCE and seat.insurance_open:
        return f"{state.round}-0-{seat.moves}"
    return ""
