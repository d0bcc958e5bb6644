"""How a command ends that cannot do what it was asked."""

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import typer


@contextmanager
def plain_errors(status: int = 1) -> Iterator[None]:
    """What an operator can mend is said in one line, and ends the process with a status; a fault of
    the program ends it with the same status, and says where it is."""
    from db.embedded.server import EmbeddedServerError
    from service.journal.ports import StoreUnavailable
    from service.keys.key_file import KeysMissing

    try:
        yield
    except (EmbeddedServerError, KeysMissing, StoreUnavailable, ValueError, OSError) as error:
        typer.echo(f"croupier: {error}", err=True)
        sys.exit(status)
    except Exception:
        if status == 1:
            raise  # Python's own status for what nobody foresaw
        traceback.print_exc()
        sys.exit(status)
