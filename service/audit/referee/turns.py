"""Insurance, peek and turns.

Source: docs/rules.md, sections 3, 4 and 8.
"""

from service.audit.referee.course import (
    awaited,
    can_insure,
    current,
    insurance_exists,
    is_finished,
    peek_is_due,
    unanswered,
)
from service.audit.referee.hand import Hand
from service.audit.referee.options import may_surrender
from service.audit.referee.raising import can_double, can_split, gets_one_card_only
from service.audit.referee.record import Plain, Seat, Table


def insurance_offered(table: Table, event: Plain) -> None:
    """Insurance is offered to every seat that can pay, once, after the deal."""
    due = awaited(table)
    table.require(
        due == "insurance offer", f"insurance is offered, when the round waits for: {due}"
    )
    table.expect("who may insure", sorted(event["seats"]), sorted(can_insure(table)))
    table.deal.insurance_offered = True
    table.deal.may_insure = set(event["seats"])
    table.clock_set = False


def insurance_taken(table: Table, event: Plain) -> None:
    """Insurance for half the stake, by a seat that was offered it."""
    seat = table.seats[event["seat"]]
    _answers(table, event["seat"])
    table.require(
        event["seat"] in table.deal.may_insure, "insurance by a seat that was not offered it"
    )
    in_time(table, "insurance_seconds")
    table.expect("the insurance", event["stake"] * 2, seat.stake)
    _can_pay(table, seat, event["stake"])
    seat.pay_in(event["stake"])
    seat.insurance = event["stake"]
    if table.rules["insurance"] == "protects_stake":
        table.owed_to_bank = ("premium", event["stake"])


def insurance_declined(table: Table, event: Plain) -> None:
    """Insurance is declined: by the player, by the clock, or by the table if the seat could not
    pay."""
    number = event["seat"]
    _answers(table, number)
    if event["cause"] == "table":
        able = number in table.deal.may_insure
        table.require(not able, "the table declines for a seat that could pay")
    else:
        table.require(number in table.deal.may_insure, "an answer that was not asked for")
        in_time(table, "insurance_seconds")


def _answers(table: Table, number: int) -> None:
    open_phase = table.running and not table.deal.to_come and insurance_exists(table)
    table.require(open_phase and not table.deal.peeked, "insurance is not offered now")
    if table.deal.insurance_offered:
        table.require(number in unanswered(table), f"seat {number} has no insurance to answer")
    table.deal.answered.add(number)


def dealer_peeked(table: Table, event: Plain) -> None:
    """A peek at the hole card: once, for the upcards that the rule set names."""
    due = awaited(table)
    table.require(due == "peek" and peek_is_due(table), f"a peek, when the round waits for: {due}")
    table.deal.peeked = True
    table.deal.natural_seen = event["natural"]


def turn_started(table: Table, event: Plain) -> None:
    """A hand must decide: the first that can still take cards."""
    _decides(table, event)
    hand = (event["seat"], event["hand"])
    table.require(table.deal.turn_of != hand, "a turn is started twice")
    table.deal.turn_of = hand
    table.clock_set = False


def hand_hit(table: Table, event: Plain) -> None:
    """A hit: on any open hand except a split ace that gets one card only."""
    seat, hand = _acts(table, event)
    table.require(not gets_one_card_only(table, hand), "a hit on a split ace")
    hand.asked = True
    seat.decided = True


def hand_doubled(table: Table, event: Plain) -> None:
    """A double: the stake again, on the first two cards, if the rule set allows it."""
    seat, hand = _acts(table, event)
    table.require(can_double(table, seat, hand), f"{hand.cards} may not double")
    table.expect("the stake added", event["stake"], hand.stake)
    _can_pay(table, seat, event["stake"])
    seat.pay_in(event["stake"])
    hand.stake += event["stake"]
    hand.doubled = True
    seat.decided = True


def hand_split(table: Table, event: Plain) -> None:
    """A split: the second card moves to a new hand on the right, with another stake."""
    seat, hand = _acts(table, event)
    table.require(can_split(table, seat, hand), f"{hand.cards} may not be split")
    table.expect("the stake of the new hand", event["stake"], hand.stake)
    _can_pay(table, seat, event["stake"])
    seat.pay_in(event["stake"])
    moved = hand.cards.pop()
    hand.split = True
    seat.hands.insert(event["hand"], Hand([moved], event["stake"], split=True))
    seat.decided = True


def hand_ended(table: Table, event: Plain) -> None:
    """A hand ends: by a decision, or because of its cards."""
    seat = table.seats[event["seat"]]
    hand = seat.hands[event["hand"] - 1]
    cause = event["cause"]
    again = hand.ended and (cause != "forfeited" or hand.ended == cause)
    table.require(not again, f"the hand has ended: {hand.ended}")
    table.require(not table.deal.to_come, "a hand ends before the deal does")
    if cause in ("stood", "time_out", "surrendered"):
        _acts(table, event)
        if cause == "surrendered":
            table.require(may_surrender(table, seat, hand), "a surrender that is not open")
        seat.decided = True
    else:
        table.require(cause in _causes(table, seat, hand), f"{hand.cards} did not end: {cause}")
    hand.ended = cause


def _causes(table: Table, seat: Seat, hand: Hand) -> set[str]:
    """Why a hand takes no more cards; if two causes are true, either is accepted."""
    if seat.left:
        return {"forfeited"} if hand.lost else set()
    if table.deal.banker_ran:
        return set() if is_finished(table, seat, hand) else {"banker_left"}
    if hand.bust:
        return {"bust"}
    if table.is_bonus(hand):
        return {"bonus"}
    if hand.natural:
        return {"natural"}
    causes = set()
    if len(hand.cards) > 1:
        if hand.total == 21:
            causes.add("twenty_one")
        if hand.doubled and len(hand.cards) == 3:
            causes.add("doubled")
        if gets_one_card_only(table, hand) and not can_split(table, seat, hand):
            causes.add("split_ace")
    return causes


def _decides(table: Table, event: Plain) -> tuple[Seat, Hand]:
    due = awaited(table)
    table.require(due == "decision", f"a decision, when the round waits for: {due}")
    table.expect("the open hand", (event["seat"], event["hand"]), current(table))
    seat = table.seats[event["seat"]]
    return seat, seat.hands[event["hand"] - 1]


def _acts(table: Table, event: Plain) -> tuple[Seat, Hand]:
    acting = _decides(table, event)
    on_turn = table.deal.turn_of == (event["seat"], event["hand"])
    table.require(on_turn, "a decision before its turn is started")
    in_time(table, "turn_seconds")
    table.clock_set = table.clock_set and table.rules["turn_seconds"] == 0
    return acting


def in_time(table: Table, limit: str) -> None:
    """If the rule set limits the time, the decision had a deadline."""
    table.require(table.rules[limit] == 0 or table.clock_set, "a decision without its deadline")


def _can_pay(table: Table, seat: Seat, chips: int) -> None:
    table.require(seat.stack >= chips, f"{chips} staked from a stack of {seat.stack}")
