"""Reaching a database for a look: one that is named, or an embedded server's data, beside a service
that runs or without one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.errors import InsufficientPrivilege, UndefinedTable

from db.embedded.data_folder import DataFolder, ServerUser
from db.embedded.server import DATABASE, EmbeddedPostgres, EmbeddedServerError
from db.migrate import RUNTIME_ROLE
from service.journal.ports import StoreUnavailable


@contextmanager
def plain_refusals(conninfo: str) -> Iterator[str]:
    """How to connect, once the server has answered. Whatever it refuses then or later is said in
    one line, as StoreUnavailable."""
    try:
        psycopg.connect(conninfo, connect_timeout=5).close()
        yield conninfo
    except psycopg.Error as error:
        raise StoreUnavailable(in_one_line(error)) from error


def in_one_line(error: psycopg.Error) -> str:
    """What a database refused, and what would help."""
    said = str(error).strip().partition("\n")[0]
    match error:
        case UndefinedTable():
            return f"{said}: it is no database of Croupier, or `croupier migrate` was not run"
        case InsufficientPrivilege():
            return f"{said}: connect as a role that has this right"
    return said


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
