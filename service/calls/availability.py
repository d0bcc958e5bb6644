"""Whether this process serves, as both doors tell it: one place, so that they never disagree."""

import asyncio
from enum import Enum


class State(Enum):
    """Of a serving process."""

    STARTING = "starting"
    SERVING = "serving"
    AWAY = "away"
    """What it needs below, the database, does not answer."""
    STOPPING = "stopping"
    """It still answers what comes, and wants no more to come."""


class Availability:
    """The state of this process. Once it stops, nothing else comes after."""

    def __init__(self) -> None:
        self._state = State.STARTING
        self._changed = asyncio.Event()

    @property
    def state(self) -> State:
        """The state now."""
        return self._state

    @property
    def serves(self) -> bool:
        """Whether calls should be sent here."""
        return self._state is State.SERVING

    def become(self, state: State) -> None:
        """Change the state, and wake who waits for that."""
        if state is self._state or self._state is State.STOPPING:
            return
        self._state = state
        self._changed.set()
        self._changed = asyncio.Event()

    async def changed(self) -> None:
        """Wait for the next change."""
        await self._changed.wait()
