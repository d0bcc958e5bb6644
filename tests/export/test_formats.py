"""The formats of exports: every record, every column, each as its reader expects it."""

import csv
import io
import json
import sys
from datetime import UTC, datetime
from typing import Any

import pyarrow.parquet
import pytest

from service.journal.ports import JournalRow, SummaryRow, VoidRow
from service.records.export.columns import EVENTS, ROUNDS, Columns, Record
from service.records.export.formats import FORMATS, FileFormat
from service.records.export.parquet import ROW_GROUP, ParquetMissing
from service.records.export.records import event_records, round_record

AT = 1_767_225_600_000_001
TIME = "2026-01-01T00:00:00.000001Z"
EVENT = '{"type":"BetPlaced","seat":1,"note":"a \\"quoted\\", word\\n\\u00e9"}'
UNKNOWN = '{"type":"OfALaterRelease","anything":[1,{"deep":null}]}'
ROW = JournalRow("t-1", 7, 2, "ann", "r1", "{}", f"[{EVENT}, {UNKNOWN}]", AT, 1, bytes(32))
SUMMARY = SummaryRow("t-1", 2, 3, "ann", 100, 2**53, 2**53 - 100, 5, 9, AT)


def written(form: FileFormat, columns: Columns, records: list[Record]) -> bytes:
    """A file, as its pieces come."""
    writer = FORMATS[form](columns)
    return b"".join([writer.begin(), *(writer.write([one]) for one in records), writer.end()])


def read(form: FileFormat, data: bytes) -> list[dict[str, Any]]:
    """What a reader makes of a file."""
    match form:
        case FileFormat.CSV:
            return list(csv.DictReader(io.StringIO(data.decode(), newline="")))
        case FileFormat.JSON_LINES:
            return [json.loads(line) for line in data.decode().splitlines()]
    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(io.BytesIO(data)).to_pylist()
    return rows


def test_the_events_of_a_row_are_as_they_are_stored() -> None:
    first, second = event_records(ROW)
    assert first == ("t-1", 7, 1, 2, "ann", AT, "BetPlaced", EVENT)
    assert second == ("t-1", 7, 2, 2, "ann", AT, "OfALaterRelease", UNKNOWN)


@pytest.mark.parametrize("form", FORMATS)
def test_events_in_every_format(form: FileFormat) -> None:
    rows = read(form, written(form, EVENTS, list(event_records(ROW))))
    assert [list(row) for row in rows] == [[column.name for column in EVENTS]] * 2
    time = datetime(2026, 1, 1, microsecond=1, tzinfo=UTC) if form == "parquet" else TIME
    for row, position, event in zip(rows, (1, 2), (EVENT, UNKNOWN), strict=True):
        assert (row["table_id"], row["actor"], row["record_time"]) == ("t-1", "ann", time)
        assert [int(row[name]) for name in ("version", "position", "round")] == [7, position, 2]
        assert row["event"] == (json.loads(event) if form == "jsonl" else event)
        assert row["type"] == json.loads(event)["type"]


@pytest.mark.parametrize("form", FORMATS)
def test_rounds_in_every_format(form: FileFormat) -> None:
    (row,) = read(form, written(form, ROUNDS, [round_record(SUMMARY, None)]))
    assert list(row) == [column.name for column in ROUNDS]
    if form == "csv":
        assert (row["returned"], row["net"], row["settle_time"]) == (
            "9007199254740992",
            "9007199254740892",
            TIME,
        )
    else:
        assert (row["seat"], row["player_id"], row["staked"]) == (3, "ann", 100)
        assert (row["returned"], row["stack"], row["version"]) == (2**53, 5, 9)


@pytest.mark.parametrize("form", FORMATS)
def test_when_a_round_was_voided(form: FileFormat) -> None:
    void = VoidRow("t-1", 2, "=1+1", 12, AT)
    records = [round_record(SUMMARY, void), round_record(SUMMARY, None)]
    voided, counts = read(form, written(form, ROUNDS, records))
    assert voided["void_time"] == voided["settle_time"]
    assert counts["void_time"] == ("" if form == "csv" else None)


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_without_records_can_be_read(form: FileFormat) -> None:
    assert read(form, written(form, ROUNDS, [])) == []


def test_parquet_is_written_group_by_group() -> None:
    writer = FORMATS[FileFormat.PARQUET](ROUNDS)
    whole = writer.begin()
    records = [round_record(SUMMARY, None)] * (ROW_GROUP // 4)
    sizes = [len(piece) for piece in (writer.write(records) for _ in range(8))]
    assert [size > 0 for size in sizes] == [False, False, False, True] * 2
    assert whole == b"PAR1"


def test_parquet_without_pyarrow_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ParquetMissing, match=r"croupier\[parquet\]"):
        FORMATS[FileFormat.PARQUET](ROUNDS)
    assert read(FileFormat.CSV, written(FileFormat.CSV, ROUNDS, [])) == []
