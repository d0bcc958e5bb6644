"""The journal on PostgreSQL: the port `Store`, one statement per method."""

from collections.abc import Sequence
from functools import partial

from db.append import append_all
from db.columns import READ_JOURNAL, READ_SHOE
from db.connections import Database
from db.load import load
from service.journal.ports import Append, JournalRow, Loaded, Outcome, SealedShoe

# A round's rows are between the settlements before and after it, which the key of the summaries
# finds: so no index over rounds has to be updated with every append.
JOURNAL_OF_ROUND = f"""
SELECT {READ_JOURNAL} FROM journal
WHERE table_id = %(table_id)s AND round = %(round)s
  AND version > greatest(%(after)s, (
      SELECT version FROM round_summary WHERE table_id = %(table_id)s AND round < %(round)s
      ORDER BY round DESC, seat DESC LIMIT 1))
  AND version <= least(%(to)s, (
      SELECT version FROM round_summary WHERE table_id = %(table_id)s AND round > %(round)s
      ORDER BY round, seat LIMIT 1))
ORDER BY version LIMIT %(limit)s
""".encode()

SHOES_FROM = f"""
SELECT {READ_SHOE} FROM shoe WHERE table_id = %(table_id)s AND number >= %(number)s ORDER BY number
""".encode()

# This query reads many tables at once, so it goes to all machines if tables are spread over
# several.
CHANGES = f"""
SELECT {READ_JOURNAL} FROM journal
JOIN unnest(%(tables)s::text[], %(versions)s::bigint[]) AS seen (id, known)
  ON table_id = id AND version > known
ORDER BY table_id, version
""".encode()

NO_LIMIT = 2**31 - 1


class PostgresStore:
    """The journal of every table, safe to call from many tasks at once.

    `appends` are separate connections for appends, so that a decided step waits for no load. None:
    `database` serves all.
    """

    def __init__(self, database: Database, *, appends: Database | None = None) -> None:
        self._database = database
        self._appends = appends or database

    async def load(self, table_id: str, actor: str = "", request_id: str = "") -> Loaded | None:
        """A table in one snapshot and one statement; None if there is no such table."""
        return await self._database.run(
            partial(load, table_id=table_id, actor=actor, request_id=request_id)
        )

    async def load_round(self, table_id: str, round: int, to_version: int) -> Sequence[JournalRow]:
        """The rows of one round up to and including a version, in order."""
        asked = {"table_id": table_id, "round": round, "after": 0, "to": to_version}
        return await self._database.select(
            JournalRow, JOURNAL_OF_ROUND, asked | {"limit": NO_LIMIT}
        )

    async def load_shoes(self, table_id: str, from_number: int) -> Sequence[SealedShoe]:
        """The sealed shoes of a table from a number on, in order."""
        asked: dict[str, object] = {"table_id": table_id, "number": from_number}
        return await self._database.select(SealedShoe, SHOES_FROM, asked)

    async def append(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        """Append to many tables, at most one step per table; the outcomes are in the same order.

        Each append is atomic by itself. Returns after the commit. Raises ValueError for two steps
        of one table, StoreUnavailable if it is unknown whether the appends took effect.
        """
        if not appends:
            return []
        if len({append.head.table_id for append in appends}) < len(appends):
            raise ValueError("two steps of one table in one append")
        return await self._appends.run(partial(append_all, appends=appends))

    async def changes(self, versions: Sequence[tuple[str, int]]) -> Sequence[JournalRow]:
        """The rows newer than the given version of each table, by table and version."""
        asked: dict[str, object] = {
            "tables": [table_id for table_id, _ in versions],
            "versions": [version for _, version in versions],
        }
        return await self._database.select(JournalRow, CHANGES, asked)
