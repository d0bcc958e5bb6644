"""Finds out whether the database answers, several times a second, and lets both doors know.

A pause shorter than `BRIDGED` is nobody's concern: calls wait for so long. After a longer one the
process says that it does not serve, and refuses calls at once instead of letting each wait; when
the database is back, calls that wait go on at once.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

import structlog

from service.calls.availability import Availability, State
from service.journal.ports import StoreUnavailable

_log = structlog.get_logger(__name__)

PAUSE = 0.2
"""Seconds between two questions."""
ANSWER = 0.5
"""Seconds that an answer may take."""
BRIDGED = 0.7
"""Seconds without an answer after which the database counts as unreachable."""


Ask = Callable[[float], Awaitable[None]]


class Monitor:
    """`ask` returns if the database answers within some seconds, or raises StoreUnavailable;
    `recovered` are called when it answers again."""

    def __init__(
        self,
        ask: Ask,
        availability: Availability,
        recovered: Sequence[Callable[[], Awaitable[None]]] = (),
    ) -> None:
        self._ask = ask
        self._availability = availability
        self._recovered = recovered

    async def run(self) -> None:
        """Ask until cancelled."""
        # Pools may take long to replace their connections: the questions go on meanwhile.
        async with asyncio.TaskGroup() as recovering:
            await self._go_on_asking(recovering)

    async def _go_on_asking(self, recovering: asyncio.TaskGroup) -> None:
        answered = time.monotonic()
        while True:
            begun = time.monotonic()
            reason = await self._answer()
            now = time.monotonic()
            if not reason:
                answered = now
                if self._availability.state is State.AWAY:
                    _log.warning("the database answers again")
                    self._availability.become(State.SERVING)
                    recovering.create_task(self._tell_recovered())
            elif now - answered > BRIDGED and self._availability.serves:
                _log.error("the database does not answer", reason=reason)
                self._availability.become(State.AWAY)
            await asyncio.sleep(PAUSE)
            late = time.monotonic() - now - PAUSE
            # What this process itself slept through is not the database's silence.
            answered += max(0.0, late) + max(0.0, now - begun - 2 * ANSWER)

    async def _tell_recovered(self) -> None:
        await asyncio.gather(*(one() for one in self._recovered))

    async def _answer(self) -> str:
        """Why the database did not answer; nothing if it did."""
        try:
            await self._ask(ANSWER)
        except StoreUnavailable as error:
            return str(error)
        return ""
