"""A click that comes too late is ABORTED, whatever the table does meanwhile: the next decision, the
next turn, a settled round, a void, a closed table, another process. The metadata say what is open
now, and nothing has changed."""

import asyncio
from typing import Any

from croupier.v1.history_service_pb2 import VoidRoundRequest
from croupier.v1.table_pb2 import Action, Phase, Table
from croupier.v1.table_service_pb2 import ActRequest, CloseTableRequest, SitOutRequest

from tests.contract.conftest import guest
from tests.contract.doors import Door, open_door
from tests.contract.player import Caller, act_request, bet_request, bytes_of, fresh_id, quiet_action
from tests.contract.server import Server
from tests.contract.several import move, seated

MATCH = "ranked-match"
LATE = {"DECISION_CHANGED", "ROUND_CHANGED"}


async def is_late(caller: Caller, request: Any) -> None:
    """A request that comes too late, and is told what is open."""
    before = await caller.see(request.table_id)
    request.request_id = fresh_id("late")
    refusal = await caller.refused(request)
    assert (refusal.code, refusal.reason in LATE) == ("ABORTED", True), refusal
    if refusal.reason == "DECISION_CHANGED":
        assert refusal.metadata == {"decision": before.your.decision}
    else:
        takes_bets = before.phase in (Phase.PHASE_BETTING, Phase.PHASE_SETTLED)
        number = before.round + (before.phase == Phase.PHASE_SETTLED)
        assert refusal.metadata == {"round": str(number if takes_bets else 0)}
    assert bytes_of(await caller.see(request.table_id)) == bytes_of(before)


async def test_every_click_of_a_game_is_late_ever_after(player: Caller) -> None:
    table = await player.open("twenty-rounds")
    clicks: list[Any] = []
    for _ in range(3):
        clicks.append(bet_request(table))
        table = await player.deal_until_a_decision(table)
        for click in clicks:
            await is_late(player, click)
        while table.your.decision:
            clicks.append(act_request(table, quiet_action(table)))
            table = await player.act(table, quiet_action(table))
            for click in clicks[-2:]:
                await is_late(player, click)
        for click in clicks:
            await is_late(player, click)
    await player.call(CloseTableRequest(table_id=table.table_id, request_id="close"))
    for click in clicks:
        refusal = await player.refused(click_again(click))
        assert (refusal.code, refusal.metadata) in (
            ("ABORTED", {"decision": ""}),
            ("ABORTED", {"round": "0"}),
        )


def click_again(request: Any) -> Any:
    request.request_id = fresh_id("late")
    return request


async def test_in_the_turns_of_others(door: Door) -> None:
    players = [await guest(door) for _ in range(3)]
    table = await seated(players, MATCH, min_seats=3, max_seats=3, insurance=1)
    clicks: dict[str, list[Any]] = {player.id: [] for player in players}
    for _ in range(20):
        for player in players:
            mine = await player.see(table.table_id)
            if mine.your.decision:
                clicks[player.id].append(act_request(mine, quiet_action(mine)))
            elif mine.your.HasField("bet"):
                clicks[player.id].append(bet_request(mine))
        table = await move(players, table.table_id)
        for player in players:
            for click in clicks[player.id]:
                await late_or_open(player, click)


async def late_or_open(player: Caller, click: Any) -> None:
    """Late, or what is open still or again, which nobody sends."""
    mine = await player.see(click.table_id)
    if isinstance(click, ActRequest):
        if click.decision != mine.your.decision:
            await is_late(player, click)
    elif mine.phase in (Phase.PHASE_TURNS, Phase.PHASE_INSURANCE) or click.round <= mine.round - 1:
        await is_late(player, click)
        await is_late(player, SitOutRequest(table_id=click.table_id, round=click.round))


async def test_what_is_yet_to_come_is_not_late(door: Door) -> None:
    players = [await guest(door) for _ in range(2)]
    table = await seated(players, MATCH, max_seats=2, insurance=1)
    while table.phase != Phase.PHASE_TURNS:
        table = await move(players, table.table_id)
    waits = players[2 - table.active_seat]
    early = ActRequest(
        table_id=table.table_id,
        request_id="early",
        decision=f"{table.round}-9-9",
        action=Action.ACTION_STAND,
    )
    refusal = await waits.refused(early)
    assert (refusal.code, refusal.reason) == ("FAILED_PRECONDITION", "NOT_YOUR_TURN")


async def test_in_a_round_that_was_voided(player: Caller, operator: Caller) -> None:
    table = await player.deal_until_a_decision(await player.open("six-deck-h17"))
    click, bet = act_request(table, quiet_action(table)), bet_request(table, 1_000)
    bet.round = table.round
    await operator.call(
        VoidRoundRequest(
            table_id=table.table_id, round=table.round, request_id="void", reason="a torn card"
        )
    )
    await is_late(player, click)
    await is_late(player, bet)


async def test_after_time_ran_out(door: Door) -> None:
    players = [await guest(door) for _ in range(2)]
    table = await seated(players, MATCH, max_seats=2, turn_seconds=1, insurance=1)
    for player in players:
        mine = await player.see(table.table_id)
        if mine.your.HasField("bet"):
            await player.bet(mine)
    waiting = [(one, await one.see(table.table_id)) for one in players]
    clicks = [(one, act_request(seen, Action.ACTION_STAND)) for one, seen in waiting
              if seen.your.decision]  # fmt: skip
    async with asyncio.timeout(20):
        for player, click in clicks:
            while (await player.see(table.table_id)).your.decision == click.decision:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
            await late_or_open(player, click)


async def test_a_race_through_two_processes(
    door: Door, player: Caller, second_server: Server
) -> None:
    async with open_door(door.name, second_server) as other:
        there = player.through(other)
        table = await player.open("six-deck-h17")
        for number in range(6):
            await race(player, there, bet_request(table), table)
            table = await player.see(table.table_id)
            while table.your.decision:
                await race(player, there, act_request(table, quiet_action(table)), table)
                table = await player.see(table.table_id)
            assert table.round == number + 1


async def race(here: Caller, there: Caller, request: Any, table: Table) -> None:
    """The same click by two request ids: one is carried out, the other is late."""
    again = type(request)()
    again.CopyFrom(request)
    again.request_id = fresh_id("twin")
    results = await asyncio.gather(here.call(request), there.call(again), return_exceptions=True)
    refused = [one for one in results if isinstance(one, BaseException)]
    assert len(refused) == 1, results
    code, reason = (getattr(refused[0], name) for name in ("code", "reason"))
    assert (code, reason in LATE) == ("ABORTED", True), refused
    assert (await here.see(table.table_id)).version > table.version
