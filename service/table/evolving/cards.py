"""How the events of the cards change the state: the shoe, the deal, the hands, the dealer.

One function an event, of the event's name.
"""

from msgspec.structs import replace

from service.rules.cards import FACE_DOWN
from service.rules.hand import EndCause, Hand
from service.table import events as e
from service.table.evolving.seat_changes import with_hand, with_seat
from service.table.phase import Phase
from service.table.state import Dealer, Shoe, State


def shoe_revealed(state: State, event: e.ShoeRevealed) -> State:
    return state


def shoe_opened(state: State, event: e.ShoeOpened) -> State:
    return replace(
        state,
        shoe=Shoe(
            event.shoe,
            commitment=event.commitment,
            next_commitment=event.next_commitment,
            root=event.root,
            client_seeds=event.client_seeds,
            fresh=True,
        ),
        seats=tuple(
            replace(seat, client_seed="") if seat.client_seed else seat for seat in state.seats
        ),
    )


def _dealt(shoe: Shoe, position: int) -> Shoe:
    return replace(shoe, dealt=position + 1)


def card_dealt(state: State, event: e.CardDealt) -> State:
    seat = state.seat(event.seat)
    if seat.hands:
        hands = list(seat.hands)
        hand = hands[event.hand - 1]
        hands[event.hand - 1] = replace(hand, cards=(*hand.cards, event.card))
    else:
        hands = [Hand((event.card,), seat.stake)]
    return replace(
        state,
        seats=with_seat(state, event.seat, hands=tuple(hands)),
        shoe=_dealt(state.shoe, event.position),
    )


def first_card_dealt(state: State, event: e.FirstCardDealt) -> State:
    stake = state.seat(event.seat).stake
    hand = Hand((FACE_DOWN,), stake, first_at=event.position)
    return replace(
        state,
        seats=with_seat(state, event.seat, hands=(hand,)),
        shoe=_dealt(state.shoe, event.position),
    )


def first_card_turned(state: State, event: e.FirstCardTurned) -> State:
    hand = state.seat(event.seat).hands[event.hand - 1]
    cards = (event.card, *hand.cards[1:])
    return replace(state, seats=with_hand(state, event.seat, event.hand, cards=cards, first_at=-1))


def dealer_card_dealt(state: State, event: e.DealerCardDealt) -> State:
    return replace(
        state,
        dealer=replace(state.dealer, cards=(*state.dealer.cards, event.card)),
        shoe=_dealt(state.shoe, event.position),
        deadline=0,
    )


def hole_card_dealt(state: State, event: e.HoleCardDealt) -> State:
    return replace(
        state,
        dealer=Dealer((*state.dealer.cards, FACE_DOWN), hole_at=event.position),
        shoe=_dealt(state.shoe, event.position),
    )


def hole_card_turned(state: State, event: e.HoleCardTurned) -> State:
    cards = tuple(event.card if card == FACE_DOWN else card for card in state.dealer.cards)
    return replace(
        state,
        dealer=replace(state.dealer, cards=cards, hole_at=-1),
        active_seat=0,
        active_hand=0,
    )


def dealer_peeked(state: State, event: e.DealerPeeked) -> State:
    return replace(
        state, dealer=replace(state.dealer, peeked=True, natural=event.natural), deadline=0
    )


def turn_started(state: State, event: e.TurnStarted) -> State:
    return replace(
        state,
        phase=Phase.TURNS,
        active_seat=event.seat,
        active_hand=event.hand,
        deadline=0,
    )


def hand_hit(state: State, event: e.HandHit) -> State:
    moves = state.seat(event.seat).moves + 1
    return replace(state, seats=with_seat(state, event.seat, moves=moves), deadline=0)


def hand_doubled(state: State, event: e.HandDoubled) -> State:
    seat = state.seat(event.seat)
    hands = list(seat.hands)
    hand = hands[event.hand - 1]
    hands[event.hand - 1] = replace(hand, stake=hand.stake + event.stake, doubled=True)
    return replace(
        state,
        seats=with_seat(
            state,
            event.seat,
            hands=tuple(hands),
            stack=seat.stack - event.stake,
            staked=seat.staked + event.stake,
            moves=seat.moves + 1,
        ),
    )


def hand_split(state: State, event: e.HandSplit) -> State:
    seat = state.seat(event.seat)
    hands = list(seat.hands)
    left, right = hands[event.hand - 1].cards
    hands[event.hand - 1 : event.hand] = [
        Hand((left,), event.stake, split=True),
        Hand((right,), event.stake, split=True),
    ]
    return replace(
        state,
        seats=with_seat(
            state,
            event.seat,
            hands=tuple(hands),
            stack=seat.stack - event.stake,
            staked=seat.staked + event.stake,
            moves=seat.moves + 1,
        ),
        deadline=0,
    )


def hand_ended(state: State, event: e.HandEnded) -> State:
    seats = with_hand(state, event.seat, event.hand, ended=event.cause)
    if event.cause is EndCause.NATURAL or state.active_seat != event.seat:
        return replace(state, seats=seats)
    return replace(state, seats=seats, active_seat=0, active_hand=0, deadline=0)


def banker_turn_started(state: State, event: e.BankerTurnStarted) -> State:
    return replace(state, phase=Phase.BANKER, active_seat=event.seat, active_hand=0, deadline=0)


def dealer_stood(state: State, event: e.DealerStood) -> State:
    return replace(state, active_seat=0, active_hand=0, deadline=0)
