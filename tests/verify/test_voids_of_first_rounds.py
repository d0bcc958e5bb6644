"""What a voided round that opened a shoe leaves hidden is known when later shoes are revealed."""

import pytest

from service.audit.verify.replay import Replay
from service.table.commands import PlaceBet, SetReady, TakeSeat, VoidRound
from service.table.phase import Phase
from tests.live.table_in_memory import OPERATOR, Clock, PlannedStore, Process, next_command

PLAYERS = ("ann", "bob")


async def voided_at_each_shoe(penetration: int, shoes: int) -> tuple[Process, str]:
    """A table with hidden first cards whose first round of every shoe is voided while it runs."""
    clock = Clock()
    process = Process(clock, PlannedStore(clock.now))
    table = await process.open(
        max_seats=2,
        min_seats=2,
        first_card_hidden=True,
        penetration=penetration,
    )
    for player in PLAYERS:
        await process.send(table, f"seat-{player}", TakeSeat(player))
    if (await process.read(table)).state.phase is Phase.WAITING:
        for player in PLAYERS:
            await process.send(table, f"ready-{player}", SetReady(player))
    voided = 0
    while voided < shoes:
        state = (await process.read(table)).state
        if state.running and state.shoe.fresh:
            command = VoidRound(state.round, "a torn card")
            until = float("inf")
            request = f"void-{state.round}"
            actor = f"operator:{OPERATOR}"
            await process.handler.execute(table, OPERATOR, actor, request, command, until)
            voided += 1
        elif state.running:
            player = state.seat(state.active_seat).player if state.active_seat else ""
            asked = [player] if player else [s.player for s in state.seats if s.insurance_open]
            engine = await process.read(table)
            move = next_command(engine, asked[0])
            await process.send(table, f"move-{engine.head.version}", move)
        else:
            for player in PLAYERS:
                number = state.betting_round
                await process.send(table, f"{player}-{number}", PlaceBet(player, number, 1000))
    return process, table


@pytest.mark.parametrize("penetration", [0, 25])
async def test_voids_of_first_rounds_give_no_alarm(penetration: int) -> None:
    process, table = await voided_at_each_shoe(penetration, shoes=5)
    replay = Replay((await process.read(table)).head, {})
    for row in await process.store.journal_of(table):
        replay.read(row)
    replay.end(replay.version, {}, {})
    assert replay.fault is None
    assert replay.chance.hidden
