"""The view: what one viewer may see of a table. Nothing leaves the service except through here.

A viewer sees what is face up for all, their own first card where that lies face down, and as banker
their own hole card; of the shoe they see how much is left, never the order. Legal actions, the
decision and what may be bet are shown to the player concerned alone. Whoever has no seat sees what
is face up for all, nothing more.
"""

from collections.abc import Sequence

from service.rules.cards import FACE_DOWN
from service.rules.hand import Hand
from service.rules.shoe import cards_in_shoe, cut_card
from service.rules.totals import BEST, is_two_card_21, total
from service.table.chance import Chance
from service.table.deciding.decision import decision_token
from service.table.deciding.draft import cards_of, hole_card
from service.table.deciding.legal_actions import legal_actions, stake_of
from service.table.deciding.legal_bets import legal_stakes, refuse_to_bet
from service.table.events import Event
from service.table.phase import Phase
from service.table.showing.announcements import announcements
from service.table.showing.shown import (
    BetOptions,
    InsuranceAnswer,
    LegalAction,
    SeatStatus,
    ShownDealer,
    ShownHand,
    ShownPairBet,
    ShownSeat,
    ShownShoe,
    ShownStanding,
    TableView,
    YourSeat,
)
from service.table.state import Seat, State


def view(state: State, viewer: str, chance: Chance, latest: Sequence[Event]) -> TableView:
    """What the player `viewer` (empty: nobody who could sit) sees of a table.

    `chance` is asked for the viewer's own cards that lie face down, and for no other.
    `latest` are the events of the newest row, for what a client announces.
    """
    own = state.seat_of(viewer) if viewer else None
    settled = state.phase in (Phase.SETTLED, Phase.FINISHED)
    return TableView(
        # A table that can't deal waits for players, whatever became of its last round.
        phase=Phase.WAITING if state.waits_for_players and state.between_rounds else state.phase,
        round=state.round,
        rounds_left=_rounds_left(state),
        open_ended=not state.rules.rounds,
        seats=tuple([_seat(state, seat, own, chance, settled) for seat in state.seats]),
        dealer=_dealer(_dealer_cards(state, own, chance)),
        shoe=_shoe(state),
        active_seat=state.active_seat,
        active_hand=state.active_hand,
        banker=state.banker,
        deadline=state.deadline,
        void_reason=state.void_reason,
        finish=state.finish,
        standings=tuple(
            [
                ShownStanding(one.seat, one.player, one.rank, one.stack, one.forfeited, one.outcome)
                for one in state.standings
            ]
        ),
        announcements=announcements(state, latest),
        your=_your_seat(state, own, chance) if own else None,
    )


def _seat(state: State, seat: Seat, own: Seat | None, chance: Chance, settled: bool) -> ShownSeat:
    return ShownSeat(
        number=seat.number,
        player=seat.player,
        status=_status(state, seat),
        stack=seat.stack,
        stake=seat.stake,
        insurance_stake=seat.insurance,
        insurance=_insurance(seat),
        insurance_returned=seat.insurance_returned,
        hands=tuple(
            [
                _hand(hand, cards_of(state, hand, chance) if seat is own else hand.cards)
                for hand in seat.hands
            ]
        ),
        pair_bets=tuple(
            [ShownPairBet(bet.seat, bet.stake, bet.settled, bet.returned) for bet in seat.pair_bets]
        ),
        net=seat.returned - seat.staked if settled else 0,
        last_stake=seat.last_stake,
        client_seed=seat.client_seed,
    )


def _status(state: State, seat: Seat) -> SeatStatus:
    if seat.left:
        return SeatStatus.LEFT
    if seat.out:
        return SeatStatus.BROKE
    if seat.sits_out:
        return SeatStatus.SITTING_OUT
    if seat.stake:
        return SeatStatus.IN_ROUND
    return SeatStatus.READY if state.started or seat.ready else SeatStatus.SEATED


def _insurance(seat: Seat) -> InsuranceAnswer | None:
    if seat.insurance:
        return InsuranceAnswer.INSURED
    if seat.insurance_open:
        return InsuranceAnswer.OPEN
    return InsuranceAnswer.DECLINED if seat.insurance_declined else None


def _hand(hand: Hand, cards: tuple[str, ...]) -> ShownHand:
    seen, soft = _seen_total(cards)
    return ShownHand(
        cards=cards,
        total=seen,
        soft=soft,
        stake=hand.stake,
        doubled=hand.doubled,
        split=hand.split,
        ended=bool(hand.ended or hand.result),
        end_cause=hand.ended,
        result=hand.result,
        returned=hand.returned,
        net=hand.returned - hand.stake if hand.result else 0,
    )


def _dealer_cards(state: State, own: Seat | None, chance: Chance) -> tuple[str, ...]:
    """The dealer's cards; a rotating banker sees the own hole card while the round runs. In a round
    that was voided it stays face down, and the bank may have moved on."""
    holds_the_bank = own is not None and own.number == state.banker and state.running
    if state.dealer.hole_at < 0 or not holds_the_bank:
        return state.dealer.cards
    hole = hole_card(state, chance)
    return tuple(hole if card == FACE_DOWN else card for card in state.dealer.cards)


def _dealer(cards: tuple[str, ...]) -> ShownDealer:
    seen, soft = _seen_total(cards)
    return ShownDealer(
        cards=cards,
        total=seen,
        soft=soft,
        natural=FACE_DOWN not in cards and is_two_card_21(cards),
        bust=seen > BEST,
    )


def _shoe(state: State) -> ShownShoe:
    shoe, rules = state.shoe, state.rules
    return ShownShoe(
        number=shoe.number,
        decks=rules.decks,
        cards_left=cards_in_shoe(rules) - shoe.dealt if shoe.number else 0,
        cut_card_out=shoe.number > 0 and shoe.dealt >= cut_card(rules),
        commitment=shoe.commitment,
        next_commitment=shoe.next_commitment,
        root=shoe.root,
    )


def _seen_total(cards: Sequence[str]) -> tuple[int, bool]:
    return total([card for card in cards if card != FACE_DOWN])


def _rounds_left(state: State) -> int:
    if not state.rules.rounds or state.phase is Phase.FINISHED:
        return 0
    return state.rules.rounds - state.betting_round + (1 if state.between_rounds else 0)


def _your_seat(state: State, seat: Seat, chance: Chance) -> YourSeat:
    return YourSeat(
        seat.number,
        tuple(
            [
                LegalAction(action, stake_of(state, seat, action))
                for action in legal_actions(state, seat, chance)
            ]
        ),
        decision_token(state, seat),
        None if refuse_to_bet(state, seat) else _bet_options(state, seat),
    )


def _bet_options(state: State, seat: Seat) -> BetOptions:
    stakes = legal_stakes(state, seat)
    return BetOptions(
        round=state.betting_round,
        min_stake=state.rules.min_bet,
        max_stake=stakes.most,
        step=state.rules.bet_step,
        refill_to=stakes.stack if stakes.stack != seat.stack else 0,
        last_stake=min(seat.last_stake, stakes.most),
        may_sit_out=stakes.may_sit_out,
    )
