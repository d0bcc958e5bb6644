"""Two players at a table with a rotating banker, who do whatever is next."""

from collections.abc import Sequence
from typing import Any

from croupier.v1.table_pb2 import Table
from croupier.v1.table_service_pb2 import SetReadyRequest, TakeSeatRequest

from tests.contract.player import Caller, fresh_id, quiet_action


async def seated(players: Sequence[Caller], **options: Any) -> str:
    """A table with a rotating banker where these players sit and play has started; its id."""
    table = await players[0].open("rotating-banker", **options)
    for player in players:
        request = TakeSeatRequest(table_id=table.table_id, request_id=fresh_id("seat"))
        await player.call(request)
    for player in players:
        request_id = fresh_id("ready")
        await player.call(SetReadyRequest(table_id=table.table_id, request_id=request_id))
    return table.table_id


async def move(players: Sequence[Caller], table_id: str) -> Table:
    """Let the first player who can do something do it: the table after that."""
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
