"""What a dealt round waits for next.

Source: docs/rules.md, sections 3, 4 and 8.
"""

from collections.abc import Iterator

from service.audit.referee.cards import count, is_natural, value
from service.audit.referee.hand import Hand
from service.audit.referee.raising import can_split, gets_one_card_only
from service.audit.referee.record import Seat, Table


def awaited(table: Table) -> str:
    """The one thing that must come next; players give a "decision", a "banker's choice", and the
    answers to the offer of insurance."""
    deal = table.deal
    if not table.running:
        return "bets"
    if deal.voided:
        return "settlement"
    if deal.to_come:
        return "deal"
    if deal.pair_bets_on and open_pair_bets(table):
        return "pair bets"
    hidden = table.rules["first_card_hidden"]
    if hidden and any(must_be_turned(hand) for _, hand in hands(table)):
        return "first card"
    if is_played_on(table):
        if not deal.insurance_offered and can_insure(table):
            return "insurance offer"
        if deal.insurance_offered and unanswered(table):
            return "insurance"
        if peek_is_due(table) and not deal.peeked:
            return "peek"
        turn = None if deal.natural_seen else current(table)
        if turn:
            number, index = turn
            hand = table.seats[number].hands[index - 1]
            return "card" if is_owed_a_card(hand) else "decision"
    return _showdown(table)


def _showdown(table: Table) -> str:
    if not table.deal.hole_up:
        return "hole card"
    if dealer_must_draw(table):
        return "draw"
    if banker_must_choose(table):
        if not table.deal.banker_asked:
            return "banker's turn"
        return "banker's stand" if table.seats[table.banker].left else "banker's choice"
    if any(hand.face_down_at >= 0 for _, hand in hands(table)):
        return "first card"
    return "settlement"


def hands(table: Table) -> Iterator[tuple[int, Hand]]:
    """Every hand of the round with the number of its seat, by seat and from left to right."""
    return ((number, hand) for number, seat in table.dealt_in for hand in seat.hands)


def is_played_on(table: Table) -> bool:
    """Whether some hand is still played: its player has not left, and neither has the banker."""
    if table.deal.banker_ran:
        return False
    for _, seat in table.dealt_in:
        for hand in seat.hands:
            if not (hand.lost or hand.bust):
                return True
    return False


def open_pair_bets(table: Table) -> list[tuple[int, int]]:
    """The open pair bets: the seat that made each, and the seat it is on."""
    return [(number, on) for number, seat in table.dealt_in for on in seat.pair_bets]


def is_pair(table: Table, number: int) -> bool:
    """Whether a seat's first two cards are of one rank."""
    first, second = table.seats[number].hands[0].cards[:2]
    return first[0] == second[0]


def must_be_turned(hand: Hand) -> bool:
    """Whether a face-down first card must be turned up before the showdown."""
    return hand.face_down_at >= 0 and (hand.natural or hand.split or hand.bust)


def upcard(table: Table) -> str:
    """The dealer's face-up card."""
    return table.deal.dealer[0]


def insurance_exists(table: Table) -> bool:
    """Whether the upcard is an ace at a table with insurance."""
    return table.rules["insurance"] != "none" and upcard(table)[0] == "A"


def can_insure(table: Table) -> set[int]:
    """The seats that may insure: dealt in, not left, with at least half their stake in the
    stack."""
    if table.deal.hole_up or not insurance_exists(table):
        return set()
    return {n for n, seat in table.dealt_in if not seat.left and seat.stack >= seat.stake // 2}


def unanswered(table: Table) -> set[int]:
    """The seats that have neither insured nor declined, and have not left."""
    present = {number for number, seat in table.dealt_in if not seat.left}
    return present - table.deal.answered


def peek_is_due(table: Table) -> bool:
    """Whether the rule set names this upcard for a peek."""
    card = upcard(table)
    return (table.rules["peek"] != "none" and card[0] == "A") or (
        table.rules["peek"] == "ace_and_ten" and value(card) == 10
    )


def current(table: Table) -> tuple[int, int] | None:
    """The seat and hand whose turn it is: the first that can still take cards (hands count from 1).
    Seats whose players left are skipped. There are no turns after the hole card is up."""
    if table.deal.hole_up:
        return None
    for number, seat in table.dealt_in:
        if not seat.left:
            for index, hand in enumerate(seat.hands, start=1):
                if not is_finished(table, seat, hand):
                    return number, index
    return None


def is_finished(table: Table, seat: Seat, hand: Hand) -> bool:
    """Whether a hand takes no more cards."""
    if len(hand.cards) < 2:
        return False
    if hand.ended in ("stood", "time_out", "surrendered", "split_ace"):
        return True
    if hand.total >= 21 or table.is_bonus(hand):
        return True
    if hand.doubled:
        return len(hand.cards) > 2
    if hand.asked:
        return False
    return gets_one_card_only(table, hand) and not can_split(table, seat, hand)


def is_owed_a_card(hand: Hand) -> bool:
    """Whether a hand must get a card: after a split, a hit or a double."""
    return len(hand.cards) < 2 or hand.asked or (hand.doubled and len(hand.cards) == 2)


def dealer_natural(table: Table) -> bool:
    """Whether the dealer's first two cards, both turned up, are a natural."""
    return is_natural(table.deal.dealer[:2])


def depends(table: Table, hand: Hand) -> bool:
    """Whether a hand's result depends on the dealer's draws."""
    gone = hand.lost or hand.bust or hand.ended == "surrendered"
    return not (gone or table.is_bonus(hand) or hand.natural)


def dealer_plays(table: Table) -> bool:
    """Whether the dealer, with the hole card up, has a hand to play against."""
    return not table.deal.banker_ran and any(depends(table, hand) for _, hand in hands(table))


def dealer_must_draw(table: Table) -> bool:
    """Whether the dealer, with the hole card up, must draw another card."""
    total, soft = count(table.deal.dealer)
    if total > 17 or (total == 17 and not (soft and table.rules["soft_17"] == "hit")):
        return False
    return dealer_plays(table)


def banker_must_choose(table: Table) -> bool:
    """Whether the dealer's hand is a soft 17 to 20 on which a banker may hit, and has not stood."""
    total, soft = count(table.deal.dealer)
    choice = table.rules["soft_17"] == "choose" and soft and 17 <= total <= 20
    return choice and not table.deal.banker_stood and dealer_plays(table)
