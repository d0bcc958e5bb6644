"""The rotating banker: the chips that move to the bank, and the seat that holds it.

Source: docs/rules.md, section 8.
"""

from service.audit.referee.course import awaited
from service.audit.referee.record import Plain, Table
from service.audit.referee.turns import in_time


def bank_moved(table: Table, event: Plain) -> None:
    """Chips move from the punters to the banker or back: everything owed, at once."""
    cause, amount = event["cause"], event["amount"]
    if cause == "hands":
        _hands_are_due(table)
        owed: tuple[str, int] | None = ("hands", table.deal.hands_brought)
        table.deal.hands_banked = True
    else:
        owed, table.owed_to_bank = table.owed_to_bank, None
    table.expect("the chips that move to the bank", (cause, amount), owed)
    banker = table.seats[table.banker]
    if amount > 0:
        banker.take_back(amount)
    else:
        banker.pay_in(-amount)
    table.require(banker.stack >= 0, f"the bank falls to {banker.stack}")


def _hands_are_due(table: Table) -> None:
    due = awaited(table)
    table.require(due == "settlement", f"the bank is settled, when the round waits for: {due}")
    table.require(not table.deal.hands_banked, "the bank is settled twice")
    for number, seat in table.dealt_in:
        open_insurance = seat.insurance and not seat.insurance_settled
        settled = all(hand.result for hand in seat.hands) and not open_insurance
        table.require(settled, f"the bank is settled before seat {number}")


def banker_turn_started(table: Table, event: Plain) -> None:
    """The dealer's hand is soft 17 to 20, and some hand depends on it: the banker must choose."""
    due = awaited(table)
    table.require(due == "banker's turn", f"the banker is asked, when the round waits for: {due}")
    table.expect("the banker who is asked", event["seat"], table.banker)
    table.deal.banker_asked = True
    table.clock_set = False


def dealer_stood(table: Table, event: Plain) -> None:
    """The banker stands: by choice, because time ran out, or by leaving."""
    due, cause = awaited(table), event["cause"]
    if cause == "left":
        table.require(due == "banker's stand", f"the bank stands, when the round waits for: {due}")
    else:
        table.require(cause in ("player", "time_out"), f"the bank stands for {cause}")
        table.require(due == "banker's choice", f"the bank stands, when the round waits for: {due}")
        in_time(table, "turn_seconds")
    table.deal.banker_stood = True


def banker_changed(table: Table, event: Plain) -> None:
    """The bank moves: for a valid cause, to the seat that is next."""
    number, cause = event["seat"], event["cause"]
    table.require(cause in table.must_move_on, f"the bank moves on for no reason: {cause}")
    right = _earliest(table) if cause == "first" else _next_in_line(table)
    table.expect("the banker", number, right)
    table.last_banker = number or table.banker or table.last_banker
    table.banker = number
    table.must_move_on = set()


def banker_is_due(table: Table) -> None:
    """A player sat down, or left before the start: find out whether the bank must move."""
    if not table.rotates:
        return
    if not table.started:
        table.must_move_on = {"first"} if table.banker != _earliest(table) else set()
    elif not table.banker and _next_in_line(table):
        table.must_move_on = {"vacant"}


def step_down(table: Table) -> None:
    """After a round: find out whether the banker has left or holds too little, or every punter has
    won."""
    if not table.banker:
        return
    banker = table.seats[table.banker]
    gains = [sum(hand.returned - hand.stake for hand in seat.hands) for _, seat in table.dealt_in]
    causes = set()
    if not can_hold(table, banker.stack):
        causes.add("too_small")
    if gains and min(gains) > 0:
        causes.add("everybody_gained")
    table.must_move_on = {"left"} if banker.left else causes


def can_play(table: Table) -> bool:
    """Whether a table can deal: always with a house banker, otherwise with a banker and a
    punter."""
    playing = sum(not seat.out for seat in table.seats.values())
    return not table.rotates or (table.banker > 0 and playing > 1)


def _earliest(table: Table) -> int:
    """The seat that was taken first; seats are kept in the order in which they were taken."""
    return next(iter(table.seats), 0)


def _next_in_line(table: Table) -> int:
    """The first seat that can hold the bank, counter-clockwise from the current or last banker:
    downwards, then from the highest; 0 if there is none. A banker who steps down is skipped; once
    no one holds the bank, the last banker comes last."""
    last = table.banker or table.last_banker
    highest: int = table.rules["max_seats"]
    order: list[int] = [*range(last - 1, 0, -1), *range(highest, last - 1, -1)]
    for number in order:
        seat = table.seats.get(number)
        if seat and number != table.banker and not seat.left and can_hold(table, seat.stack):
            return number
    return 0


def can_hold(table: Table, stack: int) -> bool:
    """Whether a stack can hold the bank: one and a half times the minimum bet."""
    return bool(stack * 2 >= table.rules["min_bet"] * 3)
