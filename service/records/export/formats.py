"""The formats of exported files; each writes records as they come and keeps none."""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from io import StringIO
from typing import Any, Protocol

import msgspec

from service.records.export.columns import Column, Columns, Kind, Record, Value
from service.records.export.parquet import ParquetFile

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_encode_lines = msgspec.json.Encoder().encode_lines


class FileWriter(Protocol):
    """Writes one file; each call returns the next bytes."""

    content_type: str

    def begin(self) -> bytes:
        """The bytes before the first record."""

    def write(self, records: Sequence[Record]) -> bytes:
        """The bytes of these records; a format may keep some of them for later."""

    def end(self) -> bytes:
        """The bytes after the last record."""


class CsvFile:
    """CSV (RFC 4180), with the names of the columns in the first line."""

    content_type = "text/csv; charset=utf-8; header=present"

    def __init__(self, columns: Columns) -> None:
        self._columns = columns

    def begin(self) -> bytes:
        """The names of the columns."""
        return self._lines([tuple(column.name for column in self._columns)])

    def write(self, records: Sequence[Record]) -> bytes:
        """One line per record."""
        return self._lines(_with_times(self._columns, records))

    def end(self) -> bytes:
        """Nothing."""
        return b""

    def _lines(self, records: Iterable[Sequence[Value]]) -> bytes:
        text = StringIO()
        csv.writer(text).writerows(records)
        return text.getvalue().encode()


class JsonLinesFile:
    """One JSON object per line, each with every column; a JSON column is a nested object."""

    content_type = "application/jsonl"

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._names = tuple(column.name for column in columns)
        self._objects = [i for i, column in enumerate(columns) if column.kind is Kind.JSON]

    def begin(self) -> bytes:
        """Nothing."""
        return b""

    def write(self, records: Sequence[Record]) -> bytes:
        """One line per record."""
        return _encode_lines([self._object(one) for one in _with_times(self._columns, records)])

    def end(self) -> bytes:
        """Nothing."""
        return b""

    def _object(self, values: Sequence[Value]) -> dict[str, Any]:
        written: list[Any] = list(values)
        for place in self._objects:
            written[place] = msgspec.Raw(written[place].encode())
        return dict(zip(self._names, written, strict=True))


class FileFormat(StrEnum):
    """The formats, each by what the name of its files ends in."""

    CSV = "csv"
    JSON_LINES = "jsonl"
    PARQUET = "parquet"


FORMATS: Mapping[FileFormat, Callable[[Columns], FileWriter]] = {
    FileFormat.CSV: CsvFile,
    FileFormat.JSON_LINES: JsonLinesFile,
    FileFormat.PARQUET: ParquetFile,
}


def _with_times(columns: Sequence[Column], records: Sequence[Record]) -> Iterable[Sequence[Value]]:
    """The records with their times in ISO 8601."""
    places = [place for place, column in enumerate(columns) if column.kind is Kind.TIME]
    for record in records:
        values = list(record)
        for place in places:
            at = values[place]
            values[place] = iso_time(at) if isinstance(at, int) else at
        yield values


@lru_cache(maxsize=4)  # the events of a row share their time
def iso_time(at: int) -> str:
    """Microseconds since 1970 in ISO 8601, in UTC.

    >>> iso_time(1_767_225_600_000_001)
    '2026-01-01T00:00:00.000001Z'
    """
    moment = _EPOCH + timedelta(microseconds=at)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
