"""Deadlines without a timer service: a sweeper in every process.

Whoever changes a table next applies a deadline that has passed; when nobody does, the sweeper of
some process finds the table by a plain query. Several may find the same one: the version check lets
one of them through. A table that fails backs off, and an alert is logged; one that takes long is
left to itself. Neither holds up others.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence

import structlog

from service.journal.ports import Catalog, Clock, StoreUnavailable
from service.journal.serving_time import Interruption
from service.live.execute import Handler

_log = structlog.get_logger(__name__)

SWEEP_SECONDS = 0.1
"""How often each process looks, give or take half of it: each query costs the database 0.03 ms."""
AT_ONCE = 200
"""Tables a sweep."""
IDLE_SWEEP_SECONDS = 600.0
LONGEST_BACK_OFF = 60.0


class Sweeper:
    """Moves tables on whose time has run out, and closes those that lie idle.

    `idle_seconds` after the last change a table without a deadline is closed between rounds; time
    in which nobody could answer does not count. After each of the `interruptions` the open
    decisions get that time back at once, so that players see how long they have.
    """

    def __init__(
        self,
        catalog: Catalog,
        handler: Handler,
        clock: Clock,
        idle_seconds: int,
        interruptions: Callable[[], Sequence[Interruption]] = tuple,
    ) -> None:
        self._interruptions = interruptions
        self._given_back_until = 0
        self._visited: set[str] = set()
        """Tables that this process has looked at for the first interruption after that time."""
        self._catalog = catalog
        self._handler = handler
        self._clock = clock
        self._idle_seconds = idle_seconds
        self._running: dict[str, asyncio.Task[None]] = {}
        self._failures: dict[str, tuple[int, float]] = {}
        """How often a table has failed in a row, and the loop's time before which it rests."""

    async def run(self) -> None:
        """Sweep until cancelled."""
        try:
            await asyncio.gather(
                _again_and_again(self.sweep, SWEEP_SECONDS, "deadlines"),
                _again_and_again(self.close_idle, IDLE_SWEEP_SECONDS, "idle tables"),
            )
        finally:
            for task in self._running.values():
                task.cancel()

    async def sweep(self) -> None:
        """Apply every deadline that has passed, at most `AT_ONCE` of them.

        Tables that take longer than to the next sweep are not waited for.
        """
        now = asyncio.get_running_loop().time()
        resting = {table for table, (_, until) in self._failures.items() if now < until}
        passed_over = resting | self._running.keys()
        due = await self._due(AT_ONCE + len(passed_over))
        tables = [table for table, _ in due]
        self._failures = {
            table: failure
            for table, failure in self._failures.items()
            if table in resting or table in tables
        }
        begun = [self._begin(table) for table in tables if table not in passed_over]
        if begun:
            await asyncio.wait(begun, timeout=SWEEP_SECONDS)

    async def _due(self, limit: int) -> Sequence[tuple[str, str]]:
        """Tables whose deadline has passed, and those that may get time back."""
        due = await self._catalog.due(self._clock.now(), limit)
        for one in self._interruptions():
            if one.to_at > self._given_back_until:
                room = limit + len(self._visited)
                found = await self._catalog.interrupted(one.from_at, one.to_at, room)
                fresh = [table for table in found if table[0] not in self._visited]
                if fresh:
                    self._visited.update(table for table, _ in fresh)
                    return list(dict.fromkeys((*fresh, *due)))
                self._given_back_until = one.to_at
                self._visited.clear()
        return due

    async def close_idle(self) -> None:
        """Close tables that nothing has happened at for `idle_seconds`."""
        before = self._clock.now() - self._idle_seconds * 1_000_000
        for one in self._interruptions()[::-1]:
            if one.to_at > before:
                before -= one.to_at - one.from_at
        for table_id, _ in await self._catalog.idle(before, AT_ONCE):
            try:
                await self._handler.close_idle(table_id, before, self._idle_seconds)
            except StoreUnavailable:
                raise
            except Exception as error:  # noqa: BLE001 - logged as an alert
                _log.error("an idle table could not be closed", table=table_id, error=repr(error))

    def _begin(self, table_id: str) -> asyncio.Task[None]:
        task = asyncio.create_task(self._time_out(table_id))
        self._running[table_id] = task
        task.add_done_callback(lambda _: self._running.pop(table_id))
        return task

    async def _time_out(self, table_id: str) -> None:
        count, _ = self._failures.pop(table_id, (0, 0.0))
        try:
            await self._handler.apply_deadline(table_id)
        except StoreUnavailable as error:  # no fault of the table: the next sweep tries again
            _log.warning("a deadline waits for the database", table=table_id, error=str(error))
        except Exception as error:  # noqa: BLE001 - logged as an alert, and tried again
            pause = min(2.0**count, LONGEST_BACK_OFF)
            self._failures[table_id] = (count + 1, asyncio.get_running_loop().time() + pause)
            _log.error(
                "a deadline could not be applied",
                table=table_id,
                failures=count + 1,
                next_try_seconds=pause,
                error=repr(error),
            )


async def _again_and_again(look: Callable[[], Awaitable[None]], seconds: float, what: str) -> None:
    """Look every `seconds`, give or take half; an unreachable database is logged."""
    while True:
        await asyncio.sleep(seconds * random.uniform(0.5, 1.5))  # noqa: S311 - jitter
        try:
            await look()
        except StoreUnavailable as error:
            _log.warning("the database can't be reached", for_want_of=what, error=str(error))
