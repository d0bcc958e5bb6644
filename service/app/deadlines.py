"""Deadlines without a timer service: a sweeper in every process.

Whoever changes a table next applies a deadline that has passed; when nobody does, the sweeper of
some process finds the table by a plain query. Several may find the same one: the version check lets
one of them through. A table that fails backs off, and an alert is logged; it never holds up others.
"""

import asyncio
import random

import structlog

from service.app.handle import Handler
from service.app.ports import Catalog, Clock, StoreUnavailable
from service.rules.reasons import Refused

_log = structlog.get_logger(__name__)

SWEEP_SECONDS = 0.25
"""How often each process looks, give or take half of it."""
AT_ONCE = 200
"""Tables a sweep."""
IDLE_SWEEP_SECONDS = 600.0
LONGEST_BACK_OFF = 60.0


class Sweeper:
    """Moves tables on whose time has run out, and closes those that lie idle.

    `idle_seconds` after the last change a table without a deadline is closed between rounds.
    """

    def __init__(self, catalog: Catalog, handler: Handler, clock: Clock, idle_seconds: int) -> None:
        self._catalog = catalog
        self._handler = handler
        self._clock = clock
        self._idle_seconds = idle_seconds
        self._failures: dict[str, tuple[int, float]] = {}

    async def run(self) -> None:
        """Sweep for ever."""
        await asyncio.gather(self._sweep_deadlines(), self._sweep_idle())

    async def _sweep_deadlines(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS * random.uniform(0.5, 1.5))  # noqa: S311 - jitter
            try:
                await self.sweep()
            except StoreUnavailable as error:
                _log.warning("deadlines could not be read", error=str(error))

    async def _sweep_idle(self) -> None:
        while True:
            await asyncio.sleep(IDLE_SWEEP_SECONDS * random.uniform(0.5, 1.5))  # noqa: S311
            try:
                await self.close_idle()
            except StoreUnavailable as error:
                _log.warning("idle tables could not be read", error=str(error))

    async def sweep(self) -> None:
        """Apply every deadline that has passed, at most `AT_ONCE` of them."""
        due = await self._catalog.due(self._clock.now(), AT_ONCE)
        await asyncio.gather(*(self._time_out(table_id) for table_id, _ in due))

    async def close_idle(self) -> None:
        """Close tables that nothing has happened at for `idle_seconds`."""
        before = self._clock.now() - self._idle_seconds * 1_000_000
        for table_id, _ in await self._catalog.idle(before, AT_ONCE):
            try:
                await self._handler.close_idle(table_id, before, self._idle_seconds)
            except Refused as refused:
                _log.info("no longer idle", table=table_id, reason=refused.reason.name)

    async def _time_out(self, table_id: str) -> None:
        now = asyncio.get_running_loop().time()
        count, not_before = self._failures.get(table_id, (0, 0.0))
        if now < not_before:
            return
        try:
            await self._handler.apply_deadline(table_id)
        except Exception as error:  # noqa: BLE001 - logged as an alert, and tried again
            pause = min(2.0**count, LONGEST_BACK_OFF)
            self._failures[table_id] = (count + 1, now + pause)
            _log.error(
                "a deadline could not be applied",
                table=table_id,
                failures=count + 1,
                next_try_seconds=pause,
                error=repr(error),
            )
        else:
            self._failures.pop(table_id, None)
