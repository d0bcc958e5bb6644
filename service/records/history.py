"""What is asked of the past of many tables: settled rounds, and the rows of all journals by time.

Both are read page by page, each page a statement of its own, so that no transaction stays open; a
page begins after the key of the last row of the page before. Keys never change, so nothing comes
twice, and rows that come meanwhile shift nothing.

Newest first, a reader gets all that was there when he began. Oldest first, he may meet the end of
what is there: a row gets its time before it is committed, and one with an earlier time may become
visible after one with a later time was read. So whoever must not miss any reads only what lies
before the `horizon`, which is asked before the page.
"""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from service.journal.ports import JournalRow, SummaryRow

RoundKey = tuple[int, str, int, int]
"""Where a seat's round stands among all: at, table_id, round, seat."""
RowKey = tuple[int, str, int]
"""Where a row stands among those of all journals: at, table_id, version."""


class RoundFilter(msgspec.Struct, frozen=True):
    """Which seats' settled rounds are wanted; what is empty or 0 does not restrict.

    Settled at `from_at` or later, and before `to_at`.
    """

    operator: str = ""
    table_id: str = ""
    player: str = ""
    rule_set_id: str = ""
    from_at: int = 0
    to_at: int = 0


class RowFilter(msgspec.Struct, frozen=True):
    """Which rows of the journals are wanted; what is empty or 0 does not restrict.

    Recorded at `from_at` or later, and before `to_at`.
    """

    operator: str = ""
    table_id: str = ""
    from_at: int = 0
    to_at: int = 0


class History(Protocol):
    """Reads the past of many tables. Times are microseconds since 1970 (UTC)."""

    async def horizon(self) -> int:
        """The time before which nothing changes any more: whatever has an earlier `at` is visible
        to every later statement, and nothing will be added to it."""

    async def rounds(
        self,
        wanted: RoundFilter,
        after: RoundKey | None,
        limit: int,
        *,
        oldest_first: bool = False,
    ) -> Sequence[SummaryRow]:
        """Settled rounds by (at, table_id, round, seat), the newest first unless asked otherwise.
        `after` is the key of the last one of the page before."""

    async def rows(
        self, wanted: RowFilter, after: RowKey | None, limit: int
    ) -> Sequence[JournalRow]:
        """Rows of the journals by (at, table_id, version), the oldest first; so those of one table
        come in the order of their versions. `after` is the key of the last one before."""
