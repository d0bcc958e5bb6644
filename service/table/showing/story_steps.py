"""What each event tells in the story of a round.

An action is told by the event that carries it out: a stand ends the hand, a hit brings a card.
"""

from collections.abc import Sequence

from service.rules.cards import FACE_DOWN
from service.rules.hand import Action, EndCause
from service.table import events as e
from service.table.causes import Cause
from service.table.showing.story import StepKind, Told

UNTOLD = (
    e.TableOpened,
    e.SeatReady,
    e.TableStarted,
    e.RoundOpened,
    e.ShoeRevealed,
    e.InsuranceOffered,
    e.TurnStarted,
    e.BankerTurnStarted,
    e.DeadlineSet,
)
"""What a story passes over: what the round inherits, and whose turn it is."""

_DECIDED = {
    EndCause.STOOD: (Action.STAND, Cause.PLAYER),
    EndCause.SURRENDERED: (Action.SURRENDER, Cause.PLAYER),
    EndCause.TIME_OUT: (Action.STAND, Cause.TIME_OUT),
}
"""The ends of a hand that are decisions; any other follows from the cards, or from who left."""


def tell(event: e.Event, banker: int) -> Sequence[Told]:
    """The steps that an event tells; `banker` is the seat that holds the bank, or 0."""
    if isinstance(event, UNTOLD):
        return ()
    told = _seats(event) or _bets(event) or _cards(event) or _decisions(event, banker)
    return told or _settlement(event, banker)


def _seats(event: e.Event) -> Sequence[Told]:
    match event:
        case e.SeatTaken(seat=seat, stack=stack):
            return [Told(StepKind.SEAT_TAKEN, seat, amount=stack)]
        case e.SeatLeft(seat=seat, stack=stack):
            return [Told(StepKind.SEAT_LEFT, seat, cause=Cause.LEFT, amount=stack)]
        case e.SeatOut(seat=seat):
            return [Told(StepKind.SEAT_BROKE, seat)]
        case e.SeatBackIn(seat=seat):
            return [Told(StepKind.SEAT_BACK_IN, seat)]
        case e.TimeGivenBack():
            return [Told(StepKind.TIME_GIVEN_BACK)]
        case e.TableClosing():
            return [Told(StepKind.TABLE_CLOSING)]
        case e.TableFinished():
            return [Told(StepKind.TABLE_FINISHED)]
        case e.BankerChanged(seat=seat):
            return [Told(StepKind.BANKER_CHANGED, seat)]
    return ()


def _bets(event: e.Event) -> Sequence[Told]:
    match event:
        case e.StackRefilled(seat=seat, stack=stack):
            return [Told(StepKind.STACK_REFILLED, seat, amount=stack)]
        case e.BetPlaced(seat=seat, stake=stake, pair_bets=pair_bets):
            bet = Told(StepKind.BET, seat, cause=Cause.PLAYER, amount=stake)
            return [
                bet,
                *(
                    Told(
                        StepKind.PAIR_BET,
                        seat,
                        on=one.seat,
                        cause=Cause.PLAYER,
                        amount=one.stake,
                    )
                    for one in pair_bets
                ),
            ]
        case e.SatOut(seat=seat, cause=cause):
            return [Told(StepKind.SAT_OUT, seat, cause=cause)]
        case e.PairBetReturned(seat=seat, on=on, stake=stake):
            return [Told(StepKind.PAIR_BET_RETURNED, seat, on=on, amount=stake)]
        case e.BetReturned(seat=seat, returned=returned):
            return [Told(StepKind.BET_RETURNED, seat, amount=returned)]
    return ()


def _cards(event: e.Event) -> Sequence[Told]:
    match event:
        case e.ShoeOpened():
            return [Told(StepKind.FRESH_SHOE)]
        case e.CardDealt(seat=seat, hand=hand, card=card, position=position):
            return [Told(StepKind.CARD, seat, hand, card=card, position=position)]
        case e.DealerCardDealt(card=card, position=position):
            return [Told(StepKind.CARD, card=card, position=position)]
        case e.FirstCardDealt(seat=seat, position=position):
            return [Told(StepKind.CARD_FACE_DOWN, seat, 1, card=FACE_DOWN, position=position)]
        case e.HoleCardDealt(position=position):
            return [Told(StepKind.CARD_FACE_DOWN, card=FACE_DOWN, position=position)]
        case e.FirstCardTurned(seat=seat, hand=hand, card=card, position=position):
            return [Told(StepKind.CARD_TURNED, seat, hand, card=card, position=position)]
        case e.HoleCardTurned(card=card, position=position):
            return [Told(StepKind.CARD_TURNED, card=card, position=position)]
        case e.DealerPeeked(natural=natural):
            return [Told(StepKind.PEEK, natural=natural)]
    return ()


def _decisions(event: e.Event, banker: int) -> Sequence[Told]:
    def decided(seat: int, hand: int, action: Action, cause: Cause, amount: int = 0) -> list[Told]:
        told = Told(StepKind.DECISION, seat, hand, action=action, cause=cause, amount=amount)
        return [told]

    match event:
        case e.InsuranceTaken(seat=seat, stake=stake):
            return decided(seat, 0, Action.INSURE, Cause.PLAYER, stake)
        case e.InsuranceDeclined(seat=seat, cause=cause):
            return decided(seat, 0, Action.DECLINE, cause)
        case e.HandHit(seat=seat, hand=hand):
            return decided(seat, hand, Action.HIT, Cause.PLAYER)
        case e.HandDoubled(seat=seat, hand=hand, stake=stake):
            return decided(seat, hand, Action.DOUBLE, Cause.PLAYER, stake)
        case e.HandSplit(seat=seat, hand=hand, stake=stake):
            return decided(seat, hand, Action.SPLIT, Cause.PLAYER, stake)
        case e.HandEnded(seat=seat, hand=hand, cause=end) if end in _DECIDED:
            return decided(seat, hand, *_DECIDED[end])
        case e.HandEnded(seat=seat, hand=hand, cause=end):
            left = Cause.LEFT if end in (EndCause.FORFEITED, EndCause.BANKER_LEFT) else None
            return [Told(StepKind.HAND_ENDED, seat, hand, cause=left, end_cause=end)]
        case e.DealerStood(cause=cause):
            return decided(banker, 0, Action.STAND, cause)
    return ()


def _settlement(event: e.Event, banker: int) -> Sequence[Told]:
    match event:
        case e.PairBetSettled(seat=seat, on=on, returned=returned):
            return [Told(StepKind.PAIR_BET_SETTLED, seat, on=on, amount=returned)]
        case e.HandSettled(seat=seat, hand=hand, result=result, returned=returned):
            return [Told(StepKind.HAND_SETTLED, seat, hand, result=result, amount=returned)]
        case e.InsuranceSettled(seat=seat, returned=returned):
            return [Told(StepKind.INSURANCE_SETTLED, seat, amount=returned)]
        case e.BankMoved(amount=amount):
            return [Told(StepKind.BANK_MOVED, banker, amount=amount)]
        case e.RoundSettled():
            return [Told(StepKind.ROUND_SETTLED)]
        case e.RoundVoided(round=round, reason=reason, seats=seats):
            return [
                Told(StepKind.ROUND_VOIDED, round=round, reason=reason),
                *(
                    Told(StepKind.ROUND_VOIDED, one.seat, amount=one.reversed, round=round)
                    for one in seats
                ),
            ]
    return ()
