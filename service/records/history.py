"""Queries over the past of many tables: settled rounds, and the rows of all journals by time.

Both are read page by page, each page in its own statement, so that no transaction stays open. A
page begins after the key of the last row of the previous page. Keys never change, so no row is
returned twice, and new rows shift nothing.

Newest first, readers get every row that existed when they began. Oldest first, readers may reach
the newest rows: a row gets its time before it is committed, so a row with an earlier time may
become visible after one with a later time was read. A reader that must not miss any row reads only
rows before the `horizon`, which it queries before the page.
"""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from service.journal.ports import JournalRow, SummaryRow

RoundKey = tuple[int, str, int, int]
"""The sort key of a seat's round: at, table_id, round, seat."""
RowKey = tuple[int, str, int]
"""The sort key of a row among all journals: at, table_id, version."""


class RoundFilter(msgspec.Struct, frozen=True):
    """Selects settled rounds of seats; an empty field or 0 does not restrict.

    Settled at `from_at` or later, and before `to_at`.
    """

    operator: str = ""
    table_id: str = ""
    player: str = ""
    rule_set_id: str = ""
    from_at: int = 0
    to_at: int = 0


class RowFilter(msgspec.Struct, frozen=True):
    """Selects rows of the journals; an empty field or 0 does not restrict.

    Recorded at `from_at` or later, and before `to_at`.
    """

    operator: str = ""
    table_id: str = ""
    from_at: int = 0
    to_at: int = 0


class History(Protocol):
    """Reads the past of many tables. Times are microseconds since 1970 (UTC)."""

    async def horizon(self) -> int:
        """The time before which nothing changes any more: every row with an earlier `at` is visible
        to every later statement, and no such row will be added."""

    async def rounds(
        self,
        wanted: RoundFilter,
        after: RoundKey | None,
        limit: int,
        *,
        oldest_first: bool = False,
    ) -> Sequence[SummaryRow]:
        """Settled rounds by (at, table_id, round, seat), newest first by default. `after` is the
        key of the last round of the previous page."""

    async def rows(
        self, wanted: RowFilter, after: RowKey | None, limit: int
    ) -> Sequence[JournalRow]:
        """Rows of the journals by (at, table_id, version), the oldest first; the rows of one table
        are in the order of their versions. `after` is the key of the last row of the previous
        page."""
