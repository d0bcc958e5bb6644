"""The legal actions of each seat, so that a decider that refuses too much is found, too."""

from service.audit.referee.course import (
    awaited,
    can_insure,
    current,
    unanswered,
)
from service.audit.referee.hand import Hand
from service.audit.referee.raising import can_double, can_split, gets_one_card_only
from service.audit.referee.record import Seat, Table


def open_actions(table: Table) -> dict[int, set[str]]:
    """The legal actions of each seat that must decide now, by seat; empty if none must."""
    due = awaited(table)
    if due == "insurance":
        return {number: {"insure", "decline"} for number in unanswered(table) & can_insure(table)}
    if due == "banker's choice":
        return {table.banker: {"hit", "stand"}}
    turn = current(table) if due == "decision" else None
    if turn is None:
        return {}
    seat = table.seats[turn[0]]
    return {turn[0]: _on_a_hand(table, seat, seat.hands[turn[1] - 1])}


def may_surrender(table: Table, seat: Seat, hand: Hand) -> bool:
    """Whether a seat may surrender: only as its first decision, on its first two cards."""
    first = not seat.decided and not hand.split and len(hand.cards) == 2
    return first and bool(table.rules["surrender"] == "late")


def _on_a_hand(table: Table, seat: Seat, hand: Hand) -> set[str]:
    may = {
        "hit": not gets_one_card_only(table, hand),
        "stand": True,
        "double": can_double(table, seat, hand),
        "split": can_split(table, seat, hand),
        "surrender": may_surrender(table, seat, hand),
    }
    return {action for action, legal in may.items() if legal}
