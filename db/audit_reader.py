"""The port `AuditReader` on PostgreSQL: stored rows unchanged, read only by SELECT.

A statement sees one snapshot. What must be consistent (a head, its seats, what lies past it) is
read in one statement; the rest is read in pages by key, up to that head's version.
"""

from collections.abc import Sequence

import msgspec

from db.catalog import INTERRUPTION
from db.columns import HEAD, READ_HEAD, READ_JOURNAL, READ_SHOE, READ_SUMMARY, READ_VOID
from db.connections import Database
from service.journal.ports import Head, JournalRow, SealedShoe, SummaryRow, VoidRow
from service.journal.serving_time import Interruption, interruption_of
from service.records.verification import Beyond, FoundSummary, FoundTable, Orphan, Scope, Span

SIZE = "SELECT count(*), coalesce(sum(version), 0)::bigint FROM table_head WHERE {condition}"

TABLES = f"""
SELECT {READ_HEAD},
    (SELECT coalesce(json_agg(json_build_array(player, seat) ORDER BY player), '[]')::text
     FROM seat WHERE table_id = head.table_id),
    coalesce((SELECT min(version) FROM journal
        WHERE table_id = head.table_id AND version > head.version), 0),
    coalesce((SELECT min(round) FROM round_summary
        WHERE table_id = head.table_id AND round >= head.round AND version > head.version), 0),
    coalesce((SELECT min(number) FROM shoe
        WHERE table_id = head.table_id AND number > head.shoe + 1), 0),
    coalesce((SELECT min(round) FROM round_void
        WHERE table_id = head.table_id AND version > head.version), 0)
FROM table_head AS head WHERE {{condition}} ORDER BY table_id LIMIT %(limit)s
"""

SPANS = """
FROM unnest(%(tables)s::text[], %(afters)s::bigint[], %(lasts)s::bigint[])
    AS span (span_of, after_it, its_last)
JOIN {relation} ON table_id = span_of AND {number} > after_it AND {number} <= its_last
ORDER BY table_id, {number}
"""
ROWS = f"SELECT {READ_JOURNAL} {SPANS.format(relation='journal', number='version')}".encode()
SHOES = f"SELECT {READ_SHOE} {SPANS.format(relation='shoe', number='number')}".encode()
SUMMARIES = (
    f"SELECT {READ_SUMMARY}, operator {SPANS.format(relation='round_summary', number='round')},"
    " seat"
).encode()
VOIDS = f"SELECT {READ_VOID} {SPANS.format(relation='round_void', number='round')}".encode()
INTERRUPTIONS = f"""
SELECT {INTERRUPTION} FROM interruption WHERE to_at = ANY(%(ends)s::bigint[])
""".encode()

RELATIONS = ("journal", "shoe", "seat", "round_summary", "round_void")
# Goes from one table id to the next in the index: a scan would read every row of the journal.
IDS = """
{relation}_ids (id) AS (
    SELECT min(table_id) FROM {relation} WHERE table_id > %(after)s
    UNION ALL
    SELECT (SELECT min(table_id) FROM {relation} WHERE table_id > id)
    FROM {relation}_ids WHERE id IS NOT NULL AND (id < %(last)s OR %(last)s = '')
)"""
ORPHANS = f"""
WITH RECURSIVE {", ".join(IDS.format(relation=relation) for relation in RELATIONS)}
SELECT id, relation FROM (
    {" UNION ALL ".join(f"SELECT id, '{name}' FROM {name}_ids" for name in RELATIONS)}
) AS named (id, relation)
WHERE id IS NOT NULL AND (id <= %(last)s OR %(last)s = '')
  AND NOT EXISTS (SELECT FROM table_head WHERE table_id = id)
ORDER BY id, relation
""".encode()
ORPHANS_OF_TABLE = f"""
SELECT %(table_id)s, relation FROM (
    {
    " UNION ALL ".join(
        f"SELECT '{name}' WHERE EXISTS (SELECT FROM {name} WHERE table_id = %(table_id)s)"
        for name in RELATIONS
    )
}) AS named (relation)
WHERE NOT EXISTS (SELECT FROM table_head WHERE table_id = %(table_id)s)
ORDER BY relation
""".encode()

_seats = msgspec.json.Decoder(tuple[tuple[str, int], ...])


def _table(*columns: object) -> FoundTable:
    seats, *beyond = columns[len(HEAD) :]
    return FoundTable(
        Head(*columns[: len(HEAD)]),  # type: ignore[arg-type]
        _seats.decode(str(seats)),
        Beyond(*beyond),  # type: ignore[arg-type]
    )


def _summary(*columns: object) -> FoundSummary:
    *row, operator = columns
    return FoundSummary(SummaryRow(*row), str(operator))  # type: ignore[arg-type]


def _counts(*columns: int) -> tuple[int, ...]:
    return columns


def _condition(scope: Scope) -> str:
    if scope.table_id:
        return "table_id = %(table_id)s"
    return "operator = %(operator)s" if scope.operator else "true"


class PostgresAuditReader:
    """Reads for verification; needs only the right to SELECT."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def size(self, scope: Scope) -> tuple[int, int]:
        """The number of tables, and the number of rows that their heads include."""
        query = SIZE.format(condition=_condition(scope)).encode()
        found = await self._database.select(_counts, query, msgspec.structs.asdict(scope))
        tables, rows = found[0]
        return tables, rows

    async def tables(self, scope: Scope, after: str, limit: int) -> Sequence[FoundTable]:
        """Tables in the order of their ids, after the id `after`."""
        condition = f"{_condition(scope)} AND table_id > %(after)s"
        asked: dict[str, object] = msgspec.structs.asdict(scope) | {"after": after, "limit": limit}
        return await self._database.select(
            _table, TABLES.format(condition=condition).encode(), asked
        )

    async def orphans(self, scope: Scope, after: str, last: str) -> Sequence[Orphan]:
        """Rows of tables without a head, by id and relation."""
        if scope.operator:
            return []
        query = ORPHANS_OF_TABLE if scope.table_id else ORPHANS
        asked: dict[str, object] = {"table_id": scope.table_id, "after": after, "last": last}
        return await self._database.select(Orphan, query, asked)

    async def rows(self, spans: Sequence[Span]) -> Sequence[JournalRow]:
        """Rows of the journal by their versions, ordered by table and version."""
        return await self._database.select(JournalRow, ROWS, _asked(spans))

    async def shoes(self, spans: Sequence[Span]) -> Sequence[SealedShoe]:
        """Sealed shoes by their numbers, ordered by table and number."""
        return await self._database.select(SealedShoe, SHOES, _asked(spans))

    async def summaries(self, spans: Sequence[Span]) -> Sequence[FoundSummary]:
        """Summaries by their rounds, ordered by table, round and seat."""
        return await self._database.select(_summary, SUMMARIES, _asked(spans))

    async def voids(self, spans: Sequence[Span]) -> Sequence[VoidRow]:
        """Voids by the rounds that they void, ordered by table and round."""
        return await self._database.select(VoidRow, VOIDS, _asked(spans))

    async def interruptions(self, ends: Sequence[int]) -> Sequence[Interruption]:
        """The recorded interruptions with these ends."""
        asked: dict[str, object] = {"ends": list(ends)}
        return await self._database.select(interruption_of, INTERRUPTIONS, asked)


def _asked(spans: Sequence[Span]) -> dict[str, object]:
    return {
        "tables": [span.table_id for span in spans],
        "afters": [span.after for span in spans],
        "lasts": [span.last for span in spans],
    }
