"""The shoe, the deal and every card after it.

Source: docs/rules.md, sections 3 and 5.
"""

from service.audit.referee.cards import is_card
from service.audit.referee.course import (
    awaited,
    current,
    dealer_natural,
    is_pair,
    must_be_turned,
    open_pair_bets,
)
from service.audit.referee.hand import Hand
from service.audit.referee.record import Plain, Shoe, Table
from service.audit.referee.turns import in_time

CARDS_IN_A_PACK = 52


def shoe_opened(table: Table, event: Plain) -> None:
    """A fresh shoe: it is due, it precedes the first card of the round, and it has the next
    number."""
    old = table.shoe
    table.require(not table.running, "a fresh shoe within a round")
    table.require(not old.fresh, "two fresh shoes for one round")
    table.require(_fresh_shoe_is_due(table), f"a fresh shoe after {old.dealt} cards of the old one")
    table.require(old.number == 0 or old.revealed, "the old shoe was not revealed")
    table.expect("the number of the shoe", event["shoe"], old.number + 1)
    table.expect("the shoe's size", event["cards"], table.rules["decks"] * CARDS_IN_A_PACK)
    table.expect("the cut card's place", event["cut_card"], _cut_card(table))
    if old.next_commitment:
        table.expect("the commitment", event["commitment"], old.next_commitment)
    given = [
        {"seat": number, "player": seat.player, "seed": seat.client_seed}
        for number, seat in sorted(table.seats.items())
        if seat.client_seed
    ]
    table.expect("the players' seeds", event["client_seeds"], given)
    for seat in table.seats.values():
        seat.client_seed = ""
    table.shoe = Shoe(
        event["shoe"],
        next_commitment=event["next_commitment"],
        root=event["root"],
        client_seeds=event["client_seeds"],
        fresh=True,
    )


def shoe_revealed(table: Table, event: Plain) -> None:
    """A shoe is revealed: none of its cards may be dealt any more."""
    table.expect("the shoe revealed", event["shoe"], table.shoe.number)
    table.require(not table.running, "a shoe revealed within a round")
    table.shoe.revealed = True


def _cut_card(table: Table) -> int:
    cards = table.rules["decks"] * CARDS_IN_A_PACK
    whole, rest = divmod(table.rules["penetration"] * cards, 100)
    return int(whole + (rest > 0))


def _fresh_shoe_is_due(table: Table) -> bool:
    shoe = table.shoe
    return shoe.number == 0 or (shoe.dealt >= _cut_card(table) and not shoe.fresh)


def card_dealt(table: Table, event: Plain) -> None:
    """A card, face up, to the hand that is next."""
    number, index, card = event["seat"], event["hand"], event["card"]
    _begin(table)
    seat = table.seats[number]
    if table.deal.to_come:
        _next_of_the_deal(table, number, "card")
        table.expect("the hand that is dealt to", index, 1)
        if not seat.hands:
            seat.hands.append(Hand([], seat.stake))
    else:
        due = awaited(table)
        table.require(due == "card", f"a card to a hand, when the round waits for: {due}")
        table.expect("the hand that gets a card", (number, index), current(table))
    hand = seat.hands[index - 1]
    hand.cards.append(card)
    hand.asked = False
    _leaves_the_shoe(table, event["position"])
    _counts(table, card)


def first_card_dealt(table: Table, event: Plain) -> None:
    """A seat's first card, face down."""
    _begin(table)
    seat = table.seats[event["seat"]]
    _next_of_the_deal(table, event["seat"], "card face down")
    face = table.face(table.shoe.number, event["position"])
    if face is None:
        table.blind = True
        return
    seat.hands.insert(0, Hand([face], seat.stake, face_down_at=event["position"]))
    _leaves_the_shoe(table, event["position"])
    _counts(table, face)


def first_card_turned(table: Table, event: Plain) -> None:
    """A first card is turned up: at the showdown, or as soon as its hand may no longer hide it."""
    number, index = event["seat"], event["hand"]
    hand = table.seats[number].hands[index - 1]
    table.expect("the place of the card turned up", event["position"], hand.face_down_at)
    shown = table.deal.hole_up or must_be_turned(hand) or _won_a_pair_bet(table, number)
    if not shown and awaited(table) == "decision":
        table.expect("whose first card is turned up", (number, index), current(table))
        table.deal.promised_split = (number, index)
    else:
        table.require(shown, "a first card is turned up too early")
    hand.face_down_at = -1


def _won_a_pair_bet(table: Table, number: int) -> bool:
    dealt = not table.deal.to_come
    return dealt and number in table.deal.pair_bets_on and is_pair(table, number)


def dealer_card_dealt(table: Table, event: Plain) -> None:
    """The upcard, or a draw: required by the rules, or chosen by the banker."""
    _begin(table)
    if table.deal.to_come:
        _next_of_the_deal(table, 0, "card")
    else:
        due = awaited(table)
        chosen = due == "banker's choice"
        table.require(due == "draw" or chosen, f"the dealer draws, when the round waits for: {due}")
        if chosen:
            in_time(table, "turn_seconds")
    table.deal.banker_asked = False
    table.deal.dealer.append(event["card"])
    _leaves_the_shoe(table, event["position"])
    _counts(table, event["card"])


def hole_card_dealt(table: Table, event: Plain) -> None:
    """The hole card, face down."""
    _begin(table)
    _next_of_the_deal(table, 0, "card face down")
    table.deal.hole_at = event["position"]
    _leaves_the_shoe(table, event["position"])


def hole_card_turned(table: Table, event: Plain) -> None:
    """The hole card: after the last turn, or after a peek that found a natural."""
    due = awaited(table)
    table.require(due == "hole card", f"the hole card is up, when the round waits for: {due}")
    table.expect("the place of the hole card", event["position"], table.deal.hole_at)
    _counts(table, event["card"])
    table.deal.dealer.insert(1, event["card"])
    table.deal.hole_up = True
    if table.deal.peeked:
        table.expect("what the peek found", table.deal.natural_seen, dealer_natural(table))


def _begin(table: Table) -> None:
    """The first card of a round ends the betting and fixes the order of the deal."""
    if table.deal.begun:
        return
    deal = table.deal
    for number, seat in table.seats.items():
        answered = seat.stake or seat.sat_out or seat.out or number == table.banker
        table.require(bool(answered), f"the deal does not wait for seat {number}")
    table.require(bool(table.dealt_in), "a deal without a bet")
    table.require(table.started, "a deal before the table has started")
    table.require(not _fresh_shoe_is_due(table), "a deal without the fresh shoe that is due")
    dealt_in = {number for number, _ in table.dealt_in}
    deal.pair_bets_on = {on for _, on in open_pair_bets(table)}
    table.require(deal.pair_bets_on <= dealt_in, "a pair bet on a seat that gets no cards")
    first, second = "card", "card face down"
    if table.rules["hole_card"] == "first":
        first, second = second, first
    hidden = "card face down" if table.rules["first_card_hidden"] else "card"
    deal.to_come = [(number, hidden) for number in sorted(dealt_in)]
    deal.to_come.append((0, first))
    deal.to_come += [(number, "card") for number in sorted(dealt_in)]
    deal.to_come.append((0, second))
    deal.stacks_before = {
        number: seat.stack + seat.stake + sum(seat.pair_bets.values())
        for number, seat in table.seats.items()
    }
    deal.dealt_in = table.dealt_in
    deal.begun = True


def _next_of_the_deal(table: Table, number: int, kind: str) -> None:
    if not table.deal.to_come:
        table.dispute("a card of the deal after the deal")
        return
    table.expect("who is dealt to (0: the dealer)", (number, kind), table.deal.to_come.pop(0))


def _leaves_the_shoe(table: Table, position: int) -> None:
    table.expect("the place in the shoe", position, table.shoe.dealt)
    table.require(not table.shoe.revealed, "a card of a shoe that is public")
    table.shoe.dealt = position + 1


def _counts(table: Table, card: str) -> None:
    """No card comes out of a shoe more often than the shoe has decks."""
    table.require(is_card(card), f"{card!r} is not a card")
    table.shoe.seen[card] += 1
    times, packs = table.shoe.seen[card], table.rules["decks"]
    table.require(times <= packs, f"{card} for the {times}th time from {packs} decks")
