"""Progress of an export on standard error: a bar on a terminal, else a line every few seconds.

How many rows there will be is not known before they are read; how much of the time is.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from service.records.export.export import Piece
from service.records.export.formats import iso_time

SECONDS_BETWEEN_LINES = 5.0


@contextmanager
def showing_progress() -> Iterator[Callable[[Piece], None]]:
    """Show how far an export is; the function is called with each piece."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield _Lines(console).show
        return
    columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console, transient=True) as bar:
        yield _Bar(bar).show


class _Bar:
    """A bar from the time of the first rows to that at which the file ends."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task = bar.add_task("rows", total=None)
        self._first = 0

    def show(self, piece: Piece) -> None:
        if not piece.records:
            return
        self._first = self._first or piece.at
        self._bar.update(
            self._task,
            total=piece.until - self._first,
            completed=piece.at - self._first,
            description=f"{piece.records} rows, up to {iso_time(piece.at)}",
        )


class _Lines:
    def __init__(self, console: Console) -> None:
        self._console = console
        self._told = time.monotonic()

    def show(self, piece: Piece) -> None:
        now = time.monotonic()
        if now - self._told >= SECONDS_BETWEEN_LINES:
            self._told = now
            self._console.print(f"{piece.records} rows, up to {iso_time(piece.at)}")
