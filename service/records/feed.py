"""The feed: every row of every journal of an operator, in order, from a cursor.

At least once, and nothing skipped: the horizon is asked before a page is read, a page ends there,
and the reader keeps the cursor of a page when he has handled it.
"""

from collections.abc import Sequence

import msgspec

from service.journal.ports import JournalRow
from service.records.history import History, RowFilter, RowKey


class FeedPage(msgspec.Struct, frozen=True):
    """Rows, the cursor after them, and the time before which nothing is missing."""

    rows: Sequence[JournalRow]
    cursor: RowKey
    horizon: int


class Feed:
    """Reads pages of feeds."""

    def __init__(self, history: History) -> None:
        self._history = history

    async def page(
        self, operator: str, cursor: RowKey | None, from_at: int, limit: int
    ) -> FeedPage:
        """The rows after a cursor (None: those recorded at `from_at` or later), the oldest first.

        With fewer than `limit` the feed has been read up to the horizon.
        """
        horizon = await self._history.horizon()
        start = (from_at, "", 0) if cursor is None else cursor
        wanted = RowFilter(operator, from_at=start[0], to_at=horizon)
        rows = await self._history.rows(wanted, start, limit)
        if len(rows) == limit:
            last = rows[-1]
            return FeedPage(rows, (last.at, last.table_id, last.version), horizon)
        # What other operators recorded meanwhile need not be passed over again.
        return FeedPage(rows, max(start, (horizon, "", 0)), horizon)
