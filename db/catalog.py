"""The port `Catalog` on PostgreSQL: an operator's tables, rule sets and keys.

If tables are spread over machines, an operator's lists query all of them; a query with a table id
does not. The lists take many forms, and the number of rows decides on the best plan: so the limit
is part of the statement, and every call is planned separately.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from db.columns import READ_HEAD, READ_JOURNAL, READ_SUMMARY, READ_VOID
from db.connections import Connection, Database
from db.event_store import JOURNAL_OF_ROUND
from service.journal.ports import (
    Head,
    JournalRow,
    RuleSetRow,
    StoreUnavailable,
    SummaryRow,
    TableFilter,
    VoidRow,
)
from service.journal.serving_time import Beat, Interruption, Reading, interruption_of

CLOCK = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
DATABASE_TIME = f"SELECT {CLOCK}".encode()
SERVING_TIME = f"""
SELECT {CLOCK}, reached, clock, coalesce((SELECT max(to_at) FROM interruption), 0) FROM serving_time
""".encode()
BEAT = b"""
UPDATE serving_time SET reached = %(reached)s, clock = %(clock)s
WHERE reached = %(last_reached)s AND clock = %(last_clock)s RETURNING true
"""
INTERRUPTION = ", ".join(Interruption.__struct_fields__)
BEAT_AFTER_INTERRUPTION = f"""
WITH beat AS ({BEAT.decode()})
INSERT INTO interruption ({INTERRUPTION}) SELECT %(from_at)s, %(to_at)s, %(cause)s FROM beat
RETURNING true
""".encode()
INTERRUPTIONS = f"""
SELECT {INTERRUPTION} FROM interruption ORDER BY to_at DESC LIMIT %(limit)s
""".encode()
INTERRUPTED = b"""
SELECT table_id, operator FROM table_head
WHERE deadline > 0 AND deadline > %(from_at)s AND at < %(to_at)s
ORDER BY deadline LIMIT %(limit)s
"""

HEAD_OF_TABLE = f"SELECT {READ_HEAD} FROM table_head WHERE table_id = %(table_id)s".encode()
HEAD_FOR_PLAYER = f"""
SELECT {READ_HEAD}, EXISTS (
    SELECT FROM journal WHERE journal.table_id = %(table_id)s AND actor = %(player)s
) FROM table_head WHERE table_id = %(table_id)s
""".encode()

JOURNAL_OF_TABLE = f"""
SELECT {READ_JOURNAL} FROM journal
WHERE table_id = %(table_id)s AND version > %(after)s
ORDER BY version LIMIT %(limit)s
""".encode()

ROUND_SUMMARY = f"""
SELECT {READ_SUMMARY} FROM round_summary
WHERE table_id = %(table_id)s AND round = %(round)s ORDER BY seat
""".encode()

DUE = b"""
SELECT table_id, operator FROM table_head
WHERE deadline > 0 AND deadline <= %(now)s ORDER BY deadline LIMIT %(limit)s
"""
IDLE = b"""
SELECT table_id, operator FROM table_head
WHERE phase IN ('waiting', 'betting', 'settled') AND deadline = 0 AND at < %(before)s
LIMIT %(limit)s
"""

VOIDS = f"""
SELECT {READ_VOID} FROM round_void
JOIN unnest(%(tables)s::text[], %(rounds)s::integer[]) AS asked (id, number)
  ON table_id = id AND round = number
""".encode()

RULE_SET = ", ".join(RuleSetRow.__struct_fields__)
RULE_SETS = f"""
SELECT {RULE_SET} FROM rule_set
WHERE operator = %(operator)s AND rule_set_id > %(after_id)s ORDER BY rule_set_id LIMIT %(limit)s
""".encode()
ONE_RULE_SET = f"""
SELECT {RULE_SET} FROM rule_set
WHERE operator = %(operator)s AND rule_set_id = %(rule_set_id)s
""".encode()
CREATE_RULE_SET = f"""
INSERT INTO rule_set ({RULE_SET})
VALUES ({", ".join(f"%({name})s" for name in RuleSetRow.__struct_fields__)})
ON CONFLICT (operator, rule_set_id) DO NOTHING RETURNING {RULE_SET}
""".encode()

ENSURE_OPERATOR = b"""
INSERT INTO operator (operator, key_hash) VALUES (%(operator)s, %(key_hash)s)
ON CONFLICT (operator) DO UPDATE SET key_hash = excluded.key_hash
"""
OPERATOR_OF_KEY = b"SELECT operator FROM operator WHERE key_hash = %(key_hash)s"


def _reading(clock: int, reached: int, beaten: int, until: int) -> Reading:
    return Reading(clock, Beat(reached, beaten), until)


def _head_and_played(*columns: Any) -> tuple[Head, bool]:
    return Head(*columns[:-1]), columns[-1]


def _pair(table_id: str, operator: str) -> tuple[str, str]:
    return table_id, operator


class PostgresCatalog:
    """Lists of tables, and the few relations besides the journal.

    `own` serves the queries of the process itself (the time, the tables that are due), so that they
    wait for no caller. None: `database` serves all.
    """

    def __init__(self, database: Database, *, own: Database | None = None) -> None:
        self._database = database
        self._own = own or database

    async def database_time(self) -> int:
        """The database's clock, in microseconds since 1970."""
        return (await self._own.select(int, DATABASE_TIME, {}))[0]

    async def serving_time(self) -> Reading:
        """The database's clock, the last beat, and the end of the last interruption."""
        found = await self._own.select(_reading, SERVING_TIME, {})
        if not found:
            raise StoreUnavailable(
                "the relation serving_time has lost its row: restore the database whole, or as its"
                " owner INSERT INTO serving_time (reached, clock) VALUES (0, 0)"
            )
        return found[0]

    async def beat(self, last: Beat, new: Beat, interruption: Interruption | None) -> bool:
        """Write a beat, with the interruption before it, if `last` is still the last one."""
        asked: dict[str, object] = {
            "reached": new.reached,
            "clock": new.clock,
            "last_reached": last.reached,
            "last_clock": last.clock,
        }
        if interruption is None:
            return bool(await self._own.select(bool, BEAT, asked))
        asked |= msgspec.structs.asdict(interruption) | {"cause": interruption.cause.value}
        return bool(await self._own.select(bool, BEAT_AFTER_INTERRUPTION, asked))

    async def interruptions(self, limit: int) -> Sequence[Interruption]:
        """The newest interruptions, in order."""
        found = await self._own.select(interruption_of, INTERRUPTIONS, {"limit": limit})
        return found[::-1]

    async def interrupted(self, from_at: int, to_at: int, limit: int) -> Sequence[tuple[str, str]]:
        """Tables with a deadline after `from_at` and no row since `to_at`."""
        asked: dict[str, object] = {"from_at": from_at, "to_at": to_at, "limit": limit}
        return await self._own.select(_pair, INTERRUPTED, asked)

    async def head(self, table_id: str) -> Head | None:
        """The head of a table."""
        found = await self._database.select(Head, HEAD_OF_TABLE, {"table_id": table_id})
        return found[0] if found else None

    async def head_for(self, table_id: str, player: str) -> tuple[Head, bool] | None:
        """The head of a table, and whether this player has ever done something at it."""
        asked: dict[str, object] = {"table_id": table_id, "player": player}
        found = await self._database.select(_head_and_played, HEAD_FOR_PLAYER, asked)
        return found[0] if found else None

    async def tables(
        self, operator: str, wanted: TableFilter, after: tuple[int, str] | None, limit: int
    ) -> Sequence[Head]:
        """An operator's tables, newest first, after the last table of the previous page."""
        conditions = ["operator = %(operator)s"]
        if wanted.player:
            conditions.append(
                "table_id IN (SELECT table_id FROM seat WHERE player = %(player)s UNION SELECT "
                "table_id FROM table_head WHERE operator = %(operator)s AND owner = %(player)s)"
            )
        if wanted.phase:
            conditions.append("phase = %(phase)s")
        if wanted.rule_set_id:
            conditions.append("rule_set_id = %(rule_set_id)s")
        if wanted.free_seats:
            conditions.append("free_seats >= %(free_seats)s AND NOT private")
        if after:
            conditions.append("(opened_at, table_id) < (%(after_at)s, %(after_id)s)")
        query = (
            f"SELECT {READ_HEAD} FROM table_head WHERE {' AND '.join(conditions)} "
            f"ORDER BY opened_at DESC, table_id DESC LIMIT {limit:d}"
        )
        asked: dict[str, object] = {
            "operator": operator,
            **msgspec.structs.asdict(wanted),
            "after_at": after[0] if after else None,
            "after_id": after[1] if after else None,
        }
        return await self._database.select(Head, query.encode(), asked, prepare=False)

    async def due(self, now: int, limit: int) -> Sequence[tuple[str, str]]:
        """Tables whose deadline has passed, with their operators, the longest overdue first."""
        asked: dict[str, object] = {"now": now, "limit": limit}
        return await self._own.select(_pair, DUE, asked)

    async def idle(self, before: int, limit: int) -> Sequence[tuple[str, str]]:
        """Tables between rounds whose last row is older than `before`."""
        asked: dict[str, object] = {"before": before, "limit": limit}
        return await self._own.select(_pair, IDLE, asked)

    async def journal(
        self, table_id: str, round: int, after_version: int, limit: int
    ) -> Sequence[JournalRow]:
        """Rows of a table after a version, in order; with `round` (not 0) only of that round."""
        asked: dict[str, object] = {"table_id": table_id, "after": after_version, "limit": limit}
        if not round:
            return await self._database.select(JournalRow, JOURNAL_OF_TABLE, asked)
        asked |= {"round": round, "to": 2**63 - 1}
        return await self._database.select(JournalRow, JOURNAL_OF_ROUND, asked)

    async def round_summary(self, table_id: str, round: int) -> Sequence[SummaryRow]:
        """The summaries of one settled round by seat, ascending; empty if it is not settled."""
        asked: dict[str, object] = {"table_id": table_id, "round": round}
        return await self._database.select(SummaryRow, ROUND_SUMMARY, asked)

    async def voids(self, rounds: Sequence[tuple[str, int]]) -> Sequence[VoidRow]:
        """The voids of these rounds (table and number), in no particular order."""
        asked: dict[str, object] = {
            "tables": [table_id for table_id, _ in rounds],
            "rounds": [round for _, round in rounds],
        }
        return await self._database.select(VoidRow, VOIDS, asked)

    async def rule_sets(self, operator: str, after_id: str, limit: int) -> Sequence[RuleSetRow]:
        """An operator's own rule sets, by id."""
        asked: dict[str, object] = {"operator": operator, "after_id": after_id, "limit": limit}
        return await self._database.select(RuleSetRow, RULE_SETS, asked)

    async def rule_set(self, operator: str, rule_set_id: str) -> RuleSetRow | None:
        """One of an operator's own rule sets."""
        asked: dict[str, object] = {"operator": operator, "rule_set_id": rule_set_id}
        found = await self._database.select(RuleSetRow, ONE_RULE_SET, asked)
        return found[0] if found else None

    async def create_rule_set(self, row: RuleSetRow) -> RuleSetRow:
        """Insert a rule set, or return the existing one with this id."""
        asked: dict[str, object] = msgspec.structs.asdict(row)
        found = await self._database.select(RuleSetRow, CREATE_RULE_SET, asked)
        if not found:
            # A second statement, whose snapshot shows the row that the first one conflicted with.
            found = await self._database.select(RuleSetRow, ONE_RULE_SET, asked)
        return found[0]

    async def ensure_operator(self, operator: str, key_hash: bytes) -> None:
        """Register an operator with the hash of its API key, or replace that hash."""

        async def work(connection: Connection) -> None:
            await connection.execute(ENSURE_OPERATOR, {"operator": operator, "key_hash": key_hash})

        await self._database.run(work)

    async def operator_of_key(self, key_hash: bytes) -> str | None:
        """The operator of an API key, by the key's hash."""
        found = await self._database.select(str, OPERATOR_OF_KEY, {"key_hash": key_hash})
        return found[0] if found else None
