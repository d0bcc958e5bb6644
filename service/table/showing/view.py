"""The view: what one viewer may see of a table. Nothing leaves the service except through here.

A viewer sees what is face up for all, his own first card where that lies face down, and as banker
his own hole card; of the shoe he sees how much is left, never the order. His legal actions, his
decision and what he may bet are his alone. Whoever has no seat sees what is face up for all,
nothing more.

Amounts are minor units, times microseconds since 1970 (UTC).
"""

from collections.abc import Sequence

import msgspec

from service.rules.cards import FACE_DOWN
from service.rules.coverage import largest_covered_stake
from service.rules.hand import Action, Hand
from service.rules.insurance import premium
from service.rules.shoe import cards_in_shoe, cut_card
from service.rules.stakes import largest_stake
from service.rules.totals import total
from service.table.chance import Chance
from service.table.deciding.bank import cover_left
from service.table.deciding.betting import stack_for_betting
from service.table.deciding.decision import decision_token
from service.table.deciding.draft import cards_of, hole_card
from service.table.deciding.legal_actions import legal_actions
from service.table.events import Event
from service.table.phase import Phase
from service.table.showing.announcements import Announcement, announcements
from service.table.state import Seat, State


class HandView(msgspec.Struct, frozen=True):
    """A hand as the viewer sees it; `total` and `soft` are of the cards that he sees."""

    hand: Hand
    cards: tuple[str, ...]
    total: int
    soft: bool


class SeatView(msgspec.Struct, frozen=True):
    """A seat as the viewer sees it."""

    seat: Seat
    hands: tuple[HandView, ...]
    settled: bool


class LegalAction(msgspec.Struct, frozen=True):
    """An action that the viewer may take now, and what it takes from his stack."""

    action: Action
    stake: int


class BetOptions(msgspec.Struct, frozen=True):
    """What the viewer may bet now; `refill_to` is the stack that he will bet from, or 0."""

    round: int
    min_stake: int
    max_stake: int
    step: int
    refill_to: int
    last_stake: int
    may_sit_out: bool


class YourSeat(msgspec.Struct, frozen=True):
    """What concerns the viewer alone."""

    seat: int
    legal_actions: tuple[LegalAction, ...]
    decision: str
    bet: BetOptions | None


class TableView(msgspec.Struct, frozen=True):
    """A table as the viewer sees it. `state` is for what is public in it; cards, totals and what
    the viewer may do stand beside it, redacted."""

    state: State
    phase: Phase
    seats: tuple[SeatView, ...]
    dealer_cards: tuple[str, ...]
    dealer_total: int
    dealer_soft: bool
    cards_left: int
    cut_card_out: bool
    rounds_left: int
    your: YourSeat | None
    announcements: tuple[Announcement, ...]


def view(state: State, viewer: str, chance: Chance, latest: Sequence[Event]) -> TableView:
    """What the player `viewer` (empty: nobody who could sit) sees of a table.

    `chance` is asked for the viewer's own cards that lie face down, and for no other.
    `latest` are the events of the newest row, for what a client announces.
    """
    own = state.seat_of(viewer) if viewer else None
    dealer_cards = _dealer_cards(state, own, chance)
    dealer_total, dealer_soft = _seen_total(dealer_cards)
    shoe = state.shoe
    return TableView(
        state=state,
        # A table that can't deal waits for players, whatever became of its last round.
        phase=Phase.WAITING if state.waits_for_players and state.between_rounds else state.phase,
        seats=tuple(
            SeatView(
                seat,
                tuple(_hand_view(state, seat, own, hand, chance) for hand in seat.hands),
                state.phase in (Phase.SETTLED, Phase.FINISHED),
            )
            for seat in state.seats
        ),
        dealer_cards=dealer_cards,
        dealer_total=dealer_total,
        dealer_soft=dealer_soft,
        cards_left=cards_in_shoe(state.rules) - shoe.dealt if shoe.number else 0,
        cut_card_out=shoe.number > 0 and shoe.dealt >= cut_card(state.rules),
        rounds_left=_rounds_left(state),
        your=_your_seat(state, own, chance) if own else None,
        announcements=announcements(state, latest),
    )


def _hand_view(state: State, seat: Seat, own: Seat | None, hand: Hand, chance: Chance) -> HandView:
    cards = cards_of(state, hand, chance) if seat is own else hand.cards
    return HandView(hand, cards, *_seen_total(cards))


def _dealer_cards(state: State, own: Seat | None, chance: Chance) -> tuple[str, ...]:
    """The dealer's cards; a rotating banker sees his own hole card, while the round runs: of one
    that was voided it stays face down, and the bank may have moved on."""
    is_his = own is not None and own.number == state.banker and state.running
    if state.dealer.hole_at < 0 or not is_his:
        return state.dealer.cards
    hole = hole_card(state, chance)
    return tuple(hole if card == FACE_DOWN else card for card in state.dealer.cards)


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
            LegalAction(action, _cost(state, seat, action))
            for action in legal_actions(state, seat, chance)
        ),
        decision_token(state, seat),
        _bet_options(state, seat),
    )


def _cost(state: State, seat: Seat, action: Action) -> int:
    match action:
        case Action.DOUBLE | Action.SPLIT:
            return seat.hands[state.active_hand - 1].stake
        case Action.INSURE:
            return premium(seat.stake)
    return 0


def _bet_options(state: State, seat: Seat) -> BetOptions | None:
    settled = state.phase is Phase.SETTLED
    answered = not settled and bool(seat.stake or seat.sits_out)
    if not (settled or state.phase is Phase.BETTING) or seat.out or answered:
        return None
    if seat.number == state.banker or state.waits_for_players:
        return None
    rules = state.rules
    stack = stack_for_betting(rules, seat.stack)
    most = largest_stake(rules, stack)
    # What was bet in a settled round is not at stake any more.
    cover = state.seat(state.banker).stack if settled and state.rotates else cover_left(state)
    if cover is not None:
        most = min(most, largest_covered_stake(rules, cover))
    return BetOptions(
        state.betting_round,
        rules.min_bet,
        most,
        rules.bet_step,
        stack if stack != seat.stack else 0,
        min(seat.last_stake, most),
        rules.max_seats > 1,
    )
