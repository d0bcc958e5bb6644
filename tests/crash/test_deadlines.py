"""Time passes at a real table: who comes late finds that time ran out, in the table's own row."""

import asyncio
import random

from croupier.v1 import table_pb2 as pb
from croupier.v1 import table_service_pb2 as tables
from croupier.v1.rule_set_pb2 import RuleSetOverrides

from tests.crash.grpc_player import Channel, GrpcPlayer
from tests.crash.ledger import check_chain, events

SECONDS = 1


async def test_a_late_command_follows_the_time_out_of_its_table(channels: list[Channel]) -> None:
    here, there = channels
    player = await GrpcPlayer.guest(here, "late", random.Random("late"))
    limits = RuleSetOverrides(turn_seconds=SECONDS, insurance_seconds=SECONDS)
    await player.open(here, "six-deck-h17", limits)
    while not (before := await player.read(here)).table.your.decision:
        await player.send(here, player.bet(before.table.your.bet.round))
    await asyncio.sleep(SECONDS + 0.1)
    left = await player.send(
        there, tables.LeaveSeatRequest(table_id=player.table_id, request_id=player.new_id())
    )
    assert left.version >= before.version + 2
    assert left.table.phase == pb.PHASE_FINISHED
    rows = await player.journal(here)
    check_chain(player.table_id, rows)
    time_out, leave = rows[before.version], rows[-1]
    assert (time_out["actor"], time_out["requestId"]) == ("table", "")
    assert "time_out" in {event.get("cause") for event in events([time_out])}
    assert leave["actor"] == before.table.seats[0].player_id
