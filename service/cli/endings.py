"""How a command ends that can't do what it was asked.

What whoever runs it can put right is said in one line, and ends the process with status 1 (for
`verify`, `hands` and `simulate`: 2). Anything else, also a refusal that no argument caused, is a
fault of the program: its trace is shown, and the status is 70, so that a script can tell the two
apart.
"""

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from service.cli.output import ReaderGone
from service.errors import Mendable

CAN_BE_MENDED = 1
UNANSWERED = 2
"""The same for commands that use 1 for what they found: here they found out nothing."""
FAULT_OF_THE_PROGRAM = 70
"""EX_SOFTWARE of sysexits.h."""
READER_GONE = 141
"""What a shell shows for a program that writes to a pipe nobody reads any more (SIGPIPE)."""


@contextmanager
def ending(status: int = CAN_BE_MENDED) -> Iterator[None]:
    """Run a command; also usable as a decorator."""
    try:
        with _last_words():
            yield
    except Mendable as error:
        typer.echo(f"croupier: {_in_one_line(error)}", err=True)
        sys.exit(status)
    except (typer.Exit, typer.Abort, typer.BadParameter):
        raise  # typer's own: an argument, help, Ctrl-C at a prompt
    except (BrokenPipeError, ReaderGone):
        sys.exit(READER_GONE)
    except Exception:  # noqa: BLE001 - a fault of the program: shown whole
        traceback.print_exc()
        sys.exit(FAULT_OF_THE_PROGRAM)


@contextmanager
def _last_words() -> Iterator[None]:
    """Write what is still buffered while an error can be told."""
    try:
        yield
    except (typer.Exit, SystemExit):
        sys.stdout.flush()
        raise
    sys.stdout.flush()


def _in_one_line(error: Mendable) -> str:
    return " ".join(line.strip() for line in str(error).splitlines() if line.strip())
