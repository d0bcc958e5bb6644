"""What a round inherits, and its bets.

Source: docs/rules.md, sections 2, 3, 7 and 8.
"""

from collections.abc import Sequence

from service.audit.referee.bank import can_play
from service.audit.referee.coverage import covered, worst_of_bet
from service.audit.referee.finishing import must_be_finished
from service.audit.referee.record import Deal, Departed, Plain, Seat, Table
from service.audit.referee.seating import is_broke


def round_opened(table: Table, event: Plain) -> None:
    """A round inherits exactly what the previous settlement left: stacks, banker, shoe."""
    if table.place == 0:
        _begin_reading_here(table, event)
        return
    table.require(table.deal.over, "a round is opened before the last one is settled")
    table.require(not must_be_finished(table), "a round at a table that must be finished")
    scheduled = table.rules["rounds"]
    table.require(not scheduled or table.round < scheduled, f"more than {scheduled} rounds")
    table.round += 1
    table.expect("the number of the round", event["round"], table.round)
    table.expect("the seats carried over", event["seats"], _carried_seats(table))
    gone = [
        {"player": player, "seat": one.seat, "stack": one.stack, "forfeited": one.forfeited}
        for player, one in table.departed.items()
    ]
    table.expect("who has left", _by_player(event["departed"]), _by_player(gone))
    table.expect("the players so far", event["entrants"], table.entrants)
    table.expect("the banker", event["banker"], table.banker)
    table.expect("the last banker", event["last_banker"], table.last_banker)
    table.expect("the voided rounds", event["voided"], table.voided)
    shoe = event["shoe"]
    table.expect("the shoe", shoe["number"], table.shoe.number)
    table.expect("the place in the shoe", shoe["dealt"], table.shoe.dealt)
    table.expect("the commitment", shoe["next_commitment"], table.shoe.next_commitment)
    table.expect("the root", shoe["root"], table.shoe.root)
    table.expect("the players' seeds", shoe["client_seeds"], table.shoe.client_seeds)
    at_once = table.rules["rounds"] and table.rules["bet_seconds"]
    table.require(bool(event["deadline"]) == bool(at_once), "the betting clock is wrong")
    table.expect("the betting deadline", event["deadline"], table.betting_deadline)
    table.shoe.fresh = False
    _clear(table)


def _begin_reading_here(table: Table, event: Plain) -> None:
    table.round = table.first_round = event["round"]
    table.voided = list(event["voided"])
    for one in event["seats"]:
        table.seats[one["seat"]] = Seat(
            one["player"],
            one["stack"],
            last_stake=one["last_stake"],
            ready=True,
            out=one["out"],
            client_seed=one["client_seed"],
        )
    for one in event["departed"]:
        table.departed[one["player"]] = Departed(one["seat"], one["stack"], one["forfeited"])
    shoe = event["shoe"]
    table.shoe.number, table.shoe.dealt = shoe["number"], shoe["dealt"]
    table.shoe.next_commitment = shoe["next_commitment"]
    table.shoe.root, table.shoe.client_seeds = shoe["root"], shoe["client_seeds"]
    table.betting_deadline = event["deadline"]
    table.entrants = event["entrants"]
    table.banker, table.last_banker = event["banker"], event["last_banker"]
    table.brought = sum(one["stack"] for one in [*event["seats"], *event["departed"]])
    table.started = True


def _carried_seats(table: Table) -> list[Plain]:
    return [
        {
            "seat": number,
            "player": seat.player,
            "stack": seat.stack,
            "last_stake": seat.last_stake,
            "out": is_broke(table, seat),
            "client_seed": seat.client_seed,
        }
        for number, seat in sorted(table.seats.items())
    ]


def _by_player(departed: Sequence[Plain]) -> list[Plain]:
    return sorted(departed, key=lambda one: str(one["player"]))


def _clear(table: Table) -> None:
    table.deal = Deal()
    table.seats = {
        number: Seat(
            seat.player,
            seat.stack,
            last_stake=seat.last_stake,
            ready=True,
            out=is_broke(table, seat),
            client_seed=seat.client_seed,
        )
        for number, seat in table.seats.items()
    }


def stack_refilled(table: Table, event: Plain) -> None:
    """A stack below the minimum bet is replaced by the starting stack, between rounds."""
    seat = table.seats[event["seat"]]
    table.require(table.rules["when_broke"] == "refill", "a refill at a table without refills")
    table.require(not table.running and not seat.stake, "a refill in a running round")
    table.require(seat.stack < table.rules["min_bet"], f"a refill of a stack of {seat.stack}")
    table.expect("the refilled stack", event["stack"], table.rules["starting_stack"])
    seat.stack = event["stack"]


def bet_placed(table: Table, event: Plain) -> None:
    """A bet within the limits, with its pair bets; the stack and the bank must cover all of it."""
    number = event["seat"]
    seat = table.seats[number]
    table.require(table.started, "a bet before the table has started")
    taking_bets = not (table.deal.begun or table.deal.over)
    table.require(taking_bets, "a bet after the deal")
    table.require(can_play(table), "a bet at a table that waits for players")
    table.require(number != table.banker, "the banker bets")
    table.require(not (seat.stake or seat.sat_out or seat.out), f"seat {number} may not bet")
    _clock_runs(table)
    _is_a_stake(table, event["stake"])
    pair_bets: dict[int, int] = {}
    for bet in event["pair_bets"]:
        table.require(table.rules["pair_bet"] is not None, "a pair bet at a table without them")
        table.require(bet["seat"] in table.seats, f"a pair bet on seat {bet['seat']}, not taken")
        table.require(bet["seat"] != table.banker, "a pair bet on the banker")
        table.require(bet["seat"] not in pair_bets, "two pair bets on one seat")
        _is_a_stake(table, bet["stake"])
        pair_bets[bet["seat"]] = bet["stake"]
    on_pairs = sum(pair_bets.values())
    chips = event["stake"] + on_pairs
    worst = worst_of_bet(table, event["stake"], on_pairs)
    table.require(covered(table, worst), f"a bet that can cost {worst}, more than the bank covers")
    table.require(chips <= seat.stack, f"{chips} staked from a stack of {seat.stack}")
    seat.pay_in(chips)
    seat.pair_bets = pair_bets
    seat.stake = seat.last_stake = event["stake"]


def _clock_runs(table: Table) -> None:
    """The betting clock of a scheduled table runs from the start, otherwise from the first bet."""
    runs = bool(table.rules["rounds"] or any(seat.stake for seat in table.seats.values()))
    right = runs and table.rules["bet_seconds"] > 0
    table.expect("whether the betting clock runs", table.betting_deadline > 0, right)


def _is_a_stake(table: Table, chips: int) -> None:
    low, high, step = (table.rules[name] for name in ("min_bet", "max_bet", "bet_step"))
    fits = chips >= low and (not high or chips <= high) and chips % step == 0
    table.require(fits, f"a stake of {chips}, where {low} to {high or 'any'} by {step} are taken")


def sat_out(table: Table, event: Plain) -> None:
    """A seat sits out: by choice, at a table of several seats, or because it did not bet in
    time."""
    seat = table.seats[event["seat"]]
    taking_bets = not (table.deal.begun or table.deal.over)
    table.require(taking_bets, "sitting out after the deal")
    table.require(event["seat"] != table.banker, "the banker sits out")
    table.require(not (seat.stake or seat.sat_out or seat.out), "a seat that has answered sits out")
    if event["cause"] != "time_out":
        table.require(table.rules["max_seats"] > 1, "a table of one seat only bets")
        table.require(can_play(table), "sitting out at a table that waits for players")
    _clock_runs(table)
    seat.sat_out = True


def bet_returned(table: Table, event: Plain) -> None:
    """All bets of a seat come back before the deal: its player or the banker left, or the table is
    closed."""
    seat = table.seats[event["seat"]]
    table.require(not table.deal.begun, "a bet comes back after the deal")
    laid = seat.stake + sum(seat.pair_bets.values())
    table.require(laid > 0, "the seat had no bets")
    table.expect("the bet that comes back", event["returned"], laid)
    seat.pay_in(-laid)
    seat.stake = 0
    seat.pair_bets.clear()
    table.deal.given_back.add(event["seat"])
