"""What a round inherits, and its bets; read from sections 2, 3, 7 and 8 of the rules of play."""

from collections.abc import Sequence

from service.audit.referee.finishing import must_be_finished
from service.audit.referee.record import Deal, Departed, Plain, Seat, Table
from service.audit.referee.seating import is_broke


def round_opened(table: Table, event: Plain) -> None:
    """A round inherits what the settlement before it left behind, to the last chip and card."""
    if table.place == 0:
        _begin_reading_here(table, event)
        return
    table.require(table.deal.over, "a round is opened before the last one is settled")
    table.require(not must_be_finished(table), "a round at a table that has come to its end")
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
    table.expect("the rounds without a bet", event["idle_rounds"], table.idle_rounds)
    shoe = event["shoe"]
    table.expect("the shoe", shoe["number"], table.shoe.number)
    table.expect("the place in the shoe", shoe["dealt"], table.shoe.dealt)
    table.expect("the commitment", shoe["next_commitment"], table.shoe.next_commitment)
    at_once = table.rules["rounds"] and table.rules["bet_seconds"]
    table.require(bool(event["deadline"]) == bool(at_once), "the betting clock is wrong")
    table.expect("the betting deadline", event["deadline"], table.betting_deadline)
    table.shoe.fresh = False
    _clear(table)


def _begin_reading_here(table: Table, event: Plain) -> None:
    table.round = event["round"]
    for one in event["seats"]:
        table.seats[one["seat"]] = Seat(
            one["player"], one["stack"], last_stake=one["last_stake"], ready=True, out=one["out"]
        )
    for one in event["departed"]:
        table.departed[one["player"]] = Departed(one["seat"], one["stack"], one["forfeited"])
    shoe = event["shoe"]
    table.shoe.number, table.shoe.dealt = shoe["number"], shoe["dealt"]
    table.shoe.next_commitment = shoe["next_commitment"]
    table.entrants, table.idle_rounds = event["entrants"], event["idle_rounds"]
    table.started = True


def _carried_seats(table: Table) -> list[Plain]:
    return [
        {
            "seat": number,
            "player": seat.player,
            "stack": seat.stack,
            "last_stake": seat.last_stake,
            "out": is_broke(table, seat),
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
        )
        for number, seat in table.seats.items()
    }


def stack_refilled(table: Table, event: Plain) -> None:
    """A stack below the least bet is replaced by the starting stack, between rounds."""
    seat = table.seats[event["seat"]]
    table.require(table.rules["when_broke"] == "refill", "a refill at a table without refills")
    table.require(not table.running and not seat.stake, "a refill in a running round")
    table.require(seat.stack < table.rules["min_bet"], f"a refill of a stack of {seat.stack}")
    table.expect("the refilled stack", event["stack"], table.rules["starting_stack"])
    seat.stack = event["stack"]


def bet_placed(table: Table, event: Plain) -> None:
    """A bet within the limits, and its pair bets, all covered by the stack."""
    number = event["seat"]
    seat = table.seats[number]
    table.require(table.started, "a bet before the table has started")
    taking_bets = not (table.deal.begun or table.deal.over)
    table.require(taking_bets, "a bet after the deal")
    table.require(not (seat.stake or seat.sat_out or seat.out), f"seat {number} may not bet")
    _is_a_stake(table, event["stake"])
    for bet in event["pair_bets"]:
        table.require(table.rules["pair_bet"] is not None, "a pair bet at a table without them")
        table.require(bet["seat"] in table.seats, f"a pair bet on seat {bet['seat']}, not taken")
        table.require(bet["seat"] not in seat.pair_bets, "two pair bets on one seat")
        _is_a_stake(table, bet["stake"])
        seat.pair_bets[bet["seat"]] = bet["stake"]
    chips = event["stake"] + sum(seat.pair_bets.values())
    table.require(chips <= seat.stack, f"{chips} staked from a stack of {seat.stack}")
    seat.pay_in(chips)
    seat.stake = seat.last_stake = event["stake"]
    table.idle_rounds = 0


def _is_a_stake(table: Table, chips: int) -> None:
    low, high, step = (table.rules[name] for name in ("min_bet", "max_bet", "bet_step"))
    fits = chips >= low and (not high or chips <= high) and chips % step == 0
    table.require(fits, f"a stake of {chips}, where {low} to {high or 'any'} by {step} are taken")


def sat_out(table: Table, event: Plain) -> None:
    """A seat takes no cards: it said so, at a table of several seats, or did not bet in time."""
    seat = table.seats[event["seat"]]
    taking_bets = not (table.deal.begun or table.deal.over)
    table.require(taking_bets, "sitting out after the deal")
    table.require(not (seat.stake or seat.sat_out or seat.out), "a seat that has answered sits out")
    alone = table.rules["max_seats"] == 1
    table.require(event["cause"] == "time_out" or not alone, "a table of one seat only bets")
    seat.sat_out = True


def pair_bet_returned(table: Table, event: Plain) -> None:
    """A pair bet comes back, because the seat that it names gets no cards."""
    seat, on = table.seats[event["seat"]], event["on"]
    stake = seat.pair_bets.pop(on)
    table.require(not table.deal.begun, "a pair bet comes back after the deal")
    named = table.seats.get(on)
    table.require(named is None or not named.stake, f"a pair bet on seat {on}, which is dealt in")
    table.expect("the pair bet that comes back", event["stake"], stake)
    seat.pay_in(-stake)


def bet_returned(table: Table, event: Plain) -> None:
    """All that a seat laid out comes back: it is left, or the table closed, before the deal."""
    seat = table.seats[event["seat"]]
    table.require(not table.deal.begun, "a bet comes back after the deal")
    laid = seat.stake + sum(seat.pair_bets.values())
    table.require(laid > 0, "nothing was laid out")
    table.expect("the bet that comes back", event["returned"], laid)
    seat.pay_in(-laid)
    seat.stake = 0
    seat.pair_bets.clear()
