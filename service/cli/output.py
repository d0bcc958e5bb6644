"""Standard output: errors of writing to it are not faults of the program.

A full disk, or a closed descriptor, is raised as FileTrouble, whatever code prints.
"""

import io
import os
import sys
from typing import TYPE_CHECKING

from service.errors import Signal, using

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

NAME = "standard output"
_DESCRIPTOR = 1


class ReaderGone(Signal):
    """The reader of standard output has closed it. At a BrokenPipeError, rich would end with 1."""


def watch_standard_output() -> None:
    """From now on, errors of writing to standard output are FileTrouble or ReaderGone."""
    if sys.stdout is None:  # it was closed when the process began
        _keep_descriptor()
        sys.stdout = _watched("utf-8", "backslashreplace", line_buffering=False)
        return
    before = sys.stdout
    before.flush()
    sys.stdout = _watched(
        before.encoding, before.errors or "strict", line_buffering=before.isatty()
    )


def _keep_descriptor() -> None:
    """Keep the descriptor of standard output from other files; writing to it fails."""
    unwritable = os.open(os.devnull, os.O_RDONLY)
    if unwritable != _DESCRIPTOR:
        os.dup2(unwritable, _DESCRIPTOR)
        os.close(unwritable)


def _watched(encoding: str, errors: str, *, line_buffering: bool) -> io.TextIOWrapper:
    buffer = io.BufferedWriter(_Watched(_DESCRIPTOR, "wb", closefd=False))
    return io.TextIOWrapper(buffer, encoding, errors, line_buffering=line_buffering)


class _Watched(io.FileIO):
    _failed = False

    def write(self, data: "ReadableBuffer", /) -> int:
        if self._failed:
            return memoryview(
                data
            ).nbytes  # reported already: the interpreter tries again at its end
        self._failed = True
        try:
            with using(NAME):
                written = super().write(data)
        except BrokenPipeError as error:
            raise ReaderGone(NAME) from error
        self._failed = False
        return written
