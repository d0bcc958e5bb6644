"""A shown table onto the wire. What may be seen has been decided before; nothing is here."""

from functools import lru_cache

from croupier.v1 import rule_set_pb2
from croupier.v1 import table_pb2 as pb

from service.api.wire.enums import WireEnum
from service.api.wire.receipts import receipt_to_wire
from service.api.wire.rule_sets import rule_set_to_wire
from service.api.wire.times import timestamp
from service.live.shown_tables import Shown
from service.rules.hand import Action, EndCause, Result
from service.rules.presets import PRESETS
from service.rules.rule_set import RuleSet
from service.table.phase import FinishCause, Phase
from service.table.showing.shown import (
    BetOptions,
    InsuranceAnswer,
    News,
    SeatStatus,
    ShownDealer,
    ShownHand,
    ShownSeat,
    ShownShoe,
    YourSeat,
)

PHASES = WireEnum(Phase, pb.Phase, "PHASE")
ACTIONS = WireEnum(Action, pb.Action, "ACTION")
_RESULTS = WireEnum(Result, pb.Result, "RESULT")
_END_CAUSES = WireEnum(EndCause, pb.EndCause, "END_CAUSE")
_FINISH_CAUSES = WireEnum(FinishCause, pb.FinishCause, "FINISH_CAUSE")
_NEWS = WireEnum(News, pb.AnnouncementKind, "ANNOUNCEMENT_KIND")
_SEAT_STATES = WireEnum(SeatStatus, pb.SeatState, "SEAT_STATE")
_INSURANCE = WireEnum(InsuranceAnswer, pb.InsuranceAnswer, "INSURANCE_ANSWER")
RULE_SETS_KEPT = 1024
"""How many rule sets are kept as messages: putting one together takes as long as the rest."""

_OUTCOMES = {
    "": pb.MATCH_OUTCOME_UNSPECIFIED,
    "win": pb.MATCH_OUTCOME_WIN,
    "draw": pb.MATCH_OUTCOME_DRAW,
    "loss": pb.MATCH_OUTCOME_LOSS,
}


def table_to_wire(shown: Shown) -> pb.Table:
    """A table as its viewer may see it."""
    view = shown.view
    message = pb.Table(
        table_id=shown.table_id,
        version=shown.version,
        hash=shown.hash.hex(),
        rule_set_id=shown.rule_set_id,
        rule_set=_rule_set(shown.rule_set_id, shown.rule_set),
        phase=PHASES.to_wire(view.phase),
        round=view.round,
        rounds_left=view.rounds_left,
        open_ended=view.open_ended,
        seats=[_seat(seat) for seat in view.seats],
        dealer=_dealer(view.dealer),
        shoe=_shoe(view.shoe),
        active_seat=view.active_seat,
        active_hand=view.active_hand,
        banker_seat=view.banker,
        is_private=shown.is_private,
        void_reason=view.void_reason,
        announcements=[
            pb.Announcement(
                kind=_NEWS.to_wire(one.kind), seat=one.seat, round=one.round, reason=one.reason
            )
            for one in view.announcements
        ],
        finish_cause=_FINISH_CAUSES.to_wire(view.finish),
        ranking=[
            pb.Standing(
                seat=one.seat,
                player_id=one.player,
                rank=one.rank,
                stack=one.stack,
                forfeited=one.forfeited,
                outcome=_OUTCOMES[one.outcome],
            )
            for one in view.standings
        ],
    )
    if view.your:
        message.your.CopyFrom(_your(view.your))
    if view.deadline:
        message.deadline.CopyFrom(timestamp(view.deadline))
    if shown.receipt:
        message.receipt.CopyFrom(receipt_to_wire(shown.receipt))
    return message


@lru_cache(maxsize=RULE_SETS_KEPT)
def _rule_set(rule_set_id: str, rules: RuleSet) -> rule_set_pb2.RuleSet:
    """A table's rule set; the message is never changed."""
    return rule_set_to_wire(rule_set_id, PRESETS.get(rule_set_id) == rules, rules)


def _seat(seat: ShownSeat) -> pb.Seat:
    return pb.Seat(
        seat=seat.number,
        player_id=seat.player,
        state=_SEAT_STATES.to_wire(seat.status),
        stack=seat.stack,
        stake=seat.stake,
        insurance_stake=seat.insurance_stake,
        insurance=_INSURANCE.to_wire(seat.insurance),
        insurance_returned=seat.insurance_returned,
        hands=[_hand(hand) for hand in seat.hands],
        pair_bets=[
            pb.PlacedPairBet(
                seat=bet.seat, stake=bet.stake, settled=bet.settled, returned=bet.returned
            )
            for bet in seat.pair_bets
        ],
        net=seat.net,
        last_stake=seat.last_stake,
        client_seed=seat.client_seed,
    )


def _hand(hand: ShownHand) -> pb.Hand:
    return pb.Hand(
        cards=hand.cards,
        total=hand.total,
        soft=hand.soft,
        stake=hand.stake,
        doubled=hand.doubled,
        split=hand.split,
        ended=hand.ended,
        end_cause=_END_CAUSES.to_wire(hand.end_cause),
        result=_RESULTS.to_wire(hand.result),
        returned=hand.returned,
        net=hand.net,
    )


def _dealer(dealer: ShownDealer) -> pb.Dealer:
    return pb.Dealer(
        cards=dealer.cards,
        total=dealer.total,
        soft=dealer.soft,
        natural=dealer.natural,
        bust=dealer.bust,
    )


def _shoe(shoe: ShownShoe) -> pb.Shoe:
    return pb.Shoe(
        number=shoe.number,
        commitment=shoe.commitment,
        next_commitment=shoe.next_commitment,
        cards_left=shoe.cards_left,
        cut_card_out=shoe.cut_card_out,
        decks=shoe.decks,
        root=shoe.root,
    )


def _your(your: YourSeat) -> pb.YourSeat:
    message = pb.YourSeat(
        seat=your.seat,
        legal_actions=[
            pb.LegalAction(action=ACTIONS.to_wire(one.action), stake=one.stake)
            for one in your.legal_actions
        ],
        decision=your.decision,
    )
    if your.bet:
        message.bet.CopyFrom(_bet(your.bet))
    return message


def _bet(bet: BetOptions) -> pb.BetOptions:
    return pb.BetOptions(
        round=bet.round,
        min_stake=bet.min_stake,
        max_stake=bet.max_stake,
        step=bet.step,
        refill_to=bet.refill_to,
        last_stake=bet.last_stake,
        may_sit_out=bet.may_sit_out,
    )
