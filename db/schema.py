"""Whose schema a database has, and of which release: compared by identity, not as text."""

from importlib import resources
from typing import Any

import psycopg

from db.rights import RIGHTS, VERSION_TABLE
from service.journal.ports import StoreUnavailable

_FORMER_VERSION_TABLE = "alembic_version"
"""Its name until 0.1.0."""

_OWN_MARKS = ("journal", "table_head", "shoe")
"""Relations by which a schema with the former version table is ours."""

_OTHERS = """
SELECT relname FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
  AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
ORDER BY relname LIMIT 4
"""


def revisions() -> list[str]:
    """Every revision that this release knows, the oldest first: each file's name begins with it."""
    versions = resources.files("db.migrations") / "versions"
    return sorted(each.name[:4] for each in versions.iterdir() if each.name.endswith(".py"))


def newest_revision() -> str:
    """The revision that this release needs."""
    return revisions()[-1]


def current_revision(connection: psycopg.Connection[Any]) -> str | None:
    """The revision of a database; None if it is empty.

    Raises StoreUnavailable if it holds another program's schema, or ours without some relations.
    """
    for table in (VERSION_TABLE, _FORMER_VERSION_TABLE):
        if not _exists(connection, table):
            continue
        found = connection.execute(f"SELECT version_num FROM {table}").fetchone()
        if table == VERSION_TABLE or all(_exists(connection, mark) for mark in _OWN_MARKS):
            revision = found[0] if found else None
            if revision == newest_revision():
                _require_whole(connection, table)
            return revision
    others = [name for (name,) in connection.execute(_OTHERS)]
    if others:
        named = ", ".join(others[:3]) + (" …" if len(others) > 3 else "")
        raise StoreUnavailable(
            f"this database holds another program's schema ({named}): name a database that is"
            " Croupier's alone"
        )
    return None


def is_newer(revision: str) -> bool:
    """Whether a revision was made by a newer release, whose schema still serves this one."""
    return revision not in revisions()


def rename_version_table(connection: psycopg.Connection[Any]) -> None:
    """Give the version table its own name, where it still has the former one."""
    if not _exists(connection, VERSION_TABLE) and _exists(connection, _FORMER_VERSION_TABLE):
        connection.execute(f"ALTER TABLE {_FORMER_VERSION_TABLE} RENAME TO {VERSION_TABLE}")


def _exists(connection: psycopg.Connection[Any], relation: str) -> bool:
    found = connection.execute("SELECT to_regclass(%s) IS NOT NULL", [relation]).fetchone()
    return found == (True,)


def _require_whole(connection: psycopg.Connection[Any], version_table: str) -> None:
    needed = [name for name in RIGHTS if name != VERSION_TABLE] + [version_table]
    missing = [name for name in needed if not _exists(connection, name)]
    if missing:
        raise StoreUnavailable(
            f"the database lacks {', '.join(missing)}: restore it whole, from a backup of all of it"
        )
