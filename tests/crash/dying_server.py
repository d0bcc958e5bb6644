"""`croupier serve` that dies on command, by a signal that nobody can catch, beside an append.

The product has no such hook: this script puts a store that dies in the place of PostgreSQL's and
runs the command line as it is. A file that the environment names holds the order: one of the points
below. The process renames it just before it dies, so that the test knows that it was obeyed.
"""

import os
import signal
from collections.abc import Sequence
from pathlib import Path

import db.event_store
from db.event_store import PostgresStore
from service.cli.app import main
from service.journal.ports import Append, Outcome

ORDER = "TEST_DIE_AT"
BEFORE_THE_SEND = "before the send"
AFTER_THE_COMMIT = "after the commit, before the reply"


def obeyed(order: Path) -> Path:
    """What the order is renamed to."""
    return order.with_name("obeyed")


def die_if_told(point: str) -> None:
    """End this process if the order names this point."""
    order = Path(os.environ[ORDER])
    if order.exists() and order.read_text() == point:
        order.rename(obeyed(order))
        os.kill(os.getpid(), signal.SIGKILL)


class DyingStore(PostgresStore):
    """PostgreSQL's store with two points to die at."""

    async def append(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        """Append, if nobody wishes otherwise."""
        die_if_told(BEFORE_THE_SEND)
        outcomes = await super().append(appends)
        die_if_told(AFTER_THE_COMMIT)
        return outcomes


if __name__ == "__main__":
    db.event_store.PostgresStore = DyingStore  # type: ignore[misc]
    main()
