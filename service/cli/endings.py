"""How a command ends that can't do what it was asked.

What whoever runs it can put right is said in one line, and ends the process with status 1 (`verify`
has a status of its own for it). Anything else that nobody foresaw is a fault of the program: its
trace is shown, and the status is 70, so that a script can tell the two apart.
"""

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from service.errors import Mendable, NotAllowed

CAN_BE_MENDED = 1
FAULT_OF_THE_PROGRAM = 70
"""EX_SOFTWARE of sysexits.h."""
READER_GONE = 141
"""What a shell shows for a program that writes to a pipe nobody reads any more (SIGPIPE)."""


@contextmanager
def ending(status: int = CAN_BE_MENDED) -> Iterator[None]:
    """Run a command; also usable as a decorator."""
    try:
        yield
    except (Mendable, NotAllowed) as error:
        typer.echo(f"croupier: {error}", err=True)
        sys.exit(status)
    except (typer.Exit, typer.Abort, typer.BadParameter):
        raise  # typer's own: an argument, help, Ctrl-C at a prompt
    except BrokenPipeError:
        # Python would try to write the rest once more at its end, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(READER_GONE)
    except Exception:  # noqa: BLE001 - a fault of the program: shown whole
        traceback.print_exc()
        sys.exit(FAULT_OF_THE_PROGRAM)
