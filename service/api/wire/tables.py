"""A table's view onto the wire. What may be seen has been decided in the view; nothing is here."""

from functools import lru_cache

from croupier.v1 import rule_set_pb2
from croupier.v1 import table_pb2 as pb
from google.protobuf.timestamp_pb2 import Timestamp

from service.api.servicers.signing_keys import receipt_to_wire
from service.api.wire.enums import WireEnum
from service.api.wire.rule_sets import rule_set_to_wire
from service.journal.codec import rule_set_of
from service.live.live_table import LiveTable
from service.records.receipt import Receipt
from service.rules.cards import FACE_DOWN
from service.rules.hand import Action, EndCause, Result
from service.rules.presets import PRESETS
from service.rules.totals import BEST, is_two_card_21
from service.table.phase import FinishCause, Phase
from service.table.showing.announcements import News
from service.table.showing.view import BetOptions, HandView, SeatView, TableView, YourSeat, view
from service.table.state import Seat, State

PHASES = WireEnum(Phase, pb.Phase, "PHASE")
ACTIONS = WireEnum(Action, pb.Action, "ACTION")
_RESULTS = WireEnum(Result, pb.Result, "RESULT")
_END_CAUSES = WireEnum(EndCause, pb.EndCause, "END_CAUSE")
_FINISH_CAUSES = WireEnum(FinishCause, pb.FinishCause, "FINISH_CAUSE")
_NEWS = WireEnum(News, pb.AnnouncementKind, "ANNOUNCEMENT_KIND")
RULE_SETS_KEPT = 1024
"""How many rule sets are kept as messages: putting one together takes as long as the rest."""

_OUTCOMES = {
    "": pb.MATCH_OUTCOME_UNSPECIFIED,
    "win": pb.MATCH_OUTCOME_WIN,
    "draw": pb.MATCH_OUTCOME_DRAW,
    "loss": pb.MATCH_OUTCOME_LOSS,
}


def table_to_wire(table: LiveTable, viewer: str, receipt: Receipt | None = None) -> pb.Table:
    """A table as the player `viewer` (empty: nobody who could sit) may see it."""
    seen = view(table.state, viewer, table.chance, table.latest)
    head, state = table.head, table.state
    message = pb.Table(
        table_id=head.table_id,
        version=head.version,
        hash=head.hash.hex(),
        rule_set_id=head.rule_set_id,
        rule_set=_rule_set(head.rule_set_id, head.rule_set),
        phase=PHASES.to_wire(seen.phase),
        round=state.round,
        rounds_left=seen.rounds_left,
        open_ended=not state.rules.rounds,
        seats=[_seat(seat, state) for seat in seen.seats],
        dealer=_dealer(seen),
        shoe=pb.Shoe(
            number=state.shoe.number,
            commitment=state.shoe.commitment,
            next_commitment=state.shoe.next_commitment,
            cards_left=seen.cards_left,
            cut_card_out=seen.cut_card_out,
            decks=state.rules.decks,
            root=state.shoe.root,
        ),
        active_seat=state.active_seat,
        active_hand=state.active_hand,
        banker_seat=state.banker,
        is_private=head.private,
        void_reason=state.void_reason,
        announcements=[
            pb.Announcement(
                kind=_NEWS.to_wire(one.kind), seat=one.seat, round=one.round, reason=one.reason
            )
            for one in seen.announcements
        ],
        finish_cause=_FINISH_CAUSES.to_wire(state.finish),
        ranking=[
            pb.Standing(
                seat=one.seat,
                player_id=one.player,
                rank=one.rank,
                stack=one.stack,
                forfeited=one.forfeited,
                outcome=_OUTCOMES[one.outcome],
            )
            for one in state.standings
        ],
    )
    if seen.your:
        message.your.CopyFrom(_your(seen.your))
    if state.deadline:
        message.deadline.CopyFrom(timestamp(state.deadline))
    if receipt:
        message.receipt.CopyFrom(receipt_to_wire(receipt))
    return message


def timestamp(microseconds: int) -> Timestamp:
    """Microseconds since 1970 (UTC) as the wire has them."""
    seconds, rest = divmod(microseconds, 1_000_000)
    return Timestamp(seconds=seconds, nanos=rest * 1000)


@lru_cache(maxsize=RULE_SETS_KEPT)
def _rule_set(rule_set_id: str, text: str) -> rule_set_pb2.RuleSet:
    """A table's rule set, from its text in the head; the message is never changed."""
    rules = rule_set_of(text)
    return rule_set_to_wire(rule_set_id, PRESETS.get(rule_set_id) == rules, rules)


def _seat(seen: SeatView, state: State) -> pb.Seat:
    seat = seen.seat
    return pb.Seat(
        seat=seat.number,
        player_id=seat.player,
        state=_seat_state(seat, state),
        stack=seat.stack,
        stake=seat.stake,
        insurance_stake=seat.insurance,
        insurance=_insurance_answer(seat),
        insurance_returned=seat.insurance_returned,
        hands=[_hand(hand) for hand in seen.hands],
        pair_bets=[
            pb.PlacedPairBet(
                seat=bet.seat, stake=bet.stake, settled=bet.settled, returned=bet.returned
            )
            for bet in seat.pair_bets
        ],
        net=seat.returned - seat.staked if seen.settled else 0,
        last_stake=seat.last_stake,
        client_seed=seat.client_seed,
    )


def _seat_state(seat: Seat, state: State) -> "pb.SeatState.ValueType":
    if seat.left:
        return pb.SEAT_STATE_LEFT
    if seat.out:
        return pb.SEAT_STATE_BROKE
    if seat.sits_out:
        return pb.SEAT_STATE_SITTING_OUT
    if seat.stake:
        return pb.SEAT_STATE_IN_ROUND
    return pb.SEAT_STATE_READY if state.started or seat.ready else pb.SEAT_STATE_SEATED


def _insurance_answer(seat: Seat) -> "pb.InsuranceAnswer.ValueType":
    if seat.insurance:
        return pb.INSURANCE_ANSWER_INSURED
    if seat.insurance_open:
        return pb.INSURANCE_ANSWER_OPEN
    if seat.insurance_declined:
        return pb.INSURANCE_ANSWER_DECLINED
    return pb.INSURANCE_ANSWER_UNSPECIFIED


def _hand(seen: HandView) -> pb.Hand:
    hand = seen.hand
    return pb.Hand(
        cards=seen.cards,
        total=seen.total,
        soft=seen.soft,
        stake=hand.stake,
        doubled=hand.doubled,
        split=hand.split,
        ended=bool(hand.ended or hand.result),
        end_cause=_END_CAUSES.to_wire(hand.ended),
        result=_RESULTS.to_wire(hand.result),
        returned=hand.returned,
        net=hand.returned - hand.stake if hand.result else 0,
    )


def _dealer(seen: TableView) -> pb.Dealer:
    cards = seen.dealer_cards
    return pb.Dealer(
        cards=cards,
        total=seen.dealer_total,
        soft=seen.dealer_soft,
        natural=FACE_DOWN not in cards and is_two_card_21(cards),
        bust=seen.dealer_total > BEST,
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
