"""The same request again: at once, at the same time, later, at another process: one effect."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from croupier.v1.table_pb2 import Phase
from croupier.v1.table_service_pb2 import (
    CloseTableRequest,
)

from tests.contract.doors import Door, open_door
from tests.contract.player import (
    Caller,
    act_request,
    bet_request,
    bytes_of,
    quiet_action,
)
from tests.contract.server import Server, running_server
from tests.contract.story import Story, opening


async def test_at_once_and_later(story: Story) -> None:
    """At once, after the round ended, after a new round began, after the table was closed."""
    table = await story.tell(opening())
    await story.repeat(story.caller)
    while not table.your.decision:
        table = await story.tell(bet_request(table))
        await story.repeat(story.caller)
    while table.your.decision:
        table = await story.tell(act_request(table, quiet_action(table)))
    await story.repeat(story.caller)
    table = await story.tell(bet_request(table))
    await story.repeat(story.caller)
    while table.your.decision:
        table = await story.tell(act_request(table, quiet_action(table)))
    table = await story.tell(CloseTableRequest(table_id=table.table_id, request_id="close"))
    assert table.phase == Phase.PHASE_FINISHED
    await story.repeat(story.caller)


async def test_across_a_change_of_shoes(story: Story) -> None:
    """An old answer is rebuilt from the events of its round, whatever shoe the table has now."""
    table = await story.tell(opening("four-deck-vegas", penetration_percent=0))
    for _ in range(4):
        table = await story.play(table)
    assert table.shoe.number == 4
    await story.repeat(story.caller)


@pytest.fixture
async def second_door(door: Door, second_server: Server) -> AsyncIterator[Door]:
    async with open_door(door.name, second_server) as second:
        yield second


async def test_at_another_process(story: Story, second_door: Door) -> None:
    elsewhere = story.caller.through(second_door)
    table = await story.tell(opening())
    for _ in range(3):
        table = await story.play(table)
        # What this process has kept of the table is a round old by now.
        assert bytes_of(await elsewhere.see(table.table_id)) == bytes_of(table)
    await story.repeat(elsewhere)


async def test_after_a_restart(
    player: Caller, runtime: str, server: Server, tmp_path: Path
) -> None:
    story = Story(player)
    table = await story.tell(opening())
    for _ in range(3):
        table = await story.play(table)
    while not table.your.decision:
        table = await story.tell(bet_request(table))
    with running_server(runtime, tmp_path) as restarted:
        async with open_door(player.door.name, restarted) as door:
            await story.repeat(player.through(door))
            assert bytes_of(await player.through(door).see(table.table_id)) == bytes_of(table)


async def same_answer(*calls: Any) -> Any:
    """Calls made at once with one request id: one takes effect, all get the same table."""
    answers = await asyncio.gather(*calls)
    assert sorted(answer.replayed for answer in answers) == [False] + [True] * (len(answers) - 1)
    assert len({bytes_of(answer.table) for answer in answers}) == 1
    return answers[0].table


async def test_at_the_same_time(player: Caller, second_door: Door) -> None:
    """Twice at one process, and twice at another one, all of them at once."""
    callers = [player, player, player.through(second_door), player.through(second_door)]
    request = opening()
    table = await same_answer(*(caller.call(request) for caller in callers))
    for _ in range(6):
        version = table.version
        bet = bet_request(table)
        table = await same_answer(*(caller.call(bet) for caller in callers))
        assert table.version == version + 1
        while table.your.decision:
            version = table.version
            action = act_request(table, quiet_action(table))
            table = await same_answer(*(caller.call(action) for caller in callers))
            assert table.version == version + 1
    assert len(await player.journal(table.table_id)) == table.version


async def test_after_the_time_is_over(player: Caller) -> None:
    """A repetition shows the table before the time-out, and appends nothing."""
    tables = await asyncio.gather(
        *(player.open("six-deck-h17", turn_seconds=1, insurance_seconds=1) for _ in range(4))
    )
    bets = [bet_request(table) for table in tables]
    first = await asyncio.gather(*(player.call(bet) for bet in bets))
    await asyncio.sleep(1.1)
    for bet, before in zip(bets, first, strict=True):
        again = await player.call(bet)
        assert again.replayed
        assert bytes_of(again.table) == bytes_of(before.table)
        later = (await player.journal(bet.table_id))[before.version :]
        assert {row.actor for row in later} <= {"table"}
