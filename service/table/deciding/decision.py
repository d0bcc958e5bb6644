"""The decision token: the name of the one question that a seat has to answer now.

It reads `ROUND-HAND-MOVE`: round 3, hand 1, no move made yet is `3-1-0`; insurance is a decision of
hand 0, and so is a banker who has to choose. An action names the decision that it answers, so that
a click that came too late, or twice, can't answer the next question.
"""

import re

from service.table.phase import Phase
from service.table.state import Seat, State

_TOKEN = re.compile(r"([0-9]{1,10})-([0-9]{1,10})-([0-9]{1,10})", re.ASCII)


def decision_token(state: State, seat: Seat) -> str:
    """The open decision of a seat, or an empty text."""
    if state.phase is Phase.TURNS and state.active_seat == seat.number:
        return f"{state.round}-{state.active_hand}-{seat.moves}"
    if state.phase is Phase.BANKER and state.banker == seat.number and not seat.left:
        return f"{state.round}-0-{len(state.dealer.cards)}"
    if state.phase is Phase.INSURANCE and seat.insurance_open:
        return f"{state.round}-0-{seat.moves}"
    return ""


def is_past(state: State, seat: Seat, decision: str) -> bool:
    """Whether a decision was the seat's and is open no more: answered, timed out, or gone with its
    round. One that is yet to come, or never was, is not past."""
    found = _TOKEN.fullmatch(decision)
    if found is None:
        return False
    round, hand, move = map(int, found.groups())
    if round != state.round or state.phase in (Phase.SETTLED, Phase.FINISHED):
        return 0 < round <= state.round
    if state.phase is Phase.BANKER and state.banker == seat.number:
        return hand == 0 and move < len(state.dealer.cards)
    if state.phase is Phase.INSURANCE:
        return hand == 0 and bool(seat.hands) and not seat.insurance_open
    if hand == 0 or move < seat.moves:
        return bool(seat.hands)
    return hand <= len(seat.hands) and seat.hands[hand - 1].ended is not None
