"""Reading without judging, when a card is needed that no one may know yet."""

from service.audit.referee.record import Departed, Plain, Seat, Table
from service.audit.referee.voiding import round_voided


def pass_over(table: Table, event: Plain) -> None:
    """Read an event without judging it, in a voided round whose cards no one may know yet: only
    what outlasts the round is recorded."""
    if event["type"] == "RoundVoided":
        round_voided(table, event)
    elif event["type"] == "SeatLeft":
        _leave(table, event["seat"], table.seats[event["seat"]])
    elif "position" in event:
        table.shoe.dealt = max(table.shoe.dealt, event["position"] + 1)


def _leave(table: Table, number: int, seat: Seat) -> None:
    if seat.stake:
        seat.left = True
    else:
        forfeited = table.rules["ranking"] != "none"
        table.departed[seat.player] = Departed(number, seat.stack, forfeited)
        del table.seats[number]
