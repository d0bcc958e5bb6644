"""A table is verified by a call, through both doors, for whoever sees it."""

import psycopg
import pytest
from croupier.v1.history_service_pb2 import VerifyTableRequest
from croupier.v1.table_pb2 import Table
from croupier.v1.verdict_pb2 import FaultKind, Verdict

from service.api.servicers.verification import MOST_ROWS
from tests.contract.doors import Refusal
from tests.contract.player import Caller


async def verdict(caller: Caller, table: Table) -> Verdict:
    response = await caller.call(VerifyTableRequest(table_id=table.table_id))
    found: Verdict = response.verdict
    return found


async def test_player_operator_and_spectator_get_the_same_verdict(
    player: Caller, operator: Caller, stranger: Caller
) -> None:
    table = await player.open("six-deck-h17")
    for _ in range(3):
        table = await player.play_round(table)
    table = await player.deal_until_a_decision(table, 10_000)
    found = await verdict(player, table)
    assert not found.HasField("fault"), found
    assert (found.table_id, found.version) == (table.table_id, table.version)
    assert found.rows == table.version
    assert found.events > found.rows
    assert found.hidden == 1
    assert found.unproved > 0
    assert await verdict(operator, table) == found
    assert await verdict(await stranger.invited_by(player, table), table) == found


async def test_the_verdict_names_the_first_row_that_is_wrong(player: Caller, owner: str) -> None:
    table = await player.play_round(await player.open("six-deck-h17"))
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(
            "UPDATE journal SET command = replace(command, '\"stake\":', '\"stake\":1')"
            " WHERE table_id = %s AND version = 2",
            [table.table_id],
        )
    found = await verdict(player, table)
    assert (found.fault.version, found.rows) == (2, 1)
    assert found.fault.kind == FaultKind.FAULT_KIND_HASH
    assert "hash" in found.fault.message


async def test_a_table_of_another_operator_does_not_exist(player: Caller, rival: Caller) -> None:
    table = await player.open("six-deck-h17")
    with pytest.raises(Refusal) as refused:
        await verdict(rival, table)
    assert (refused.value.code, refused.value.reason) == ("NOT_FOUND", "TABLE_NOT_FOUND")


async def test_a_table_too_long_for_a_call_is_refused(player: Caller, owner: str) -> None:
    table = await player.open("six-deck-h17")
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(
            "UPDATE table_head SET version = %s WHERE table_id = %s",
            [MOST_ROWS + 1, table.table_id],
        )
    with pytest.raises(Refusal) as refused:
        await verdict(player, table)
    assert (refused.value.code, refused.value.reason) == ("FAILED_PRECONDITION", "TABLE_TOO_LONG")
    assert refused.value.metadata["limit"] == str(MOST_ROWS)
    assert "croupier verify" in refused.value.message
