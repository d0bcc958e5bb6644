"""Seats: sitting down, starting, leaving.

Source: docs/rules.md, sections 7 and 8.
"""

from service.audit.referee.bank import banker_is_due
from service.audit.referee.course import is_finished
from service.audit.referee.record import Departed, Plain, Seat, Table


def table_opened(table: Table, event: Plain) -> None:
    """The first event of a table's first round."""
    table.require(table.place == 0, "a table is opened twice")
    table.expect("the rule set", event["rule_set"], table.rules)
    table.round = 1
    table.shoe.next_commitment = event["commitment"]


def seat_taken(table: Table, event: Plain) -> None:
    """A player sits down: before the start, or between the rounds of an open-ended table."""
    number, player = event["seat"], event["player"]
    table.require(not table.running, "somebody sits down in a running round")
    table.require(1 <= number <= table.rules["max_seats"], f"there is no seat {number}")
    table.require(number not in table.seats, f"seat {number} is taken")
    seated = {seat.player for seat in table.seats.values()}
    table.require(player not in seated, f"{player} has a seat already")
    open_ended = table.rules["rounds"] == 0
    table.require(open_ended or not table.started, "a scheduled table takes no one after its start")
    stack = table.rules["starting_stack"]
    if player in table.departed:
        stack = table.departed.pop(player).stack
    else:
        table.brought += event["stack"]
    table.expect("the stack at the table", event["stack"], stack)
    table.seats[number] = Seat(player, event["stack"])
    if is_broke(table, table.seats[number]):
        table.owed["SeatOut"].add(number)
    table.entrants += 1
    banker_is_due(table)


def client_seed_given(table: Table, event: Plain) -> None:
    """A player gives a seed for the next shoe; the player's last one counts."""
    table.require(not table.running, "a seed given in a running round")
    table.require(bool(event["seed"]), "a seed that is empty")
    table.seats[event["seat"]].client_seed = event["seed"]


def seat_ready(table: Table, event: Plain) -> None:
    """A seated player says that the table may start."""
    table.require(not table.started, "ready after the start")
    table.seats[event["seat"]].ready = True


def table_started(table: Table, _event: Plain) -> None:
    """Enough players are seated and ready, or the table is full."""
    seated = list(table.seats.values())
    full = len(seated) == table.rules["max_seats"]
    enough = len(seated) >= table.rules["min_seats"]
    table.require(
        full or (enough and all(seat.ready for seat in seated)),
        f"a start with {len(seated)} seats",
    )
    table.require(not table.started, "a second start")
    table.started = True
    table.entrants = len(seated)


def seat_left(table: Table, event: Plain) -> None:
    """A player leaves: with the stack only in a running round, otherwise with all bets returned."""
    number = event["seat"]
    seat = table.seats[number]
    table.require(not seat.left, "the player leaves twice")
    ranked = table.rules["ranking"] != "none" and table.started
    table.expect("whether the match is forfeited", event["forfeited"], ranked)
    if table.running and (seat.stake or number == table.banker):
        table.expect("the stack that the player leaves with", event["stack"], seat.stack)
        _run_away(table, number, seat)
        return
    laid = seat.stake and not table.deal.over
    table.require(not laid, f"the bet of seat {number} stays when its player leaves")
    table.expect("the stack that the player leaves with", event["stack"], seat.stack)
    del table.seats[number]
    if not table.started:
        table.brought -= event["stack"]
        banker_is_due(table)
        return
    table.departed[seat.player] = Departed(number, event["stack"], event["forfeited"])
    if number == table.banker:
        laid = any(one.stake for one in table.seats.values())
        table.require(table.running or not laid, "bets stay when the banker leaves")
        table.must_move_on = {"left"}


def _run_away(table: Table, number: int, seat: Seat) -> None:
    """A player leaves during a round. With a house banker every hand that is not bust is forfeited;
    with a rotating banker only open hands are. A banker who leaves ends the round or, once the hole
    card is up, stands."""
    seat.left = True
    if number == table.banker:
        table.deal.banker_ran = not table.deal.hole_up
    for hand in seat.hands:
        stays = is_finished(table, seat, hand) if table.rotates else hand.bust
        hand.lost = not stays


def seat_out(table: Table, event: Plain) -> None:
    """A seat with a stack below the minimum bet is out, if the rule set does not refill it."""
    seat = table.seats[event["seat"]]
    table.require(is_broke(table, seat), "a seat is out that could play on")
    table.require(not table.running and not seat.out, "a seat is out at the wrong time")
    seat.out = True
    table.owed["SeatOut"].discard(event["seat"])


def is_broke(table: Table, seat: Seat) -> bool:
    """Whether a stack is below the minimum bet and is not refilled."""
    low: bool = seat.stack < table.rules["min_bet"]
    return low and table.rules["when_broke"] == "end"
