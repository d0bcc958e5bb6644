"""The port `History` in memory, part of the store for tests."""

from collections.abc import Callable, Sequence

from service.journal.ports import LATEST_APPEND, Head, JournalRow, SummaryRow
from service.records.history import RoundFilter, RoundKey, RowFilter, RowKey


class MemoryHistory:
    """Reads the store's rows. No append runs while it reads."""

    _clock: Callable[[], int]
    _heads: dict[str, Head]
    _journal: dict[str, list[JournalRow]]
    _summaries: list[SummaryRow]

    async def horizon(self) -> int:
        """The time before which nothing changes any more."""
        return self._clock() - LATEST_APPEND

    async def rounds(
        self,
        wanted: RoundFilter,
        after: RoundKey | None,
        limit: int,
        *,
        oldest_first: bool = False,
    ) -> Sequence[SummaryRow]:
        """Settled rounds, newest first by default."""

        def beyond(key: RoundKey) -> bool:
            return after is None or (key > after if oldest_first else key < after)

        found = [
            row
            for row in self._summaries
            if wanted.operator in {"", self._heads[row.table_id].operator}
            and wanted.table_id in {"", row.table_id}
            and wanted.player in {"", row.player}
            and wanted.rule_set_id in {"", self._heads[row.table_id].rule_set_id}
            and _within(wanted, row.at)
            and beyond(_round_key(row))
        ]
        found.sort(key=_round_key, reverse=not oldest_first)
        return found[:limit]

    async def rows(
        self, wanted: RowFilter, after: RowKey | None, limit: int
    ) -> Sequence[JournalRow]:
        """Rows of the journals, the oldest first."""
        found = [
            row
            for table_id, rows in self._journal.items()
            for row in rows
            if wanted.operator in {"", self._heads[table_id].operator}
            and wanted.table_id in {"", table_id}
            and _within(wanted, row.at)
            and (after is None or _row_key(row) > after)
        ]
        found.sort(key=_row_key)
        return found[:limit]


def _within(wanted: RoundFilter | RowFilter, at: int) -> bool:
    return wanted.from_at <= at and (not wanted.to_at or at < wanted.to_at)


def _round_key(row: SummaryRow) -> RoundKey:
    return (row.at, row.table_id, row.round, row.seat)


def _row_key(row: JournalRow) -> RowKey:
    return (row.at, row.table_id, row.version)
