"""Pair bets after they are placed.

Source: docs/rules.md, sections 3, 7 and 8.
"""

from service.audit.referee.course import awaited, is_pair, open_pair_bets
from service.audit.referee.record import Plain, Table


def pair_bet_returned(table: Table, event: Plain) -> None:
    """A pair bet comes back because its seat gets no cards."""
    seat, on = table.seats[event["seat"]], event["on"]
    stake = seat.pair_bets.pop(on)
    table.require(not table.deal.begun, "a pair bet comes back after the deal")
    named = table.seats.get(on)
    table.require(named is None or not named.stake, f"a pair bet on seat {on}, which is dealt in")
    table.expect("the pair bet that comes back", event["stake"], stake)
    seat.pay_in(-stake)


def pair_bet_settled(table: Table, event: Plain) -> None:
    """A pair bet is settled right after the deal."""
    seat, on = table.seats[event["seat"]], event["on"]
    table.expect("what the round waits for", "pair bets", awaited(table))
    table.require((event["seat"], on) in open_pair_bets(table), "no such pair bet is open")
    stake = seat.pair_bets.pop(on)
    table.expect("the stake of the pair bet", event["stake"], stake)
    ratio = table.rules["pair_bet"]
    won = stake + stake * ratio["numerator"] // ratio["denominator"]
    table.expect("the pair bet's return", event["returned"], won if is_pair(table, on) else 0)
    seat.take_back(event["returned"])
    if table.rotates:
        table.owed_to_bank = ("pair_bets", stake - event["returned"])
