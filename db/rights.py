"""The role of the service and what it may do: it can't rewrite history.

`croupier migrate` makes both right, also where a copy of the database was restored in another
cluster, which has no such role, or has it without its rights. The role can't log in with a password
until an administrator sets one.
"""

from typing import Any

import psycopg
from psycopg import sql

RUNTIME_ROLE = "croupier_service"

VERSION_TABLE = "croupier_version"
"""Alembic's own name for it is that of every program that uses Alembic."""

RIGHTS = {
    "journal": {"SELECT", "INSERT"},
    "shoe": {"SELECT", "INSERT"},
    "round_summary": {"SELECT", "INSERT"},
    "round_void": {"SELECT", "INSERT"},
    "rule_set": {"SELECT", "INSERT"},
    "table_head": {"SELECT", "INSERT", "UPDATE"},
    "operator": {"SELECT", "INSERT", "UPDATE"},
    "seat": {"SELECT", "INSERT", "UPDATE", "DELETE"},
    "serving_time": {"SELECT", "UPDATE"},
    "interruption": {"SELECT", "INSERT"},
    "events": {"SELECT"},
    VERSION_TABLE: {"SELECT"},
}
"""What the role may do with each relation, and no more."""

_ALL = ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "TRIGGER", "REFERENCES")

_HELD = """
SELECT relation, wanted FROM unnest(%(relations)s::text[]) AS relation,
       unnest(%(all)s::text[]) AS wanted
WHERE has_table_privilege(%(role)s, relation, wanted)
"""


def mend_rights(connection: psycopg.Connection[Any]) -> str:
    """Make the role, and give it exactly its rights; a sentence on what could not be done, or "".

    Who runs this owns the relations. Making the role needs CREATEROLE, or a superuser.
    """
    if not _has_role(connection):
        try:
            with connection.transaction():
                connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(_ROLE))
        except (psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
            pass  # made meanwhile, for another database of this cluster
        except psycopg.errors.InsufficientPrivilege:
            return (
                f"the role {RUNTIME_ROLE} does not exist, and this one may not make it: run"
                f" `CREATE ROLE {RUNTIME_ROLE} LOGIN` as an administrator, then this again"
            )
    held = _rights(connection)
    for relation, wanted in RIGHTS.items():
        if held[relation] != wanted:
            named = sql.Identifier(relation)
            rights = sql.SQL(", ").join(sql.SQL(right) for right in sorted(wanted))
            connection.execute(sql.SQL("REVOKE ALL ON {} FROM {}").format(named, _ROLE))
            connection.execute(sql.SQL("GRANT {} ON {} TO {}").format(rights, named, _ROLE))
    still = _rights(connection)
    wrong = [relation for relation, wanted in RIGHTS.items() if still[relation] != wanted]
    if wrong:
        return (
            f"{RUNTIME_ROLE} has other rights than it should on {', '.join(wrong)}, which PUBLIC or"
            " another role gives it: revoke them there"
        )
    return ""


_ROLE = sql.Identifier(RUNTIME_ROLE)


def _has_role(connection: psycopg.Connection[Any]) -> bool:
    found = connection.execute("SELECT FROM pg_roles WHERE rolname = %s", [RUNTIME_ROLE])
    return found.rowcount > 0


def _rights(connection: psycopg.Connection[Any]) -> dict[str, set[str]]:
    asked = {"relations": list(RIGHTS), "all": list(_ALL), "role": RUNTIME_ROLE}
    held: dict[str, set[str]] = {relation: set() for relation in RIGHTS}
    for relation, right in connection.execute(_HELD, asked):
        held[relation].add(right)
    return held
