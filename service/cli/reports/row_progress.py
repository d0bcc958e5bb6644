"""Progress on standard error: a bar on a terminal, else a line every few seconds."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

SECONDS_BETWEEN_LINES = 5.0


@contextmanager
def showing_progress(rows: int) -> Iterator[Callable[[int], object]]:
    """Show how many of `rows` were read; the function is called with each further number."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield _Lines(console, rows).advance
        return
    columns = (TextColumn("rows"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("rows", total=rows)
        yield lambda read: bar.advance(task, read)


class _Lines:
    def __init__(self, console: Console, rows: int) -> None:
        self._console = console
        self._rows = rows
        self._read = 0
        self._told = time.monotonic()

    def advance(self, read: int) -> None:
        self._read += read
        now = time.monotonic()
        if now - self._told >= SECONDS_BETWEEN_LINES:
            self._told = now
            self._console.print(f"{self._read} of {self._rows} rows")
