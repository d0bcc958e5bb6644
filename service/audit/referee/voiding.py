"""Voided rounds.

Source: docs/rules.md, section 11.
"""

from service.audit.referee.bank import banker_is_due, can_hold
from service.audit.referee.coverage import unclaimed
from service.audit.referee.finishing import check_standings
from service.audit.referee.record import Departed, Net, Plain, Seat, Table
from service.audit.referee.seating import is_broke


def round_voided(table: Table, event: Plain) -> None:
    """A running round is undone; a settled one is reversed as far as chips can be recovered."""
    number = event["round"]
    table.require(number not in table.voided, f"round {number} is voided twice")
    table.require(bool(event["reason"].strip()), "a void without a reason")
    if table.running:
        table.expect("the round that is voided", number, table.round)
        _undo(table, event)
    else:
        dealt_since = number == table.round and not table.deal.over
        table.require(0 < number <= table.round and not dealt_since, "nothing was settled")
        _reverse(table, event)
    table.voided.append(number)


def _undo(table: Table, event: Plain) -> None:
    """Every stack becomes what it was before the bets, also those of players who left."""
    before = table.deal.stacks_before
    undone = [
        {
            "seat": number,
            "player": seat.player,
            "reversed": before[number] - seat.stack,
            "stack": before[number],
        }
        for number, seat in sorted(table.seats.items())
        if seat.staked or seat.returned
    ]
    if table.blind:
        stacks = {one["seat"]: one["stack"] for one in event["seats"]}
        right = {number: before[number] for number in stacks}
        table.expect("the stacks after the void", stacks, right)
    else:
        table.expect("what the void brings back", event["seats"], undone)
    table.expect("the standings within a round", event["standings"], [])
    for number, seat in table.seats.items():
        seat.stack = before[number]
        seat.returned = seat.staked
    table.deal.voided = True
    table.deal.unseen, table.blind = table.blind, False


def _reverse(table: Table, event: Plain) -> None:
    """Winners pay back as far as they can; losers get back what they lost, from a house all of
    it."""
    books = table.books.get(event["round"])
    if books is None:
        table.require(event["round"] < table.first_round, "nothing was staked in this round")
        changes = {one["player"]: one["reversed"] for one in event["seats"]}
    else:
        changes = _changes(table, books)
        players = [(one.seat, one.player) for one in books]
        said = [(one["seat"], one["player"]) for one in event["seats"]]
        table.expect("the players whose results are reversed", said, players)
    for one in event["seats"]:
        holder = _holder(table, one["player"])
        table.expect("what the void changes", one["reversed"], changes[one["player"]])
        holder.stack += one["reversed"]
        table.expect("the stack after the void", one["stack"], holder.stack)
        table.require(holder.stack >= 0, f"the void leaves a stack of {holder.stack}")
    if table.rotates:
        moved = sum(one["reversed"] for one in event["seats"])
        table.expect("the chips that a void creates or loses", moved, 0)
    if table.finished:
        check_standings(table, list(event["standings"]))
        return
    table.expect("the standings of a table that goes on", event["standings"], [])
    _what_follows(table)


def _changes(table: Table, books: list[Net]) -> dict[str, int]:
    changes = {
        one.player: -min(one.chips, _within_reach(table, one.player))
        for one in books
        if one.chips > 0
    }
    losses = {one.player: -one.chips for one in books if one.chips < 0}
    if not table.rotates:
        return changes | losses
    recovered, lost = -sum(changes.values()), sum(losses.values())
    shares = {player: loss * recovered // lost for player, loss in losses.items()}
    rest = recovered - sum(shares.values())
    for player in list(shares)[:rest]:
        shares[player] += 1
    return changes | shares


def _holder(table: Table, player: str) -> Seat | Departed:
    seated = [seat for seat in table.seats.values() if seat.player == player]
    return seated[0] if seated else table.departed[player]


def _within_reach(table: Table, player: str) -> int:
    """A banker keeps the chips that cover the bets against the bank."""
    banker = table.seats.get(table.banker)
    if banker and banker.player == player and not table.finished:
        return max(unclaimed(table), 0)
    return _holder(table, player).stack


def _what_follows(table: Table) -> None:
    """Seats that can't play any more go out, seats that can again come back in, and the bank may
    move."""
    for number, seat in table.seats.items():
        broke = is_broke(table, seat)
        if broke and not (seat.out or seat.stake):
            table.owed["SeatOut"].add(number)
        elif seat.out and not broke:
            table.owed["SeatBackIn"].add(number)
    if table.banker:
        laid = any(seat.stake for seat in table.seats.values())
        if not (laid or can_hold(table, table.seats[table.banker].stack)):
            table.must_move_on = {"too_small"}
    else:
        banker_is_due(table)


def seat_back_in(table: Table, event: Plain) -> None:
    """A void gave a seat that was out enough for the minimum bet again."""
    number, owed = event["seat"], table.owed["SeatBackIn"]
    table.require(number in owed, f"seat {number} comes back for no reason")
    owed.discard(number)
    table.seats[number].out = False
