"""When a table is finished, and the standings.

Source: docs/rules.md, section 7.
"""

from service.audit.referee.record import Departed, Plain, Table
from service.audit.referee.seating import is_broke


def table_closing(table: Table, _event: Plain) -> None:
    """An operator closes the table; a dealt round is finished first."""
    table.require(table.running, "closing is postponed, with no round to finish")


def table_finished(table: Table, event: Plain) -> None:
    """The end of a table: for a valid cause, with all bets returned, the shoe revealed and correct
    ranks."""
    table.require(not table.running, "a table is finished within a round")
    shoe = table.shoe
    table.require(shoe.number == 0 or shoe.revealed, "the last shoe was not revealed")
    laid = not table.deal.over and any(seat.stake for seat in table.seats.values())
    table.require(not laid, "a table is finished with open bets")
    table.require(event["cause"] in _causes(table), f"the table did not end: {event['cause']}")
    table.finished = True
    check_standings(table, list(event["standings"]))


def must_be_finished(table: Table) -> bool:
    """Whether a match, or a table that no one else can join, must be finished."""
    closed_circle = table.rules["rounds"] or table.rules["max_seats"] == 1
    between = table.started and not table.running
    return bool(closed_circle and between and _causes(table) - {"closed", "idle"})


def _causes(table: Table) -> set[str]:
    causes = {"closed"}
    if not table.betting_deadline:
        causes.add("idle")
    if table.rules["rounds"] and table.round == table.rules["rounds"] and table.deal.over:
        causes.add("rounds_played")
    if not table.seats:
        causes.add("all_left")
    elif all(is_broke(table, seat) for seat in table.seats.values()):
        causes.add("broke")
    return causes


def check_standings(table: Table, standings: list[Plain]) -> None:
    """Object unless every player has a place in the standings."""
    players = {
        seat.player: Departed(number, seat.stack, forfeited=False)
        for number, seat in table.seats.items()
    }
    players.update(table.departed)
    ranked = table.rules["ranking"] != "none"
    table.expect("who is in the standings", {one["player"] for one in standings}, set(players))
    table.require(len(standings) == len(players), "a player is in the standings twice")
    for one in standings:
        player = players[one["player"]]
        table.expect("the seat", one["seat"], player.seat)
        table.expect("the final stack", one["stack"], player.stack)
        table.expect("whether the player forfeited", one["forfeited"], player.forfeited)
        table.expect("the rank", one["rank"], _rank(players, player) if ranked else 0)
        table.expect("the outcome", one["outcome"], _outcome(table, player) if ranked else "")
    order = [(one["rank"], one["seat"]) for one in standings]
    table.expect("the order of the standings", order, sorted(order))


def _rank(players: dict[str, Departed], player: Departed) -> int:
    """One more than the number of players who did better; all who forfeited share the last rank."""
    if player.forfeited:
        return 1 + sum(not other.forfeited for other in players.values())
    return 1 + sum(not other.forfeited and other.stack > player.stack for other in players.values())


def _outcome(table: Table, player: Departed) -> str:
    """The outcome of a match of one player: a win above the starting stack."""
    if table.entrants != 1:
        return ""
    start = table.rules["starting_stack"]
    if player.forfeited or player.stack < start:
        return "loss"
    return "win" if player.stack > start else "draw"
