"""Bring a database's schema to the newest revision, and the role of the service to its rights."""

from typing import Any

import psycopg

from db.rights import RUNTIME_ROLE, VERSION_TABLE, mend_rights
from db.schema import current_revision, is_newer, newest_revision, rename_version_table
from service.journal.ports import StoreUnavailable

__all__ = ["RUNTIME_ROLE", "migrate", "require_schema"]

# Services that start at the same time on one database take turns. Only migrations use an advisory
# lock.
MIGRATION_LOCK = 0x63726F7570696572


def require_schema(conninfo: str) -> None:
    """Raise StoreUnavailable unless the database has the schema that this release needs, or a newer
    one."""
    with psycopg.connect(conninfo) as connection:
        found = current_revision(connection)
    needed = newest_revision()
    if found is None or (found != needed and not is_newer(found)):
        raise StoreUnavailable(
            f"the database has {f'schema {found}' if found else 'no schema of Croupier'}, and this"
            f" release needs {needed}: run `croupier migrate` as its owner"
        )


def migrate(conninfo: str) -> str:
    """Run every missing revision and mend the rights of the role, all or none, as the role in
    `conninfo`; a sentence on rights that could not be mended, or "". A schema of a newer release is
    left as it is.

    Raises psycopg.Error if the database refuses, and StoreUnavailable if it is another program's.
    """
    with psycopg.connect(conninfo) as connection:
        _take_turns(connection)
        found = current_revision(connection)
        if found is not None and is_newer(found):
            return ""
        if found == newest_revision():
            rename_version_table(connection)
            return mend_rights(connection)
    return _upgrade(conninfo)


def _upgrade(conninfo: str) -> str:
    # Importing Alembic takes longer than starting a service, and it is rarely needed.
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import create_engine
    from sqlalchemy.exc import DBAPIError
    from sqlalchemy.pool import NullPool

    engine = create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(conninfo), poolclass=NullPool
    )
    config = Config()
    config.set_main_option("script_location", "db:migrations")
    config.attributes["version_table"] = VERSION_TABLE
    try:
        with engine.begin() as bound:
            connection = bound.connection.driver_connection
            if not isinstance(connection, psycopg.Connection):
                raise TypeError("this engine is not one of psycopg")
            _take_turns(connection)
            rename_version_table(connection)
            config.attributes["connection"] = bound
            command.upgrade(config, "head")
            return mend_rights(connection)
    except DBAPIError as error:
        raise (error.orig or error) from error


def _take_turns(connection: psycopg.Connection[Any]) -> None:
    connection.execute("SELECT pg_advisory_xact_lock(%s)", [MIGRATION_LOCK])
