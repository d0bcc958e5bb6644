"""Exports: settled rounds or events as one file, written in pieces.

The export reads page by page, each page in its own statement, up to the horizon at its start. So
the file is complete up to that time, however long it takes to write, and no transaction stays open.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from service.journal.ports import Catalog, JournalRow, SummaryRow
from service.records.export.columns import Record
from service.records.export.formats import FileWriter
from service.records.export.records import event_records, round_record
from service.records.history import History, RoundFilter, RoundKey, RowFilter, RowKey

PAGE = 500
"""Rows read at once; fewer rows of a journal, because each has several events."""

Row = TypeVar("Row", SummaryRow, JournalRow)
Key = TypeVar("Key", RoundKey, RowKey)


class Piece(msgspec.Struct, frozen=True):
    """The next bytes of a file, the number of records read so far, the time of the last one, and
    the time at which the file will end."""

    data: bytes
    records: int
    at: int
    until: int


async def export_rounds(
    history: History, catalog: Catalog, wanted: RoundFilter, writer: FileWriter
) -> AsyncGenerator[Piece, None]:
    """Settled rounds, the oldest first; one record per seat, with the time of a void."""
    until = await _end(history, wanted)

    async def read(after: RoundKey | None) -> Sequence[SummaryRow]:
        until_now = replace(wanted, to_at=until)
        return await history.rounds(until_now, after, PAGE, oldest_first=True)

    async def records(page: Sequence[SummaryRow]) -> list[Record]:
        rounds = list(dict.fromkeys((row.table_id, row.round) for row in page))
        voids = {(void.table_id, void.round): void for void in await catalog.voids(rounds)}
        return [round_record(row, voids.get((row.table_id, row.round))) for row in page]

    def key(row: SummaryRow) -> RoundKey:
        return (row.at, row.table_id, row.round, row.seat)

    async for piece in _write(read, key, records, writer, until):
        yield piece


async def export_events(
    history: History, wanted: RowFilter, writer: FileWriter
) -> AsyncGenerator[Piece, None]:
    """Events, the oldest first."""
    until = await _end(history, wanted)

    async def read(after: RowKey | None) -> Sequence[JournalRow]:
        return await history.rows(replace(wanted, to_at=until), after, PAGE)

    async def records(page: Sequence[JournalRow]) -> list[Record]:
        return [record for row in page for record in event_records(row)]

    def key(row: JournalRow) -> RowKey:
        return (row.at, row.table_id, row.version)

    async for piece in _write(read, key, records, writer, until):
        yield piece


async def _end(history: History, wanted: RoundFilter | RowFilter) -> int:
    """The time before which every record is in the file."""
    horizon = await history.horizon()
    return min(wanted.to_at or horizon, horizon)


async def _write(
    read: Callable[[Key | None], Awaitable[Sequence[Row]]],
    key: Callable[[Row], Key],
    records: Callable[[Sequence[Row]], Awaitable[list[Record]]],
    writer: FileWriter,
    until: int,
) -> AsyncGenerator[Piece, None]:
    written = 0
    after: Key | None = None
    yield Piece(writer.begin(), 0, 0, until)
    while page := await read(after):
        made = await records(page)
        written += len(made)
        after = key(page[-1])
        yield Piece(writer.write(made), written, page[-1].at, until)
        if len(page) < PAGE:
            break
    yield Piece(writer.end(), written, until, until)
