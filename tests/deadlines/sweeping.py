"""Processes over one store in memory, each with a sweeper, and a clock that a test moves."""

from collections.abc import Sequence
from typing import Any

from service.journal.codec import command_of
from service.journal.ports import JournalRow
from service.live.sweeper import Sweeper
from service.table.commands import PlaceBet, SetReady, TakeSeat, TimeOut
from tests.live.table_in_memory import Clock, PlannedStore, Process

IDLE_SECONDS = 3600


class SweepingProcess(Process):
    """A process with a sweeper, which looks when the test says so."""

    def __init__(self, clock: Clock, store: PlannedStore) -> None:
        super().__init__(clock, store)
        self.sweeper = Sweeper(store, self.handler, clock, IDLE_SECONDS, lambda: self.interruptions)

    async def seated(self, request_id: str = "open", **options: Any) -> str:
        """A table with ann on seat 1 and bob on seat 2, who are ready."""
        table = await self.open(request_id, max_seats=2, min_seats=2, penetration=50, **options)
        for player in ("ann", "bob"):
            await self.send(table, f"seat-{player}", TakeSeat(player))
        if (await self.read(table)).state.phase == "waiting":
            for player in ("ann", "bob"):
                await self.send(table, f"ready-{player}", SetReady(player))
        return table

    async def bet(self, table_id: str, *players: str) -> None:
        """Bet for these players."""
        for player in players:
            engine = await self.read(table_id)
            command = PlaceBet(player, engine.state.betting_round, 1000)
            await self.send(table_id, f"{player}-{engine.head.version}", command)


def time_outs(rows: Sequence[JournalRow]) -> list[JournalRow]:
    """The rows with which a table answered for its seats."""
    return [row for row in rows if command_of(row.command) == TimeOut()]
