"""The tables that this process served last, and a queue for each.

A kept table is a guess about the database: an append confirms it by its version, a refusal is
decided again on freshly read state, a read compares the head's version. So keeping one can make a
call faster and never wrong. It is put back only after the commit.

Commands for one table wait for each other here, so that they do not race for the head's row.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from service.live.live_table import LiveTable


class KeptTables:
    """At most `capacity` tables, the least recently used one goes first."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._tables: OrderedDict[str, LiveTable] = OrderedDict()
        self._queues: dict[str, _Queue] = {}

    def get(self, table_id: str) -> LiveTable | None:
        """The kept table with that id; None if it is not kept."""
        table = self._tables.get(table_id)
        if table:
            self._tables.move_to_end(table_id)
        return table

    def put(self, table: LiveTable) -> None:
        """Keep a table that has been committed, unless a newer one is kept."""
        table_id = table.head.table_id
        kept = self._tables.get(table_id)
        if kept and kept.head.version > table.head.version:
            return
        self._tables[table_id] = table
        self._tables.move_to_end(table_id)
        while len(self._tables) > self._capacity:
            self._tables.popitem(last=False)

    def take(self, table_id: str) -> LiveTable | None:
        """The kept table with that id, which is forgotten: whoever means to advance it puts
        it back when that is committed. What fails in between leaves no half-advanced table."""
        return self._tables.pop(table_id, None)

    @asynccontextmanager
    async def turn(self, table_id: str) -> AsyncIterator[None]:
        """Wait until no other command for this table runs in this process."""
        queue = self._queues.setdefault(table_id, _Queue())
        queue.waiting += 1
        try:
            async with queue.lock:
                yield
        finally:
            queue.waiting -= 1
            if not queue.waiting:
                del self._queues[table_id]


class _Queue:
    __slots__ = ("lock", "waiting")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.waiting = 0
