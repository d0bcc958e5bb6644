"""An export keeps no more of a long file in memory than of a short one.

`python -m tests.export.growth` measures the whole process with 1,000,000 events.
"""

import tracemalloc
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from db.memory_store import MemoryStore
from service.journal.ports import JournalRow
from service.records.export import parquet
from service.records.export.columns import EVENTS
from service.records.export.export import export_events
from service.records.export.formats import FORMATS, FileFormat
from service.records.history import RowFilter, RowKey
from tests.store.steps import step

EVENTS_A_ROW = 2
SHORT, LONG = 1_000, 4_000
ROW = step("t1", 1).row


class Endless(MemoryStore):
    """A journal of so many rows, none of which is there before it is asked for."""

    def __init__(self, rows: int) -> None:
        super().__init__()
        self._rows = rows

    async def rows(
        self, wanted: RowFilter, after: RowKey | None, limit: int
    ) -> Sequence[JournalRow]:
        """The next rows."""
        assert wanted.to_at
        first = after[2] + 1 if after else 1
        return [replace(ROW, version=n) for n in range(first, min(first + limit, self._rows + 1))]


async def peak(form: FileFormat, rows: int) -> int:
    """The most bytes that an export of so many rows had allocated at once."""
    writer = FORMATS[form](EVENTS)
    tracemalloc.start()
    try:
        records = 0
        async for piece in export_events(Endless(rows), RowFilter(), writer):
            records = piece.records
        assert records == rows * EVENTS_A_ROW
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("form", FORMATS)
async def test_a_long_file_takes_no_more_memory(
    form: FileFormat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "ROW_GROUP", 1_000)
    assert await peak(form, LONG) < 1.5 * await peak(form, SHORT)
