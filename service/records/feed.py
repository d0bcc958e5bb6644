"""The feed: every row of every journal of an operator, in order, from a cursor.

Every row is delivered at least once and none is skipped: the horizon is read before the page, a
page ends at the horizon, and readers store the cursor of a page after they have processed it.
"""

from collections.abc import Sequence

import msgspec

from service.journal.ports import JournalRow
from service.records.history import History, RowFilter, RowKey


class FeedPage(msgspec.Struct, frozen=True):
    """Rows, the cursor after them, and the time up to which the feed is complete."""

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

        If there are fewer than `limit`, the feed has been read up to the horizon.
        """
        horizon = await self._history.horizon()
        start = (from_at, "", 0) if cursor is None else cursor
        wanted = RowFilter(operator, from_at=start[0], to_at=horizon)
        rows = await self._history.rows(wanted, start, limit)
        if len(rows) == limit:
            last = rows[-1]
            return FeedPage(rows, (last.at, last.table_id, last.version), horizon)
        # The next page need not skip again the rows that other operators recorded meanwhile.
        return FeedPage(rows, max(start, (horizon, "", 0)), horizon)
