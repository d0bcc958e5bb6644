"""A banker who leaves while a round runs.

Rule: the banker pays every punter who was dealt in and has not left, also one who has bust, an
amount equal to that punter's initial stake, and all stakes of the round come back; premiums and
pair bets stay as settled. In the record the punter's first hand is a win by that amount, any
further hand pushes. The round ends and the bank moves on. Once the hole card is up, leaving counts
as standing.

Insurance `two_to_one` is not settled yet, so it comes back with the stakes. Of a punter who has
left before, what was forfeited stays lost, and finished hands push.

Source: docs/rules.md, section 8.
"""

from service.rules.hand import EndCause, Result
from service.rules.rule_set import Insurance
from service.table.causes import Cause
from service.table.deciding.draft import Draft
from service.table.deciding.showdown import close_round, stand_as_banker, turn_up
from service.table.events import HandEnded, HandSettled, InsuranceSettled, SeatLeft
from service.table.phase import Phase
from service.table.state import Seat


def leave_as_banker(draft: Draft, seat: Seat) -> None:
    """Let the banker leave a running round, and end it."""
    draft.emit(SeatLeft(seat.number, seat.stack, draft.state.forfeits_when_left))
    if draft.state.phase is Phase.BANKER:
        stand_as_banker(draft, Cause.LEFT)
        return
    for punter in draft.state.dealt_in:
        for number, hand in enumerate(punter.hands, start=1):
            if not hand.ended:
                draft.emit(HandEnded(punter.number, number, EndCause.BANKER_LEFT))
    turn_up(draft)
    close_round(draft, sum(_pay(draft, punter) for punter in draft.state.dealt_in))


def _pay(draft: Draft, punter: Seat) -> int:
    """Settle one punter's hands; what that brought the bank."""
    bank = 0
    for number, hand in enumerate(punter.hands, start=1):
        result, returned = Result.PUSH, hand.stake
        if hand.ended is EndCause.FORFEITED:
            result, returned = Result.FORFEIT, 0
        elif number == 1 and not punter.left:
            result, returned = Result.WIN, hand.stake + punter.stake
        draft.emit(HandSettled(punter.number, number, result, returned))
        bank += hand.stake - returned
    if punter.insurance:
        open_bet = draft.state.rules.insurance is Insurance.TWO_TO_ONE
        back = punter.insurance if open_bet and not punter.left else 0
        draft.emit(InsuranceSettled(punter.number, back))
        bank += punter.insurance - back if open_bet else 0
    return bank
