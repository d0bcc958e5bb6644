"""Two processes, one open decision: who is first has it, and nobody else."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence

import grpc
from croupier.v1 import table_pb2 as pb
from croupier.v1.rule_set_pb2 import RuleSetOverrides

from tests.crash.grpc_player import Channel, Failure, GrpcPlayer
from tests.crash.ledger import check_chain

LOST = {grpc.StatusCode.ABORTED, grpc.StatusCode.FAILED_PRECONDITION}
RICH = RuleSetOverrides(starting_stack=10_000_000_000)


async def contend(channels: Sequence[Channel], times: int, seed: str) -> dict[str, int]:
    """Answer so many open decisions at both processes at once, under different request ids; how
    often each process won, and how the other answer read."""
    choose = random.Random(seed)
    player = await GrpcPlayer.guest(channels[0], "contender", choose)
    await player.open(channels[0], "six-deck-h17", RICH)
    found: Counter[str] = Counter()
    contests = 0
    while contests < times:
        before = await player.read(choose.choice(channels))
        decision = before.table.your.decision
        if not decision:
            await player.send(choose.choice(channels), player.next_command(before.table))
            continue
        contests += 1
        action = _action(before.table)
        acts = [player.act(decision, action) for _ in channels]
        answers = await asyncio.gather(
            *(player.send(*each) for each in zip(channels, acts, strict=True)),
            return_exceptions=True,
        )
        found.update(_judge(answers, before.version))
        assert len({str(await player.read(channel)) for channel in channels}) == 1
    rows = await player.journal(channels[0])
    check_chain(player.table_id, rows)
    taken = {act["requestId"] for act in rows}
    assert len(taken) == len(rows) == player.newest
    return found


def _action(table: pb.Table) -> int:
    legal = [one.action for one in table.your.legal_actions]
    hit = table.seats[0].hands[table.active_hand - 1].total < 16
    wanted = pb.ACTION_HIT if hit else pb.ACTION_STAND
    return wanted if wanted in legal else pb.ACTION_DECLINE


def _judge(answers: Sequence[object], before: int) -> list[str]:
    """One answer is the table a step further; every other is a refusal."""
    found = []
    for place, answer in enumerate(answers, start=1):
        if isinstance(answer, Failure):
            assert answer.code() in LOST, answer
            found.append(f"lost: {answer.code().name}")
        else:
            assert not isinstance(answer, BaseException), answer
            assert getattr(answer, "version", 0) == before + 1
            found.append(f"process {place} won")
    assert sum(each.endswith("won") for each in found) == 1, found
    return found
