"""The time of the service, kept on the monotonic clock of this process.

Asking the database for the time on every call would cost a round trip. So the process keeps its
offset to the database's time line (`serving_time.py`) and refreshes it several times a second. It
learns of interruptions in the same moment as of the time after them: whoever knows that a deadline
has passed knows whether some of the time must be given back.
"""

import asyncio
import time
from collections.abc import Sequence

import structlog

from service.journal.ports import Catalog, StoreUnavailable
from service.journal.serving_time import (
    BEAT,
    LONGEST_PAUSE,
    TRUSTED,
    Beat,
    Interruption,
    Reading,
    interruption,
    reached,
)
from service.table.causes import InterruptionCause

_log = structlog.get_logger(__name__)

KNOWN_INTERRUPTIONS = 100
"""How many of the newest interruptions a process knows."""


class DatabaseClock:
    """An estimate of the service's time, accurate to a round trip.

    Without news from the database for `TRUSTED` it stands still: others may have found an
    interruption meanwhile.
    """

    def __init__(self) -> None:
        self._offset = time.time_ns() // 1000 - _monotonic()
        self._ahead = 0
        self._limit: int | None = None
        self._looked: int | None = None
        self._interruptions: tuple[Interruption, ...] = ()
        self._refreshing = asyncio.Lock()

    def now(self) -> int:
        """Microseconds since 1970 (UTC)."""
        estimate = _monotonic() + self._offset
        return estimate if self._limit is None else min(estimate, self._limit)

    @property
    def interruptions(self) -> Sequence[Interruption]:
        """The newest interruptions, in order."""
        return self._interruptions

    def by_the_databases_clock(self, at: int) -> int:
        """When the database's clock shows that a time has come, for whoever compares it with a
        clock of their own: after the database's was set back, the time line is ahead of it."""
        return at - self._ahead if at else 0

    def lasting_until(self, at: int) -> int:
        """When something ends that was to end at a time. A clock that is set forward ends nothing:
        what had not ended by then has as long left after it."""
        for one in self._interruptions:
            if one.cause is InterruptionCause.CLOCK_STEP and one.from_at < at <= one.to_at:
                at += one.to_at - one.from_at
        return at

    async def refresh(self, catalog: Catalog) -> None:
        """Look at the database's time, and write a beat if one is due."""
        async with self._refreshing:
            while not await self._look(catalog):
                pass

    async def _look(self, catalog: Catalog) -> bool:
        """Look once; False if another process has written a beat meanwhile."""
        before = _monotonic()
        reading = await catalog.serving_time()
        half = (_monotonic() - before) // 2
        now = reached(reading.last, reading.clock)
        if not 0 <= reading.clock - reading.last.clock < BEAT and not await self._beat(
            catalog, reading, now
        ):
            return False
        last = self._interruptions[-1].to_at if self._interruptions else 0
        if reading.interrupted_until > last:
            self._interruptions = tuple(await catalog.interruptions(KNOWN_INTERRUPTIONS))
        self._looked = _boot_time()
        self._ahead = now - reading.clock
        self._offset = now - before - half
        self._limit = now + TRUSTED
        return True

    async def _beat(self, catalog: Catalog, reading: Reading, now: int) -> bool:
        watched = None if self._looked is None else _boot_time() - self._looked
        found = interruption(reading.last, reading.clock, watched)
        if not await catalog.beat(reading.last, Beat(now, reading.clock), found):
            return False
        if found:
            self._interruptions = tuple(await catalog.interruptions(KNOWN_INTERRUPTIONS))
            seconds = (found.to_at - found.from_at) / 1_000_000
            _log.warning("time in which nobody could answer", cause=found.cause, seconds=seconds)
        back = reading.last.clock - reading.clock
        if reading.last.clock and back > LONGEST_PAUSE:
            _log.warning("the database's clock was set back", seconds=back / 1_000_000)
        return True

    async def keep_fresh(self, catalog: Catalog, seconds: float) -> None:
        """Refresh until cancelled; while the database is unavailable the last offset is used."""
        away = False
        while True:
            await asyncio.sleep(seconds)
            try:
                await self.refresh(catalog)
                away = False
            except StoreUnavailable as error:
                if not away:
                    _log.warning("the database's time could not be read", error=str(error))
                away = True


def _monotonic() -> int:
    return time.monotonic_ns() // 1000


def _boot_time() -> int:
    """Like the monotonic clock, but it runs on while the machine sleeps (where there is one)."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)) // 1000
