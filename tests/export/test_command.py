"""`croupier export`: the file, what it says, and what becomes of it when it fails."""

import asyncio
import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow.parquet
import pytest
from rich.console import Console

from service.cli.reports import export_progress as progress
from service.cli.reports.export import moment, run_export
from service.cli.reports.export_progress import showing_progress
from service.journal.ports import StoreUnavailable
from service.records.export.export import Piece
from tests.database import Databases
from tests.export.conftest import Played

CROUPIER = Path(sys.executable).parent / "croupier"


def croupier(*arguments: str, status: int = 0) -> "subprocess.CompletedProcess[bytes]":
    done = subprocess.run(
        [CROUPIER, "export", *arguments], capture_output=True, timeout=60, env={**os.environ}
    )
    assert done.returncode == status, done.stderr.decode()
    return done


def test_rounds_to_standard_output(played: Played) -> None:
    done = croupier("rounds", "--operator", "house", "--database", played.database)
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode(), newline="")))
    assert {row["table_id"] for row in rows} == set(played.tables)
    assert done.stderr.decode().startswith(f"{len(rows)} rows, all before 20")
    nobody = croupier("rounds", "--operator", "nobody", "--database", played.database)
    assert len(nobody.stdout.splitlines()) == 1


def test_the_format_is_that_of_the_file(played: Played, tmp_path: Path) -> None:
    table = ("--table", played.tables[0], "--database", played.database)
    lines = tmp_path / "events.jsonl"
    croupier("events", *table, "--out", str(lines))
    parquet = tmp_path / "events.parquet"
    croupier("events", *table, "--out", str(parquet))
    events = [json.loads(line) for line in lines.read_text().splitlines()]
    read = pyarrow.parquet.read_table(parquet).to_pylist()
    assert [json.loads(row["event"]) for row in read] == [row["event"] for row in events] != []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["events.jsonl", "events.parquet"]


def test_a_window_of_time(played: Played) -> None:
    whole = croupier("events", "--database", played.database).stdout.decode()
    rows = list(csv.DictReader(io.StringIO(whole, newline="")))
    middle = rows[len(rows) // 2]["record_time"]
    parts = [
        croupier("events", *window, "--database", played.database).stdout.decode()
        for window in (("--to", middle), ("--from", middle))
    ]
    first, second = (list(csv.DictReader(io.StringIO(part, newline=""))) for part in parts)
    assert first + second == rows
    assert first
    assert second[0]["record_time"] == middle
    nothing = croupier("events", "--to", "1970-01-01", "--database", played.database)
    assert len(nothing.stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--format", "xlsx"), "'xlsx' is not a format: there are csv, jsonl, parquet"),
        (("--from", "yesterday"), "'yesterday' is not a time, as in 2026-01-31T12:00:00Z"),
        (("--out", "/nowhere/at/all.csv"), "No such file or directory"),
    ],
)
def test_what_can_be_mended_is_said_in_a_line(
    played: Played, arguments: tuple[str, ...], said: str
) -> None:
    done = croupier("events", *arguments, "--database", played.database, status=1)
    (line,) = done.stderr.decode().splitlines()
    assert said in line


def test_a_database_that_is_none_of_ours_is_said_in_a_line(databases: Databases) -> None:
    empty = databases.create_empty()
    done = croupier("rounds", "--database", databases.conninfo(empty), status=1)
    databases.drop(empty)
    (line,) = done.stderr.decode().splitlines()
    assert "or `croupier migrate` was not run" in line


def test_a_file_that_could_not_be_finished_is_not_left_behind(tmp_path: Path) -> None:
    async def breaking_off() -> AsyncGenerator[Piece, None]:
        yield Piece(b"a,b\n", 0, 0, 0)
        raise StoreUnavailable("the database is away")

    out = tmp_path / "rounds.csv"
    out.write_text("of last week\n")
    with pytest.raises(StoreUnavailable):
        asyncio.run(run_export(breaking_off(), str(out)))
    assert [path.name for path in tmp_path.iterdir()] == ["rounds.csv"]
    assert out.read_text() == "of last week\n"


async def whole() -> AsyncGenerator[Piece, None]:
    yield Piece(b"a,b\n", 0, 0, 0)


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as reader:
        read = reader.submit(pipe.read_bytes)
        asyncio.run(run_export(whole(), str(pipe)))
        assert read.result(10) == b"a,b\n"
    assert pipe.is_fifo()


def test_a_link_still_leads_to_the_file(tmp_path: Path) -> None:
    out = tmp_path / "of-today.csv"
    out.write_text("before\n")
    link = tmp_path / "newest.csv"
    link.symlink_to(out)
    asyncio.run(run_export(whole(), str(link)))
    assert link.readlink() == out
    assert out.read_text() == "a,b\n"


def test_times_without_a_zone_are_utc() -> None:
    assert moment("2026-01-01T00:00:00.000001") == moment("2026-01-01T01:00:00.000001+01:00")
    assert moment("1969-12-31") == -86_400_000_000


def test_progress_without_a_terminal_is_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    with showing_progress() as show:
        show(Piece(b"", 500, 1_767_225_600_000_001, 1_767_225_600_000_002))
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == "500 rows, up to 2026-01-01T00:00:00.000001Z\n"


def test_progress_on_a_terminal_is_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Console(file=io.StringIO(), force_terminal=True, width=100, color_system=None)
    monkeypatch.setattr(progress, "Console", lambda **_: screen)
    first, until = 1_767_225_600_000_000, 1_767_225_640_000_000
    with showing_progress() as show:
        for piece in (
            Piece(b"", 0, 0, until),
            Piece(b"", 500, first, until),
            Piece(b"", 900, first + (until - first) // 4, until),
        ):
            show(piece)
    shown = screen.file.getvalue()  # type: ignore[attr-defined]
    assert "25% 900 rows, up to 2026-01-01T00:00:10.000000Z" in shown
