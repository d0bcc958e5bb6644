"""Converts stored rows to the records of a file, one value per column."""

from collections.abc import Iterator

import msgspec

from service.journal.ports import JournalRow, SummaryRow, VoidRow
from service.records.export.columns import Record


class _Typed(msgspec.Struct, frozen=True):
    type: str


_raw = msgspec.json.Decoder(list[msgspec.Raw])
_typed = msgspec.json.Decoder(list[_Typed])


def round_record(row: SummaryRow, void: VoidRow | None) -> Record:
    """A settled round of one seat, with its void if it has one, in the columns `ROUNDS`."""
    return (
        row.table_id,
        row.round,
        row.seat,
        row.player,
        row.staked,
        row.returned,
        row.net,
        row.stack,
        row.at,
        row.version,
        void.at if void else None,
    )


def event_records(row: JournalRow) -> Iterator[Record]:
    """The events of a row, in the columns `EVENTS`; events unknown to this release are included."""
    events = zip(_raw.decode(row.events), _typed.decode(row.events), strict=True)
    for position, (raw, event) in enumerate(events, start=1):
        text = bytes(raw).decode()
        yield (
            row.table_id,
            row.version,
            position,
            row.round,
            row.actor,
            row.at,
            event.type,
            text,
        )
