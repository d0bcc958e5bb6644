"""Processes over one store in memory that watch tables; nothing happens unless a test says so."""

import asyncio
import math
from collections.abc import AsyncGenerator
from typing import Any

from service.live.live_table import LiveTable
from service.live.lookup import Asker
from service.live.replay import Replay
from service.live.watch import Watch
from service.table.commands import SetReady, TakeSeat
from tests.live.table_in_memory import (
    OPERATOR,
    Clock,
    PlannedStore,
    Process,
    decision,
    next_command,
)

PLAYERS = ("ann", "bob")


class WatchingProcess(Process):
    """A process with watchers; `poll` is up to the test."""

    def __init__(self, clock: Clock, store: PlannedStore) -> None:
        super().__init__(clock, store)
        self.watch = Watch(store, Replay(store, store, self.shoes), self.shoes, self.reader)
        self.handler.on_commit(self.watch.publish)

    async def seated(self, **options: Any) -> str:
        """A table for two with a shoe for each round, where ann and bob sit and play."""
        table = await self.open(max_seats=2, min_seats=2, penetration=0, **options)
        for player in PLAYERS:
            await self.send(table, f"seat-{player}", TakeSeat(player))
        if (await self.read(table)).state.phase.value == "waiting":
            for player in PLAYERS:
                await self.send(table, f"ready-{player}", SetReady(player))
        return table

    async def move(self, table_id: str) -> int:
        """Whatever is next, by whoever has to do it; the version after it."""
        engine = await self.read(table_id)
        state = engine.state
        for player in PLAYERS:
            seat = state.seat_of(player)
            bets = state.between_rounds and seat and (state.phase == "settled" or not seat.stake)
            if decision(engine, player) or bets:
                command = next_command(engine, player)
                request_id = f"move-{engine.head.version}"
                answer = await self.send(table_id, request_id, command)
                return answer.table.head.version
        raise AssertionError(f"nobody has anything to do: {state}")


def changes(
    process: WatchingProcess, table_id: str, after: int = 0, until: float = math.inf
) -> AsyncGenerator[LiveTable | None, None]:
    """What a watcher of a process gets."""
    return process.watch.changes(table_id, Asker(OPERATOR), after, until)


async def take(stream: AsyncGenerator[LiveTable | None, None], count: int) -> list[int]:
    """The versions of so many changes, heartbeats left out."""
    versions: list[int] = []
    async with asyncio.timeout(5):
        while len(versions) < count:
            engine = await anext(stream)
            if engine:
                versions.append(engine.head.version)
    return versions
