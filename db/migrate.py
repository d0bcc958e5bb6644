"""Bring a database's schema to the newest revision."""

import psycopg
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

# Services that start at once on one database take turns; migrations alone use an advisory lock.
MIGRATION_LOCK = 0x63726F7570696572


def migrate(conninfo: str) -> None:
    """Run every revision that the database lacks, all or none, as the role in `conninfo`."""
    engine = create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(conninfo), poolclass=NullPool
    )
    config = Config()
    config.set_main_option("script_location", "db:migrations")
    with engine.begin() as connection:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
