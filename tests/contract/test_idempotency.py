"""The same request again: at once, at the same time, later, from elsewhere, with other content."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from croupier.v1.rule_set_pb2 import RuleSetOverrides
from croupier.v1.table_pb2 import Action, Phase, Table
from croupier.v1.table_service_pb2 import (
    CloseTableRequest,
    LeaveSeatRequest,
    OpenTableRequest,
    PlaceBetRequest,
    TakeSeatRequest,
)

from tests.contract.doors import Door, Refusal, open_door
from tests.contract.player import (
    Caller,
    act_request,
    bet_request,
    bytes_of,
    fresh_id,
    quiet_action,
)
from tests.contract.server import Server, running_server


class Story:
    """Calls that were accepted, with the answers that they got."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.told: list[tuple[Any, Any]] = []

    async def tell(self, request: Any) -> Table:
        response = await self.caller.call(request)
        assert not response.replayed
        self.told.append((request, response))
        table: Table = response.table
        return table

    async def play(self, table: Table) -> Table:
        """One more round."""
        table = await self.tell(bet_request(table))
        while table.your.decision:
            table = await self.tell(act_request(table, quiet_action(table)))
        return table

    async def repeat(self, caller: Caller) -> None:
        """Every call again: each answer is as it was, to the byte, and nothing is appended."""
        table_id = self.told[0][1].table.table_id
        before = await caller.journal(table_id)
        for request, response in self.told:
            again = await caller.call(request)
            assert again.replayed
            again.replayed = False
            assert bytes_of(again) == bytes_of(response)
        assert await caller.journal(table_id) == before


@pytest.fixture
async def story(player: Caller) -> Story:
    return Story(player)


def opening(preset: str = "six-deck-h17", **overrides: Any) -> OpenTableRequest:
    return OpenTableRequest(
        request_id=fresh_id("open"), rule_set_id=preset, overrides=RuleSetOverrides(**overrides)
    )


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


async def refused(caller: Caller, request: Any) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        await caller.call(request)
    return refusal.value


async def test_with_other_content(player: Caller) -> None:
    request = opening()
    table = (await player.call(request)).table
    bet = bet_request(table, 200)
    table = await player.deal_until_a_decision((await player.call(bet)).table)
    other_stake = PlaceBetRequest()
    other_stake.CopyFrom(bet)
    other_stake.stake = 300
    other_round = PlaceBetRequest()
    other_round.CopyFrom(bet)
    other_round.round = 7
    for other, version in (
        (other_stake, "2"),
        (other_round, "2"),
        (act_request(table, Action.ACTION_STAND, bet.request_id), "2"),
        (LeaveSeatRequest(table_id=table.table_id, request_id=bet.request_id), "2"),
        (OpenTableRequest(request_id=request.request_id, rule_set_id="twenty-rounds"), "1"),
        (
            OpenTableRequest(
                request_id=request.request_id,
                rule_set_id="six-deck-h17",
                overrides=RuleSetOverrides(decks=8),
            ),
            "1",
        ),
    ):
        refusal = await refused(player, other)
        assert (refusal.code, refusal.reason) == ("INVALID_ARGUMENT", "REQUEST_ID_REUSED"), other
        assert refusal.metadata == {"version": version}
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)


async def test_by_another_player(player: Caller, stranger: Caller) -> None:
    request = opening()
    table = (await player.call(request)).table
    his = await stranger.call(request)
    assert (his.replayed, his.table.table_id == table.table_id) == (False, False)
    bet = bet_request(table)
    table = (await player.call(bet)).table
    refusal = await refused(stranger, bet)
    assert (refusal.code, refusal.reason) == ("PERMISSION_DENIED", "NOT_SEATED")
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)


async def test_the_ids_of_two_players_at_one_table_are_their_own(
    player: Caller, stranger: Caller
) -> None:
    table = await player.open("six-deck-h17", min_seats=2, max_seats=2, penetration_percent=50)
    for one in (player, stranger):
        seated = await one.call(TakeSeatRequest(table_id=table.table_id, request_id="sit"))
        assert not seated.replayed
    for one in (player, stranger):
        bet = await one.call(bet_request(await one.see(table.table_id), 500, "bet"))
        assert not bet.replayed
        assert (await one.call(bet_request(seated.table, 500, "bet"))).replayed


async def test_a_repetition_that_would_be_legal_again(story: Story) -> None:
    """Who sat down and left again could sit down: the same request still takes effect once."""
    table = await story.tell(opening(min_seats=2, max_seats=2, penetration_percent=50))
    for round in range(3):
        for kind, name in ((TakeSeatRequest, "sit"), (LeaveSeatRequest, "leave")):
            await story.tell(kind(table_id=table.table_id, request_id=f"{name}-{round}"))
            await story.repeat(story.caller)
    assert not (await story.caller.see(table.table_id)).seats


async def test_a_refusal_is_not_remembered(player: Caller) -> None:
    table = await player.open("six-deck-h17")
    bet = bet_request(table, 2_000_00)
    assert (await refused(player, bet)).reason == "STACK_TOO_SMALL"
    bet.stake = 100
    assert not (await player.call(bet)).replayed


async def test_after_the_time_is_over(player: Caller) -> None:
    """A repetition appends nothing, not even the time-out that is due."""
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
        assert (await player.see(bet.table_id)).version == before.version
