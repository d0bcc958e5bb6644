"""Bring a database's schema to the newest revision."""

from importlib import resources

import psycopg

from service.journal.ports import StoreUnavailable

# The role of the service, which can't rewrite history; the first revision creates it.
RUNTIME_ROLE = "croupier_service"

# Services that start at the same time on one database take turns. Only migrations use an advisory
# lock.
MIGRATION_LOCK = 0x63726F7570696572


def newest_revision() -> str:
    """The newest revision: each file's name begins with its number."""
    versions = resources.files("db.migrations") / "versions"
    return max(each.name for each in versions.iterdir() if each.name.endswith(".py"))[:4]


def require_schema(conninfo: str) -> None:
    """Raise StoreUnavailable unless the database has the schema that this release needs, or a newer
    one."""
    found, needed = current_revision(conninfo), newest_revision()
    if found is None or found < needed:
        raise StoreUnavailable(
            f"the database has {f'schema {found}' if found else 'no schema of Croupier'}, and this"
            f" release needs {needed}: run `croupier migrate` as its owner"
        )


def migrate(conninfo: str) -> None:
    """Run every missing revision, all or none, as the role in `conninfo`.

    Raises psycopg.Error if the database refuses one.
    """
    # Importing Alembic takes longer than starting a service, and it is rarely needed.
    if current_revision(conninfo) == newest_revision():
        return
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
    try:
        with engine.begin() as connection:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except DBAPIError as error:
        raise (error.orig or error) from error


def current_revision(conninfo: str) -> str | None:
    """The revision of a database; None if it has no schema."""
    with psycopg.connect(conninfo) as connection:
        try:
            found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        except psycopg.errors.UndefinedTable:
            return None
    return found[0] if found else None
