"""The heads of all tables in one snapshot, for a digest: read in order, never all in memory.

One statement sees one snapshot, however long it takes to read its rows through a server-side
cursor. It blocks no one.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from db.reach import in_one_line
from service.journal.ports import StoreUnavailable

NOW = "SELECT (extract(epoch FROM now()) * 1000000)::bigint"
HEADS = "SELECT table_id, version, hash FROM table_head"
ROWS_AT_ONCE = 5000

HeadRow = tuple[str, int, bytes]


@contextmanager
def snapshot_of_heads(conninfo: str, operator: str) -> Iterator[tuple[int, Iterator[HeadRow]]]:
    """The time (microseconds since 1970), and the heads of an operator's tables (empty: of all) at
    that time, ascending by table id: id, version and hash.

    Raises StoreUnavailable when the database cannot be reached, or is not a Croupier database.
    """
    query = f"{HEADS}{' WHERE operator = %(operator)s' if operator else ''} ORDER BY table_id"
    try:
        with psycopg.connect(conninfo, connect_timeout=10) as connection:
            connection.read_only = True
            row = connection.execute(NOW).fetchone()
            if row is None:
                raise AssertionError("the database always has a time")
            with connection.cursor("heads") as cursor:
                cursor.itersize = ROWS_AT_ONCE
                cursor.execute(query, {"operator": operator}, binary=True)
                yield int(row[0]), iter(cursor)
    except psycopg.Error as error:
        raise StoreUnavailable(in_one_line(error)) from error
