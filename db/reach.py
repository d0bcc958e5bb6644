"""Connecting to a database for reading: a named one, or the data of an embedded server, whether or
not a service is running on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.errors import InsufficientPrivilege, UndefinedTable

from db.connection_string import check_connection_string
from db.embedded.data_folder import DataFolder, ServerUser
from db.embedded.environment import forget_libpq_environment
from db.embedded.server import DATABASE, EmbeddedPostgres, EmbeddedServerError
from db.migrate import RUNTIME_ROLE
from db.pooler import require_sessions
from service.errors import using
from service.journal.ports import StoreUnavailable


@contextmanager
def plain_refusals(conninfo: str, place: str) -> Iterator[str]:
    """The connection string, once the server has answered. What it refuses then or later is raised
    as a StoreUnavailable of one line; a string that libpq can't read, as InputWrong. `place` is the
    argument or variable that has the string."""
    check_connection_string(conninfo, place)
    try:
        require_sessions(conninfo)
        yield conninfo
    except psycopg.Error as error:
        raise StoreUnavailable(in_one_line(error)) from error


def in_one_line(error: psycopg.Error) -> str:
    """What a database refused, and what may help."""
    said = str(error).strip().partition("\n")[0]
    match error:
        case UndefinedTable():
            return f"{said}: it is not a Croupier database, or `croupier migrate` was not run"
        case InsufficientPrivilege():
            return f"{said}: connect as a role that has this right"
    return said


@contextmanager
def reach(folder: Path, user: str = RUNTIME_ROLE) -> Iterator[str]:
    """The connection string, for a role, of the database in a data folder.

    If a service runs there, its server is used; otherwise one is started, and stopped at the end.
    Raises EmbeddedServerError when the folder has no data, or cannot be used.
    """
    forget_libpq_environment()
    place = DataFolder(folder, ServerUser.current())
    with using(place.path):
        there = (place.pgdata / "PG_VERSION").exists()
    if not there:
        raise EmbeddedServerError(
            f"{place.path} has no data: name a data folder (CROUPIER_DATA_FOLDER) or a database"
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
