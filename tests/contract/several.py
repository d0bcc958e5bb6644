"""Several players at one table: they sit down, are ready, and do whatever is next."""

from collections.abc import Sequence
from typing import Any

from croupier.v1.table_pb2 import Phase, SeatState, Table
from croupier.v1.table_service_pb2 import (
    LeaveSeatRequest,
    SetReadyRequest,
    SitOutRequest,
    TakeSeatRequest,
)

from tests.contract.player import Caller, fresh_id, quiet_action, table_of


async def take_seat(player: Caller, table_id: str, seat: int = 0, **others: str) -> Table:
    """Sit down, on any seat if none is named; `others` are further fields of the request."""
    request = TakeSeatRequest(table_id=table_id, request_id=fresh_id("seat"), seat=seat, **others)
    return table_of(await player.call(request))


async def set_ready(player: Caller, table_id: str) -> Table:
    """Say that the table may start."""
    request = SetReadyRequest(table_id=table_id, request_id=fresh_id("ready"))
    return table_of(await player.call(request))


async def leave(player: Caller, table_id: str) -> Table:
    """Leave the table."""
    request = LeaveSeatRequest(table_id=table_id, request_id=fresh_id("leave"))
    return table_of(await player.call(request))


async def sit_out(player: Caller, table: Table) -> Table:
    """Take no cards in the round that takes bets."""
    request = SitOutRequest(
        table_id=table.table_id, request_id=fresh_id("out"), round=table.your.bet.round
    )
    return table_of(await player.call(request))


async def seated(players: Sequence[Caller], rule_set_id: str, **options: Any) -> Table:
    """A table where these players sit, in this order, and play has started."""
    table = await players[0].open(rule_set_id, **options)
    for player in players:
        table = await take_seat(player, table.table_id)
    if table.phase == Phase.PHASE_WAITING:  # it is not full, and so waits for them
        for player in players:
            table = await set_ready(player, table.table_id)
    return table


async def move(players: Sequence[Caller], table_id: str) -> Table:
    """Let the first player who can do something do it: the table after that, as he sees it."""
    for player in players:
        table = await player.see(table_id)
        if table.your.decision:
            return await player.act(table, quiet_action(table))
        if table.your.HasField("bet"):
            return await player.bet(table)
    raise AssertionError(f"nobody has anything to do: {table}")


async def moves(players: Sequence[Caller], table_id: str, count: int) -> Table:
    """The table after so many moves."""
    table = await move(players, table_id)
    for _ in range(count - 1):
        table = await move(players, table_id)
    return table


async def play_round(players: Sequence[Caller], table_id: str) -> Table:
    """Bet for all who may, and play to the settlement."""
    table = await move(players, table_id)
    while table.phase not in (Phase.PHASE_SETTLED, Phase.PHASE_FINISHED):
        table = await move(players, table_id)
    return table


def states(table: Table) -> list[tuple[int, str]]:
    """The seats that are taken, and how they stand."""
    return [
        (seat.seat, SeatState.Name(seat.state).removeprefix("SEAT_STATE_")) for seat in table.seats
    ]
