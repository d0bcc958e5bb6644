"""What is said of a database that is not migrated, or not far enough."""

import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from db.migrate import require_schema
from db.schema import newest_revision
from service.journal.ports import StoreUnavailable
from tests.database import Databases

CROUPIER = Path(sys.executable).parent / "croupier"


def set_revision(conninfo: str, revision: str) -> None:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("UPDATE croupier_version SET version_num = %s", [revision])


def test_a_database_without_a_schema(databases: Databases) -> None:
    empty = databases.create_empty()
    with pytest.raises(StoreUnavailable, match=r"no schema of Croupier.*`croupier migrate`"):
        require_schema(databases.conninfo(empty))
    databases.drop(empty)


def test_an_older_schema_will_not_do_and_a_newer_one_will(
    owner_database: str, database: str
) -> None:
    require_schema(database)
    set_revision(owner_database, "9999")
    require_schema(database)
    set_revision(owner_database, "0001")
    with pytest.raises(StoreUnavailable, match=rf"schema 0001.*needs {newest_revision()}"):
        require_schema(database)


def test_a_migration_that_is_refused_says_why_in_a_line(databases: Databases) -> None:
    empty = databases.create_empty()
    done = subprocess.run(
        [CROUPIER, "migrate", databases.runtime_conninfo(empty)],
        capture_output=True,
        timeout=60,
        text=True,
    )
    databases.drop(empty)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "croupier: permission denied for schema public: connect as a role that has this right"
    ]
