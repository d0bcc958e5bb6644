"""Writers and readers of a feed in processes of their own, the readers killed again and again."""

import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from collections.abc import Iterator

SILENT_SECONDS = 20.0
"""How long nothing may come while rows are still missing."""


class FeedFault(AssertionError):
    """The feed left a row out, or delivered rows out of order."""


@dataclass
class Reader:
    """A reader, its folder, and how often it was killed."""

    conninfo: str
    folder: Path
    kills: int = 0

    def start(self) -> "subprocess.Popen[bytes]":
        return _start("tests.history.feed_reader", self.conninfo, str(self.folder))

    def kill(self, process: "subprocess.Popen[bytes]") -> None:
        """End a life of the reader's."""
        assert process.poll() is None, "the reader ended by itself"
        process.kill()
        process.wait()
        self.kills += 1

    def handled(self) -> list[tuple[str, str, int, int]]:
        """Each row that was handled: in which life, its table, version and time."""
        log = self.folder / "handled"
        lines = log.read_text().splitlines() if log.exists() else []
        rows = [line.split() for line in lines]
        return [(life, table_id, int(version), int(at)) for life, table_id, version, at in rows]


@dataclass
class Findings:
    """What a run came to."""

    rows: int = 0
    tables: int = 0
    kills: int = 0
    repeated: int = 0
    inverted: int = 0
    """Rows that were committed after one with a later time."""

    def __str__(self) -> str:
        return (
            f"{self.rows} rows of {self.tables} tables, {self.inverted} of them committed after"
            f" a later one; readers killed {self.kills} times, {self.repeated} rows delivered again"
        )


def run(
    conninfo: str, owner: str, *, writers: int, tables: int, seconds: float, seed: str
) -> Findings:
    """Write with so many processes for so long, kill readers meanwhile, then hold what they have
    handled against what there is. Raises FeedFault if a row is missing or out of order."""
    choose = random.Random(seed)
    findings = Findings()
    with tempfile.TemporaryDirectory() as name:
        readers = [Reader(conninfo, Path(name) / each) for each in ("one", "two")]
        for reader in readers:
            reader.folder.mkdir()
        with _writing(conninfo, writers, tables, seconds) as processes:
            while any(process.poll() is None for process in processes):
                lives = [(reader, reader.start()) for reader in readers]
                for reader, process in lives:
                    time.sleep(choose.uniform(0.5, 1.5))
                    reader.kill(process)
        assert [process.returncode for process in processes] == [0] * writers
        with psycopg.connect(owner) as database:
            written = _written(database)
        for reader in readers:
            _read_to_the_end(reader, sum(written.values()))
            handled = reader.handled()
            _check(handled, written)
            findings.kills += reader.kills
            findings.repeated += len(handled) - sum(written.values())
        with psycopg.connect(owner) as database:
            findings.inverted = _inverted(database)
        findings.rows, findings.tables = sum(written.values()), len(written)
    return findings


@contextmanager
def _writing(
    conninfo: str, writers: int, tables: int, seconds: float
) -> "Iterator[list[subprocess.Popen[bytes]]]":
    processes = [
        _start("tests.history.feed_writer", conninfo, f"w{n}", str(tables), str(seconds))
        for n in range(writers)
    ]
    try:
        yield processes
    finally:
        for process in processes:
            process.kill() if process.poll() is None else None
            process.wait()


def _start(module: str, *arguments: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-m", module, *arguments])


def _written(database: "psycopg.Connection[tuple[object, ...]]") -> dict[str, int]:
    """How many rows the house's tables have."""
    found = database.execute(
        "SELECT table_id, version FROM table_head WHERE operator = 'house' AND version > 0"
    ).fetchall()
    return {str(table_id): int(str(version)) for table_id, version in found}


def _inverted(database: "psycopg.Connection[tuple[object, ...]]") -> int:
    """How many rows were inserted after one with a later time, by the order of transaction ids."""
    found = database.execute(
        "SELECT count(*) FROM (SELECT at, max(at) OVER (ORDER BY xmin::text::bigint"
        " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM journal) AS rows"
        " WHERE at < before"
    ).fetchone()
    assert found is not None
    return int(str(found[0]))


def _read_to_the_end(reader: Reader, rows: int) -> None:
    """Let a reader live until it has handled as many different rows as there are."""
    process = reader.start()
    last, came = 0, time.monotonic()
    try:
        while (handled := len({row[1:3] for row in reader.handled()})) < rows:
            assert process.poll() is None, "the reader ended by itself"
            if handled > last:
                last, came = handled, time.monotonic()
            elif time.monotonic() > came + SILENT_SECONDS:
                raise FeedFault(f"{rows - handled} of {rows} rows are missing from the feed")
            time.sleep(0.2)
    finally:
        process.kill()
        process.wait()


def _check(handled: list[tuple[str, str, int, int]], written: dict[str, int]) -> None:
    """Every row has come, nothing else, and each table's rows in their order: strictly within one
    life of the reader, and across lives never a row before the one that it follows."""
    expected = {
        (table_id, version) for table_id, last in written.items() for version in range(1, last + 1)
    }
    if extra := {row[1:3] for row in handled} ^ expected:
        raise FeedFault(f"rows that are missing, or nobody's: {sorted(extra)[:5]}")
    newest: dict[str, int] = defaultdict(int)
    last_in_life: dict[str, tuple[int, str, int]] = {}
    for life, table_id, version, at in handled:
        if version > newest[table_id] + 1:
            raise FeedFault(f"row {version} of {table_id} came before the one that it follows")
        newest[table_id] = max(newest[table_id], version)
        key = (at, table_id, version)
        if key <= last_in_life.get(life, (0, "", 0)):
            raise FeedFault(f"row {version} of {table_id} came out of order, or again")
        last_in_life[life] = key
