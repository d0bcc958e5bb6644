"""`croupier export`: rounds or events into a file, with progress on standard error."""

import os
import sys
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractContextManager, aclosing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from service.cli.reports.export_progress import showing_progress
from service.errors import FileTrouble, InputWrong, closing, using
from service.records.export.export import Piece
from service.records.export.formats import iso_time

STANDARD_OUTPUT = "-"


async def run_export(pieces: AsyncGenerator[Piece, None], out: str) -> str:
    """Write a file, and say what is in it. A file that could not be finished is not left behind.

    `out` is a path, or `-` for standard output.
    """
    started = time.monotonic()
    with _opened(out) as file, showing_progress() as show:
        last = await _copied(pieces, file, show)
    seconds = time.monotonic() - started
    return f"{last.records} rows, all before {iso_time(last.until)}, in {seconds:.1f} seconds"


async def _copied(
    pieces: AsyncGenerator[Piece, None], file: BinaryIO, show: Callable[[Piece], None]
) -> Piece:
    last: Piece | None = None
    async with aclosing(pieces):
        async for piece in pieces:
            with using(file.name):
                file.write(piece.data)
            show(piece)
            last = piece
    with using(file.name):
        file.flush()
    if last is None:
        raise AssertionError("an export has a beginning")
    return last


@contextmanager
def _opened(out: str) -> "Iterator[BinaryIO]":
    """Standard output, or a file that gets its name when it is whole.

    A pipe or a device is written to as it is, and never replaced; nor is a link, but what it names.
    """
    if out == STANDARD_OUTPUT:
        yield sys.stdout.buffer
        return
    path = Path(os.path.realpath(out))
    with using(path):
        as_it_is = path.exists() and not path.is_file()
    if path.is_symlink():
        raise FileTrouble(f"{path}: a link to itself")
    if as_it_is:
        with _writing(path) as file:
            yield file
        return
    unfinished = path.with_name(f"{path.name}.unfinished")
    with _writing(unfinished) as file:
        try:
            yield file
            with using(path):
                file.flush()
                os.fsync(file.fileno())
                unfinished.replace(path)
        finally:
            with using(path):
                unfinished.unlink(missing_ok=True)


def _writing(path: Path) -> AbstractContextManager[BinaryIO]:
    with using(path):
        return closing(path, path.open("wb"))


def moment(text: str) -> int:
    """Microseconds since 1970 of a time in the form of ISO 8601, in UTC unless it says otherwise.

    InputWrong for anything else.

    >>> moment("2026-01-01"), moment("2026-01-01T01:00:00.5+01:00")
    (1767225600000000, 1767225600500000)
    """
    try:
        given = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputWrong(f"{text!r} is not a time, as in 2026-01-31T12:00:00Z") from error
    aware = given if given.tzinfo else given.replace(tzinfo=UTC)
    since = aware - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
