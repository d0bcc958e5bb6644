"""`croupier migrate`: the schema of a database."""

from typing import Annotated

import typer

from service.cli.endings import ending
from service.journal.ports import StoreUnavailable


@ending()
def migrate(
    database: Annotated[str, typer.Argument(help="The database, as its owner reaches it.")],
) -> None:
    """Bring a database's schema to the newest revision, and the service's role to its rights."""
    from db.migrate import migrate as run
    from db.reach import plain_refusals

    with plain_refusals(database, "the argument DATABASE"):
        undone = run(database)
    if undone:
        raise StoreUnavailable(undone)
