"""Results and payouts of a round.

Source: docs/rules.md, sections 3, 7 and 8.
"""

from service.audit.referee.bank import can_play, step_down
from service.audit.referee.bonuses import bonus_of
from service.audit.referee.cards import count
from service.audit.referee.course import awaited, dealer_natural, hands
from service.audit.referee.hand import Hand
from service.audit.referee.record import Departed, Net, Plain, Seat, Table
from service.audit.referee.seating import is_broke


def hand_settled(table: Table, event: Plain) -> None:
    """A hand is settled, in the order of seats and from left to right."""
    number, index = event["seat"], event["hand"]
    seat = table.seats[number]
    hand = seat.hands[index - 1]
    _in_settlement(table)
    table.require((number, index) > table.deal.last_settled, "hands are settled out of order")
    table.require(not hand.result, "a hand is settled twice")
    table.require(bool(hand.ended) or table.deal.natural_seen, "an open hand is settled")
    table.require(not hand.lost or hand.ended == "forfeited", "a forfeited hand ended otherwise")
    table.deal.last_settled = (number, index)
    result, returned = outcome(table, seat, hand)
    table.expect("the result", event["result"], result)
    table.expect(f"the return of a {result}", event["returned"], returned)
    hand.result, hand.returned = event["result"], event["returned"]
    table.deal.hands_brought += hand.stake - hand.returned
    seat.take_back(event["returned"])


def outcome(table: Table, seat: Seat, hand: Hand) -> tuple[str, int]:
    """The result of a hand, and the amount returned (the stake included)."""
    if hand.lost:
        return "forfeit", 0
    if table.deal.banker_ran:
        return _from_a_runaway(seat, hand)
    if hand.bust:
        return "bust", 0
    natural, bonus = dealer_natural(table), bonus_of(table.rules, hand)
    if bonus and (bonus.beats_natural or not natural):
        return "bonus", hand.stake + _pays(bonus.ratio, hand.stake)
    if natural:
        return _against_a_natural(table, seat, hand)
    if hand.ended == "surrendered":
        return "surrender", hand.stake // 2
    if hand.natural:
        return "natural", hand.stake + _pays(table.rules["natural_pays"], hand.stake)
    dealer = count(table.deal.dealer)[0]
    if dealer > 21 or hand.total > dealer:
        return "win", hand.stake * 2
    return ("push", hand.stake) if hand.total == dealer else ("lose", 0)


def _against_a_natural(table: Table, seat: Seat, hand: Hand) -> tuple[str, int]:
    """A dealer natural takes every stake, or at some tables one initial stake of a seat that
    doubled or split, on the leftmost hand that is not bust."""
    protected = seat.insurance and table.rules["insurance"] == "protects_stake"
    if hand.natural or protected:
        return "push", hand.stake
    raised = len(seat.hands) > 1 or hand.doubled
    spares = table.rules["dealer_natural_takes"] == "original_bets" and not table.deal.peeked
    if raised and spares:
        leftmost = next(one for one in seat.hands if not one.bust)
        return ("lose", hand.stake - seat.stake) if hand is leftmost else ("push", hand.stake)
    return "lose", 0


def _from_a_runaway(seat: Seat, hand: Hand) -> tuple[str, int]:
    """A banker who leaves during a round returns all stakes, and pays each punter who has not left
    an amount equal to the initial stake, on the first hand."""
    if hand is seat.hands[0] and not seat.left:
        return "win", hand.stake + seat.stake
    return "push", hand.stake


def _pays(ratio: Plain, stake: int) -> int:
    payout, rest = divmod(stake * ratio["numerator"], ratio["denominator"])
    if rest:
        raise ValueError(f"a payout on {stake} would have to be rounded")
    return int(payout)


def insurance_settled(table: Table, event: Plain) -> None:
    """Insurance pays 2:1 against a dealer natural, and is lost without one or when its player left;
    a banker who leaves returns it. A premium that protects the stake has been paid already."""
    seat = table.seats[event["seat"]]
    _in_settlement(table)
    table.require(seat.insurance > 0 and not seat.insurance_settled, "no insurance to settle")
    table.expect("the insurance's return", event["returned"], _insurance_return(table, seat))
    if table.rules["insurance"] == "two_to_one":
        table.deal.hands_brought += seat.insurance - event["returned"]
    seat.insurance_settled = True
    seat.take_back(event["returned"])


def _insurance_return(table: Table, seat: Seat) -> int:
    if seat.left or table.rules["insurance"] == "protects_stake":
        return 0
    if table.deal.banker_ran:
        return seat.insurance
    return seat.insurance * 3 if dealer_natural(table) else 0


def _in_settlement(table: Table) -> None:
    due = awaited(table)
    table.require(due == "settlement", f"a payout, when the round waits for: {due}")


def round_settled(table: Table, event: Plain) -> None:
    """The books of a round: each seat's stakes, its return, and its stack."""
    table.require(not table.deal.over, "a round is settled twice")
    if table.deal.begun:
        _in_settlement(table)
        if not table.deal.voided:
            _all_is_paid(table)
    else:
        table.require(table.started and not table.dealt_in, "bets without a deal")
        # If no one can sit down any more, the rounds pass by the betting clock.
        plays = can_play(table) or table.rules["rounds"]
        table.require(bool(plays), "a round is over at a table that waits for players")
        for number, seat in table.seats.items():
            answered = seat.sat_out or seat.out or number == table.banker
            table.require(answered, f"the round does not wait for seat {number}")
    books = _books_unseen(table, event) if table.deal.unseen else _books(table)
    table.expect("the books", event["seats"], books)
    if books:
        table.books[table.round] = [
            Net(one["seat"], one["player"], one["net"]) for one in books if one["net"]
        ]
    table.deal.over = True
    table.betting_deadline = 0
    step_down(table)
    for number, seat in list(table.seats.items()):
        if seat.left:
            forfeited = table.rules["ranking"] != "none"
            table.departed[seat.player] = Departed(number, seat.stack, forfeited)
            del table.seats[number]
        elif is_broke(table, seat) and not seat.out:
            table.owed["SeatOut"].add(number)
    if table.rotates:
        held = sum(one.stack for one in table.seats.values())
        held += sum(one.stack for one in table.departed.values())
        table.expect("the chips of the table", held, table.brought)


def _all_is_paid(table: Table) -> None:
    for number, hand in hands(table):
        table.require(bool(hand.result), f"a hand of seat {number} is not settled")
    for number, seat in table.dealt_in:
        open_insurance = seat.insurance and not seat.insurance_settled
        table.require(not open_insurance, f"the insurance of seat {number} is not settled")
    banked = table.deal.hands_banked
    table.require(banked or not table.rotates, "the bank is not settled")


def _books(table: Table) -> list[Plain]:
    return [
        {
            "seat": number,
            "player": seat.player,
            "staked": seat.staked,
            "returned": seat.returned,
            "net": seat.returned - seat.staked,
            "stack": seat.stack,
        }
        for number, seat in sorted(table.seats.items())
        if seat.staked or seat.returned
    ]


def _books_unseen(table: Table, event: Plain) -> list[Plain]:
    """The books of a voided round that could not be followed: no one lost or won."""
    return [
        {
            "seat": one["seat"],
            "player": table.seats[one["seat"]].player,
            "staked": one["staked"],
            "returned": one["staked"],
            "net": 0,
            "stack": table.seats[one["seat"]].stack,
        }
        for one in event["seats"]
    ]
