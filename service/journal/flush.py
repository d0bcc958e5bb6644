"""Appends of many tables in one transaction.

While flushes are on their way to the database, new appends are gathered and sent together as soon
as one flush is back. A flush is sent after the event loop has made a few turns without a new
append, so calls that have arrived but are not yet decided can join it. So under load more tables
share a commit, and a single caller does not wait: an idle turn takes microseconds.
"""

import asyncio

from service.journal.ports import Append, Outcome, Store

QUIET_TURNS = 8
"""The number of turns of the event loop to wait. A gRPC call takes several turns from its arrival
to its decision: without waiting, a flush carries two appends where it could carry a dozen."""


class Flusher:
    """Gathers appends. At most `lanes` flushes run at once, each with at most `largest` appends."""

    def __init__(self, store: Store, lanes: int = 2, largest: int = 64) -> None:
        self._store = store
        self._free = lanes
        self._gathering = False
        self._largest = largest
        self._waiting: list[tuple[Append, asyncio.Future[Outcome]]] = []
        self._flights: set[asyncio.Task[None]] = set()

    def append(self, append: Append) -> "asyncio.Future[Outcome]":
        """Send an append with the next flush; the future gives its outcome after the commit."""
        outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._waiting.append((append, outcome))
        self._gather()
        return outcome

    def _gather(self) -> None:
        """Start waiting for a flush, unless one is waiting already or all lanes are busy."""
        if self._waiting and self._free and not self._gathering:
            self._gathering = True
            self._next_turn(QUIET_TURNS)

    def _next_turn(self, quiet_turns: int) -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(self._turn, len(self._waiting), quiet_turns)

    def _turn(self, before: int, quiet_turns: int) -> None:
        """Wait while appends come in, and for `quiet_turns` more turns."""
        gathered = len(self._waiting)
        quiet_turns = QUIET_TURNS if gathered > before else quiet_turns - 1
        if quiet_turns and gathered < self._largest:
            self._next_turn(quiet_turns)
        else:
            self._gathering = False
            self._start()

    def _start(self) -> None:
        while self._waiting and self._free:
            batch, rest = self._next_batch()
            self._waiting = rest
            self._free -= 1
            flight = asyncio.create_task(self._flush(batch))
            self._flights.add(flight)
            flight.add_done_callback(self._flights.discard)

    def _next_batch(
        self,
    ) -> tuple[
        list[tuple[Append, "asyncio.Future[Outcome]"]],
        list[tuple[Append, "asyncio.Future[Outcome]"]],
    ]:
        """At most one append per table; a second one waits for the next flush."""
        batch: list[tuple[Append, asyncio.Future[Outcome]]] = []
        rest: list[tuple[Append, asyncio.Future[Outcome]]] = []
        tables: set[str] = set()
        for one in self._waiting:
            table_id = one[0].row.table_id
            if table_id in tables or len(batch) >= self._largest:
                rest.append(one)
            else:
                tables.add(table_id)
                batch.append(one)
        return batch, rest

    async def _flush(self, batch: list[tuple[Append, "asyncio.Future[Outcome]"]]) -> None:
        try:
            outcomes = await self._store.append([append for append, _ in batch])
        except BaseException as error:  # passed to every caller that waits for this flush
            for _, outcome in batch:
                if not outcome.done():
                    outcome.set_exception(error)
            if not isinstance(error, Exception):
                raise
        else:
            for (_, outcome), result in zip(batch, outcomes, strict=True):
                if not outcome.done():
                    outcome.set_result(result)
        finally:
            self._free += 1
            self._gather()
