"""How a command ends that cannot do what it was asked."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer


@contextmanager
def plain_errors() -> Iterator[None]:
    """What an operator can mend is said in one line, and ends the process with status 1."""
    from db.embedded import EmbeddedServerError
    from service.app.ports import StoreUnavailable
    from service.keys import KeysMissing

    try:
        yield
    except (EmbeddedServerError, KeysMissing, StoreUnavailable, ValueError, OSError) as error:
        typer.echo(f"croupier: {error}", err=True)
        sys.exit(1)
