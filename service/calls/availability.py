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
    ENDING = "ending"
    """What has begun is finished; what comes now is sent elsewhere."""


class Availability:
    """The state of this process. Once it stops, it ends and does nothing else."""

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
        if state is self._state or self._state is State.ENDING:
            return
        if self._state is State.STOPPING and state is not State.ENDING:
            return
        self._state = state
        self._changed.set()
        self._changed = asyncio.Event()

    def next_change(self) -> asyncio.Event:
        """Set at the next change. Who takes it before looking at the state misses none."""
        return self._changed
