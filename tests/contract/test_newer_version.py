"""A table that a newer version of the service has written to: no call reads past what it can't
read, and no other table suffers."""

from typing import Any

import psycopg
import pytest
from croupier.v1.history_service_pb2 import GetRoundRequest, ListEventsRequest, VoidRoundRequest
from croupier.v1.table_pb2 import Table
from croupier.v1.table_service_pb2 import CloseTableRequest, GetTableRequest

from tests.contract.player import Caller, bet_request, fresh_id

UNKNOWN = (
    '[{"type":"JackpotWon","seat":1,"amount":100}]',
    '[{"type":"SatOut","seat":1,"cause":"player","until":7}]',
    '[{"type":"SatOut","seat":1,"cause":"jackpot"}]',
)

KNOWN = '[{"type":"SatOut","seat":1,"cause":"player"}]'


def write_as_a_newer_version(owner: str, table: Table, events: str, engine: int = 1) -> None:
    """One more row, as a later release would append it."""
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO journal SELECT table_id, version + 1, round, 'table', NULL, command, %s,"
            " at, %s, hash FROM journal WHERE table_id = %s AND version = %s",
            (events, engine, table.table_id, table.version),
        )
        connection.execute(
            "UPDATE table_head SET version = version + 1 WHERE table_id = %s", [table.table_id]
        )


@pytest.mark.parametrize(
    ("events", "engine"),
    [*((events, 1) for events in UNKNOWN), (KNOWN, 7)],
    ids=["event", "field", "value", "decider"],
)
async def test_what_can_not_be_read_is_unavailable(
    player: Caller, operator: Caller, owner: str, events: str, engine: int
) -> None:
    other = await player.open("six-deck-h17")
    table = await player.open("six-deck-h17")
    write_as_a_newer_version(owner, table, events, engine)
    calls: list[tuple[Caller, Any]] = [
        (player, GetTableRequest(table_id=table.table_id)),
        (player, bet_request(table)),
        (player, GetRoundRequest(table_id=table.table_id, round=1)),
        (operator, CloseTableRequest(table_id=table.table_id, request_id=fresh_id("close"))),
        (
            operator,
            VoidRoundRequest(
                table_id=table.table_id, round=1, request_id=fresh_id("void"), reason="a torn card"
            ),
        ),
    ]
    for caller, request in calls:
        refusal = await caller.refused(request)
        assert (refusal.code, refusal.reason) == ("UNAVAILABLE", "UNAVAILABLE")
    rows = await player.call(ListEventsRequest(table_id=table.table_id))
    assert rows.rows[-1].events == events  # as it is stored, and nothing was added
    await player.play_round(other)
