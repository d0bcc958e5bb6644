"""The database's clock, kept on the monotonic clock of this process.

Asking the database for the time on every call would cost a round trip. So the process keeps its
offset to the database's clock and refreshes it regularly.
"""

import asyncio
import time

import structlog

from service.journal.ports import Catalog, StoreUnavailable

_log = structlog.get_logger(__name__)


class DatabaseClock:
    """An estimate of the database's clock, accurate to a round trip."""

    def __init__(self) -> None:
        self._offset = time.time_ns() // 1000 - time.monotonic_ns() // 1000

    def now(self) -> int:
        """Microseconds since 1970 (UTC), by the database's clock."""
        return time.monotonic_ns() // 1000 + self._offset

    async def refresh(self, catalog: Catalog) -> None:
        """Ask the database for the time."""
        before = time.monotonic_ns() // 1000
        database = await catalog.database_time()
        after = time.monotonic_ns() // 1000
        self._offset = database - (before + after) // 2

    async def keep_fresh(self, catalog: Catalog, seconds: float) -> None:
        """Refresh until cancelled; while the database is unavailable the last offset is used."""
        while True:
            await asyncio.sleep(seconds)
            try:
                await self.refresh(catalog)
            except StoreUnavailable as error:
                _log.warning("the database's time could not be read", error=str(error))
