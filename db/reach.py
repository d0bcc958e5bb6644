"""Reaching an embedded server's data for a look: beside a service that runs, or without one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from db.data_folder import DataFolder, ServerUser
from db.embedded import DATABASE, EmbeddedPostgres, EmbeddedServerError
from db.migrate import RUNTIME_ROLE


@contextmanager
def reach(folder: Path, user: str = RUNTIME_ROLE) -> Iterator[str]:
    """How to connect, as a role, to the database in a data folder.

    The server that a service runs on it now is used; else one is started, and stopped at the end.
    Raises EmbeddedServerError when the folder holds no data, or cannot be used.
    """
    place = DataFolder(folder, ServerUser.current())
    if not (place.pgdata / "PG_VERSION").exists():
        raise EmbeddedServerError(
            f"{place.path} holds no data: name a data folder (CROUPIER_DATA_FOLDER) or a database"
        )
    running = make_conninfo(host=str(place.socket_folder()), port=5432, dbname=DATABASE, user=user)
    if _answers(running):
        yield running
        return
    with EmbeddedPostgres(folder) as server:
        yield server.conninfo(user=user)


def _answers(conninfo: str) -> bool:
    try:
        psycopg.connect(conninfo, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True
