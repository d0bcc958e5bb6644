"""Two processes on one database: a table is one table, whoever is asked.

`make crash` contends for decisions at greater length.
"""

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import httpx
import psycopg
import pytest
from croupier.v1 import table_pb2 as pb
from croupier.v1 import table_service_pb2 as tables
from croupier.v1.rule_set_pb2 import RuleSetOverrides

from tests.crash.contests import LOST, contend
from tests.crash.crash_run import row_held, wait_until_somebody_waits
from tests.crash.grpc_player import Channel, Failure, GrpcPlayer, error_info
from tests.crash.ledger import check_chain
from tests.crash.rest_player import RestPlayer
from tests.crash.server_process import ServerProcess
from tests.crash.shared_database import SharedDatabase

CONTESTS = 50
LAST_VERSION = 120


async def player_at_a_table(channel: Channel) -> GrpcPlayer:
    player = await GrpcPlayer.guest(channel, "ann", random.Random("ann"))
    await player.open(channel, "six-deck-h17", RuleSetOverrides())
    return player


async def with_an_open_decision(player: GrpcPlayer, channel: Channel) -> str:
    """Bet until there is something to decide; some rounds end at once."""
    while True:
        table = (await player.read(channel)).table
        if table.your.decision:
            return str(table.your.decision)
        await player.send(channel, player.bet(table.your.bet.round))


async def test_one_decision_is_answered_once(channels: list[Channel]) -> None:
    found = await contend(channels, CONTESTS, seed="test")
    assert sum(times for what, times in found.items() if what.endswith("won")) == CONTESTS


async def test_no_client_sees_a_version_go_back(channels: list[Channel]) -> None:
    choose = random.Random("versions")
    players = [await GrpcPlayer.guest(channels[0], f"p{n}", choose) for n in range(4)]
    await players[0].open(
        channels[0],
        "six-deck-h17",
        RuleSetOverrides(
            max_seats=4, min_seats=4, penetration_percent=50, starting_stack=1_000_000_000
        ),
    )
    for player in players:
        player.table_id = players[0].table_id
        await player.send(
            choose.choice(channels),
            tables.TakeSeatRequest(table_id=player.table_id, request_id=player.new_id()),
        )
    reads = await asyncio.gather(*(play(player, channels, choose) for player in players))
    assert min(reads) > 0
    rows = await players[0].journal(channels[1])
    check_chain(players[0].table_id, rows)
    assert max(player.newest for player in players) == len(rows)


async def play(player: GrpcPlayer, channels: list[Channel], choose: random.Random) -> int:
    """Read and play, each call at a process drawn by lot, until enough was played; the reads."""
    reads = 0
    while player.newest < LAST_VERSION:
        table = (await player.read(choose.choice(channels))).table
        reads += 1
        command = player.next_command(table)
        if command is None:
            continue
        try:
            await player.send(choose.choice(channels), command)
        except Failure as failure:
            if failure.code() not in LOST:
                raise
    return reads


async def test_a_read_is_never_answered_from_a_stale_table(channels: list[Channel]) -> None:
    here, there = channels
    player = await player_at_a_table(here)
    for _ in range(10):
        before = await player.read(here)
        played = await player.send(there, player.next_command(before.table))
        after = await player.read(here)
        assert (after.version, after.hash) == (played.version, played.hash)
        assert after.table == played.table


async def test_a_command_is_never_refused_from_a_stale_table(channels: list[Channel]) -> None:
    here, there = channels
    player = await player_at_a_table(here)
    for _ in range(10):
        before = await player.send(here, player.next_command((await player.read(here)).table))
        played = await player.send(there, player.next_command(before.table))
        # Here the table is still the one before, which has no such decision, or no such round.
        accepted = await player.send(here, player.next_command(played.table))
        assert accepted.version == played.version + 1


async def test_a_refusal_names_what_is_open_now(channels: list[Channel]) -> None:
    here, there = channels
    player = await player_at_a_table(here)
    told = 0
    while told < 5:
        decision = await with_an_open_decision(player, here)
        played = await player.send(there, player.next_command((await player.read(here)).table))
        if not played.table.your.decision:
            continue
        with pytest.raises(Failure) as refusal:
            await player.send(here, player.act(decision, pb.ACTION_SPLIT))
        info = error_info(refusal.value)
        assert info.reason == "REASON_DECISION_CHANGED"
        assert info.metadata["decision"] == played.table.your.decision
        told += 1


async def test_a_bet_laid_elsewhere_is_not_laid_again(channels: list[Channel]) -> None:
    here, there = channels
    player = await player_at_a_table(here)
    table = (await player.read(here)).table
    laid = await player.send(there, player.bet(table.your.bet.round))
    with pytest.raises(Failure) as refusal:
        await player.send(here, player.bet(table.your.bet.round))
    assert refusal.value.code() in LOST
    assert (await player.read(here)).version == laid.version


async def test_the_same_request_at_both_processes_takes_effect_once(
    channels: list[Channel],
) -> None:
    player = await player_at_a_table(channels[0])
    for _ in range(20):
        before = await player.read(channels[0])
        command = player.next_command(before.table)
        answers = await asyncio.gather(*(player.send(channel, command) for channel in channels))
        assert sorted(answer.replayed for answer in answers) == [False, True]
        assert answers[0].table == answers[1].table
        assert {answer.version for answer in answers} == {before.version + 1}


def test_a_command_whose_process_died_while_it_waited_is_in_once(
    shared: SharedDatabase, servers: list[ServerProcess]
) -> None:
    """The database lives on and may carry the statement out: the same request tells."""
    player = RestPlayer(servers[0].rest, random.Random("waits"))
    player.send(player.opening("six-deck-h17", {}))
    command = player.next_command()
    with (
        shared.start() as third,
        ThreadPoolExecutor(1) as sender,
        closing(psycopg.connect(shared.owner)) as holder,
        psycopg.connect(shared.owner, autocommit=True) as observer,
    ):
        player.rest = third.rest
        with row_held(holder, player.table_id):
            reply = sender.submit(player.ask, "POST", command.path, command.body)
            wait_until_somebody_waits(observer)
            third.kill()
        assert isinstance(reply.exception(), httpx.TransportError)
        player.rest = servers[1].rest
        answer = player.send(command)
    rows = player.journal()
    assert [row["requestId"] for row in rows].count(command.request_id) == 1
    assert answer["version"] == rows[-1]["version"] == "2"
    check_chain(player.table_id, rows)
    player.close()
