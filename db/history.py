"""The past of many tables, page by page (the port `History`).

If tables are spread over machines, an operator's queries go to all of them. The number of rows
decides on the best plan: so limits are part of the statements, which are planned for each call.

Why the horizon is right. An append refuses a row whose `at` is more than `LATEST_APPEND` behind the
clock when it is written (`db/append.py`). The horizon is the start of the oldest running
transaction, or of the querying statement, minus `LATEST_APPEND`. A transaction that this statement
sees started at that base time or later, so it writes no `at` earlier than the horizon. A
transaction that it does not see has either ended, and then later statements see its rows; or it
begins after this statement, and then its times are later, too.

Only transactions of roles that may write the journal count. A role sees when another role's
transactions began only with the right `pg_read_all_stats`; the processes of the service share one
role and see each other. While a session of another role that may write is connected and its start
can't be seen (the owner's, for example), the horizon stays `HIDDEN_SECONDS` behind, longer than a
transaction may take. The same holds on a server that does not track activities.
"""

from collections.abc import Sequence

import msgspec

from db.columns import READ_JOURNAL, READ_SUMMARY
from db.connections import ANSWER_SECONDS, Database
from service.journal.ports import LATEST_APPEND, JournalRow, SummaryRow
from service.records.history import RoundFilter, RoundKey, RowFilter, RowKey

HIDDEN_SECONDS = 3 * ANSWER_SECONDS

HORIZON = f"""
SELECT (extract(epoch FROM least(
    now(),
    min(xact_start),
    CASE WHEN bool_or(backend_type IS NULL) OR current_setting('track_activities') = 'off'
        THEN now() - make_interval(secs => {HIDDEN_SECONDS}) END
)) * 1000000)::bigint - {LATEST_APPEND}
FROM pg_stat_activity
WHERE datname = current_database() AND coalesce(backend_type, 'client backend') = 'client backend'
  AND has_table_privilege(usesysid, 'journal', 'INSERT')
""".encode()

ROUND_KEY = ("at", "table_id", "round", "seat")
ROW_KEY = ("at", "table_id", "version")
# Within a table time never goes backwards, so the keys of the relations give the same order.
ROUND_KEY_IN_TABLE = ("round", "seat")
ROW_KEY_IN_TABLE = ("version",)


class PostgresHistory:
    """Settled rounds and journals, over all tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def horizon(self) -> int:
        """The time before which nothing changes any more."""
        return (await self._database.select(int, HORIZON, {}))[0]

    async def rounds(
        self,
        wanted: RoundFilter,
        after: RoundKey | None,
        limit: int,
        *,
        oldest_first: bool = False,
    ) -> Sequence[SummaryRow]:
        """Settled rounds, newest first by default."""
        conditions = [
            f"{column} = %({column})s"
            for column in ("operator", "table_id", "player")
            if getattr(wanted, column)
        ]
        if wanted.rule_set_id:
            conditions.append(_of_a_table("round_summary", "rule_set_id"))
        key = ROUND_KEY_IN_TABLE if wanted.table_id else ROUND_KEY
        given = dict(zip(ROUND_KEY, after or (), strict=False))
        query = f"SELECT {READ_SUMMARY} FROM round_summary" + _page(
            [*conditions, *_window(wanted)], key, given, limit, descending=not oldest_first
        )
        asked = msgspec.structs.asdict(wanted) | _after(given)
        return await self._database.select(SummaryRow, query.encode(), asked, prepare=False)

    async def rows(
        self, wanted: RowFilter, after: RowKey | None, limit: int
    ) -> Sequence[JournalRow]:
        """Rows of the journals, the oldest first."""
        conditions = ["table_id = %(table_id)s"] if wanted.table_id else []
        if wanted.operator:
            conditions.append(_of_a_table("journal", "operator"))
        key = ROW_KEY_IN_TABLE if wanted.table_id else ROW_KEY
        given = dict(zip(ROW_KEY, after or (), strict=False))
        query = f"SELECT {READ_JOURNAL} FROM journal" + _page(
            [*conditions, *_window(wanted)], key, given, limit, descending=False
        )
        asked = msgspec.structs.asdict(wanted) | _after(given)
        return await self._database.select(JournalRow, query.encode(), asked, prepare=False)


def _of_a_table(relation: str, column: str) -> str:
    return (
        f"EXISTS (SELECT FROM table_head AS head WHERE head.table_id = {relation}.table_id"
        f" AND head.{column} = %({column})s)"
    )


def _window(wanted: RoundFilter | RowFilter) -> list[str]:
    window = ["at >= %(from_at)s"] if wanted.from_at else []
    return [*window, "at < %(to_at)s"] if wanted.to_at else window


def _page(
    conditions: Sequence[str],
    key: Sequence[str],
    after: dict[str, object],
    limit: int,
    *,
    descending: bool,
) -> str:
    """The SQL of one page of a list: its conditions, its order, its length."""
    if after:
        last = ", ".join(f"%(after_{column})s" for column in key)
        order = "<" if descending else ">"
        conditions = [*conditions, f"({', '.join(key)}) {order} ({last})"]
    direction = " DESC" if descending else ""
    return (
        f" WHERE {' AND '.join(conditions) or 'true'}"
        f" ORDER BY {', '.join(f'{column}{direction}' for column in key)} LIMIT {limit:d}"
    )


def _after(key: dict[str, object]) -> dict[str, object]:
    return {f"after_{column}": value for column, value in key.items()}
