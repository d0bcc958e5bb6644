"""Poolers between this program and PostgreSQL (PgBouncer and others).

One that gives a client the same connection for as long as it stays (session mode) is as good as the
server. One that gives it another for each transaction is not: prepared statements meet those of
other clients, and what is set for a session stays behind for the next client.
"""

import threading

import psycopg

from service.journal.ports import StoreUnavailable

ANSWER_SECONDS = 5.0

_PROCESS = "SELECT pg_backend_pid()"


def require_sessions(conninfo: str) -> None:
    """Raise StoreUnavailable if a pooler in between does not keep sessions.

    Raises psycopg.Error if the database can't be reached.
    """
    with psycopg.connect(conninfo, connect_timeout=5, autocommit=True) as one:
        # A server tells a client its process when it connects; a pooler tells a number of its own.
        if _process(one) == one.info.backend_pid:
            return
        asked: list[bool] = []
        asking = threading.Thread(target=lambda: asked.append(_keeps(one, conninfo)), daemon=True)
        asking.start()
        asking.join(ANSWER_SECONDS)
    if asked != [True]:
        raise StoreUnavailable(
            "the pooler in front of the database does not keep a session for each connection: set"
            " it to session mode (PgBouncer: pool_mode = session) with enough connections, or name"
            " the database itself"
        )


def _keeps(one: psycopg.Connection[tuple[object, ...]], conninfo: str) -> bool:
    """Whether two connections that take turns unevenly each keep a process of their own."""
    with psycopg.connect(conninfo, connect_timeout=5, autocommit=True) as other:
        turns = [(each, _process(each)) for each in (one, one, other, other, one, other)]
    return (
        len({(id(each), process) for each, process in turns})
        == len({process for _, process in turns})
        == 2
    )


def _process(connection: psycopg.Connection[tuple[object, ...]]) -> object:
    found = connection.execute(_PROCESS).fetchone()
    return found[0] if found else None
