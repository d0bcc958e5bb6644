"""A world whose database has a clock that can be set, and processes that can all be away."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from service.journal import clock as clock_module
from service.journal.clock import DatabaseClock
from service.live.sweeper import Sweeper
from tests.deadlines.sweeping import IDLE_SECONDS
from tests.live.table_in_memory import SECOND, PlannedStore, Process


class World:
    """True time, and the database's clock beside it."""

    def __init__(self) -> None:
        self.true = 1_000_000 * SECOND
        self._set_by = 0
        self.store = PlannedStore(self.database)

    def database(self) -> int:
        """What the database's clock shows."""
        return self.true + self._set_by

    def step(self, seconds: float) -> None:
        """Set the database's clock forward or (negative) back."""
        self._set_by += round(seconds * SECOND)

    def pass_by(self, seconds: float) -> None:
        """Let time pass."""
        self.true += round(seconds * SECOND)


class TimedProcess(Process):
    """A process with the clock that serves, and a sweeper."""

    def __init__(self, world: World) -> None:
        self.time = DatabaseClock()
        super().__init__(self.time, world.store)
        self.sweeper = Sweeper(
            world.store, self.handler, self.time, IDLE_SECONDS, lambda: self.interruptions
        )

    async def look(self) -> None:
        """What a process does several times a second."""
        await self.time.refresh(self.store)
        self.interruptions = list(self.time.interruptions)
        await self.sweeper.sweep()


@contextmanager
def world_of_its_own(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A world whose processes have clocks of their own that nobody sets."""
    world = World()
    with monkeypatch.context() as patch:
        patch.setattr(clock_module, "_monotonic", lambda: world.true)
        patch.setattr(clock_module, "_boot_time", lambda: world.true)
        yield world
