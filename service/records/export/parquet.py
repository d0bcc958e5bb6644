"""Parquet, written with pyarrow (the extra `croupier[parquet]`)."""

from collections.abc import Sequence
from io import RawIOBase
from typing import Any

from service.errors import Mendable
from service.records.export.columns import Columns, Kind, Record

ROW_GROUP = 10_000
"""The number of records in a group: this many are in memory at once."""


class ParquetMissing(Mendable):
    """This installation can't write Parquet."""

    def __init__(self) -> None:
        super().__init__("Parquet needs pyarrow: install croupier[parquet]")


class ParquetFile:
    """Parquet: text, int64, and timestamps in UTC by the microsecond; JSON as text.

    Raises ParquetMissing where pyarrow is not installed.
    """

    content_type = "application/vnd.apache.parquet"

    def __init__(self, columns: Columns) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError as error:
            raise ParquetMissing from error
        types = {
            Kind.TEXT: pyarrow.string(),
            Kind.INTEGER: pyarrow.int64(),
            Kind.TIME: pyarrow.timestamp("us", tz="UTC"),
            Kind.JSON: pyarrow.string(),
        }
        self._schema: Any = pyarrow.schema(
            [pyarrow.field(one.name, types[one.kind], nullable=one.optional) for one in columns]
        )
        self._arrow: Any = pyarrow
        self._sink = _Sink()
        self._writer: Any = pyarrow.parquet.ParquetWriter(
            pyarrow.PythonFile(self._sink, mode="w"), self._schema, compression="zstd"
        )
        self._gathered: list[Record] = []

    def begin(self) -> bytes:
        """The magic bytes of the format."""
        return self._sink.drain()

    def write(self, records: Sequence[Record]) -> bytes:
        """The bytes of a group of records, once there are enough for one."""
        self._gathered += records
        if len(self._gathered) >= ROW_GROUP:
            self._write_group()
        return self._sink.drain()

    def end(self) -> bytes:
        """The last group, and the index of all groups."""
        if self._gathered:
            self._write_group()
        self._writer.close()
        return self._sink.drain()

    def _write_group(self) -> None:
        columns = [
            self._arrow.array(values, field.type)
            for values, field in zip(zip(*self._gathered, strict=True), self._schema, strict=True)
        ]
        self._writer.write_table(self._arrow.Table.from_arrays(columns, schema=self._schema))
        self._gathered = []


class _Sink(RawIOBase):
    """The file that pyarrow writes to; `drain` removes what was written."""

    def __init__(self) -> None:
        self._waiting = bytearray()
        self._position = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        before = len(self._waiting)
        self._waiting += data
        written = len(self._waiting) - before
        self._position += written
        return written

    def tell(self) -> int:
        return self._position

    def drain(self) -> bytes:
        """The bytes written since the last call."""
        drained = bytes(self._waiting)
        self._waiting.clear()
        return drained
