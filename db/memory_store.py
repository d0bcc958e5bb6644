"""The ports `Store`, `Catalog` and `History` in memory, for tests; they pass the same test suite as
the PostgreSQL ones.

No method awaits anything, so each one is atomic among the tasks of a process.
"""

import time
from collections.abc import Callable, Sequence

from db.memory_history import MemoryHistory
from service.journal.ports import (
    LATEST_APPEND,
    Append,
    Head,
    JournalRow,
    Loaded,
    Outcome,
    RuleSetRow,
    SealedShoe,
    SummaryRow,
    TableFilter,
    VoidRow,
)
from service.journal.serving_time import Beat, Interruption, Reading

BETWEEN_ROUNDS = ("waiting", "betting", "settled")


class MemoryStore(MemoryHistory):
    """All ports in one, on dictionaries; lists are computed from the journal."""

    def __init__(self, clock: Callable[[], int] = lambda: time.time_ns() // 1000) -> None:
        self._clock = clock
        self._heads: dict[str, Head] = {}
        self._journal: dict[str, list[JournalRow]] = {}
        self._shoes: dict[str, list[SealedShoe]] = {}
        self._seats: dict[tuple[str, str], int] = {}
        self._summaries: list[SummaryRow] = []
        self._voids: dict[tuple[str, int], VoidRow] = {}
        self._rule_sets: dict[tuple[str, str], RuleSetRow] = {}
        self._operators: dict[str, bytes] = {}
        self._beat = Beat(0, 0)
        self._interruptions: list[Interruption] = []

    async def load(self, table_id: str, actor: str = "", request_id: str = "") -> Loaded | None:
        """A table in one snapshot; None if there is no such table."""
        head = self._heads.get(table_id)
        if head is None:
            return None
        return Loaded(
            head,
            tuple(shoe for shoe in self._shoes[table_id] if shoe.number >= head.shoe),
            tuple(self._journal[table_id][head.round_version - 1 :]),
            self._request(table_id, actor, request_id),
        )

    def _request(self, table_id: str, actor: str, request_id: str) -> JournalRow | None:
        for row in self._journal.get(table_id, []):
            if request_id and (row.actor, row.request_id) == (actor, request_id):
                return row
        return None

    async def load_round(self, table_id: str, round: int, to_version: int) -> Sequence[JournalRow]:
        """The rows of one round up to and including a version, in order."""
        rows = self._journal.get(table_id, [])
        return [row for row in rows if row.round == round and row.version <= to_version]

    async def load_shoes(self, table_id: str, from_number: int) -> Sequence[SealedShoe]:
        """The sealed shoes of a table from a number on, in order."""
        return [shoe for shoe in self._shoes.get(table_id, []) if shoe.number >= from_number]

    async def append(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        """Append to many tables, at most one step per table; the outcomes are in the same order."""
        if len({append.head.table_id for append in appends}) < len(appends):
            raise ValueError("two steps of one table in one append")
        return [self._append(append) for append in appends]

    def _append(self, append: Append) -> Outcome:
        table_id, row = append.head.table_id, append.row
        head = self._heads.get(table_id)
        if append.expected != (head.version if head else 0):
            return Outcome.CONFLICT
        if self._request(table_id, row.actor, row.request_id):
            return Outcome.CONFLICT
        if row.at < self._clock() - LATEST_APPEND:
            return Outcome.LATE
        self._heads[table_id] = append.head
        self._journal.setdefault(table_id, []).append(row)
        self._shoes.setdefault(table_id, []).extend(append.shoes)
        self._summaries.extend(append.summaries)
        self._voids |= {(void.table_id, void.round): void for void in append.voids}
        for seat in append.seats:
            if seat.seat:
                self._seats[table_id, seat.player] = seat.seat
            else:
                self._seats.pop((table_id, seat.player), None)
        return Outcome.APPENDED

    async def changes(self, versions: Sequence[tuple[str, int]]) -> Sequence[JournalRow]:
        """The rows newer than the given version of each table, by table and version."""
        return [
            row
            for table_id, version in sorted(versions)
            for row in self._journal.get(table_id, [])[version:]
        ]

    async def database_time(self) -> int:
        """The clock, in microseconds since 1970."""
        return self._clock()

    async def serving_time(self) -> Reading:
        """The clock, the last beat, and the end of the last interruption."""
        until = self._interruptions[-1].to_at if self._interruptions else 0
        return Reading(self._clock(), self._beat, until)

    async def beat(self, last: Beat, new: Beat, interruption: Interruption | None) -> bool:
        """Write a beat, with the interruption before it, if `last` is still the last one."""
        if last != self._beat:
            return False
        self._beat = new
        if interruption:
            self._interruptions.append(interruption)
        return True

    async def interruptions(self, limit: int) -> Sequence[Interruption]:
        """The newest interruptions, in order."""
        return self._interruptions[-limit:]

    async def interrupted(self, from_at: int, to_at: int, limit: int) -> Sequence[tuple[str, str]]:
        """Tables with a deadline after `from_at` and no row since `to_at`."""
        heads = sorted(self._heads.values(), key=lambda head: head.deadline)
        found = [head for head in heads if 0 < head.deadline > from_at and head.at < to_at]
        return [(head.table_id, head.operator) for head in found[:limit]]

    async def head(self, table_id: str) -> Head | None:
        """The head of a table."""
        return self._heads.get(table_id)

    async def head_for(self, table_id: str, player: str) -> tuple[Head, bool] | None:
        """The head of a table, and whether this player has ever done something at it."""
        head = self._heads.get(table_id)
        played = any(row.actor == player for row in self._journal.get(table_id, []))
        return (head, played) if head else None

    async def tables(
        self, operator: str, wanted: TableFilter, after: tuple[int, str] | None, limit: int
    ) -> Sequence[Head]:
        """An operator's tables, newest first, after the last table of the previous page."""
        found = [
            head
            for head in self._heads.values()
            if head.operator == operator
            and wanted.player in {"", head.owner, *self._players(head.table_id)}
            and wanted.phase in {"", head.phase}
            and wanted.rule_set_id in {"", head.rule_set_id}
            and wanted.free_seats <= (0 if head.private else head.free_seats)
            and (after is None or (head.opened_at, head.table_id) < after)
        ]
        found.sort(key=lambda head: (head.opened_at, head.table_id), reverse=True)
        return found[:limit]

    async def due(self, now: int, limit: int) -> Sequence[tuple[str, str]]:
        """Tables whose deadline has passed, with their operators, the longest overdue first."""
        heads = sorted(self._heads.values(), key=lambda head: head.deadline)
        found = [head for head in heads if 0 < head.deadline <= now]
        return [(head.table_id, head.operator) for head in found[:limit]]

    async def idle(self, before: int, limit: int) -> Sequence[tuple[str, str]]:
        """Tables between rounds, without a deadline, whose last row is older than `before`, with
        their operators."""
        found = [
            head
            for head in self._heads.values()
            if head.phase in BETWEEN_ROUNDS and not head.deadline and head.at < before
        ]
        return [(head.table_id, head.operator) for head in found[:limit]]

    def _players(self, table_id: str) -> list[str]:
        return [player for seated_at, player in self._seats if seated_at == table_id]

    async def journal(
        self, table_id: str, round: int, after_version: int, limit: int
    ) -> Sequence[JournalRow]:
        """Rows of a table after a version, in order; with `round` (not 0) only of that round."""
        rows = self._journal.get(table_id, [])[after_version:]
        return [row for row in rows if round in {0, row.round}][:limit]

    async def round_summary(self, table_id: str, round: int) -> Sequence[SummaryRow]:
        """The summaries of one settled round by seat, ascending; empty if it is not settled."""
        found = [row for row in self._summaries if (row.table_id, row.round) == (table_id, round)]
        return sorted(found, key=lambda row: row.seat)

    async def voids(self, rounds: Sequence[tuple[str, int]]) -> Sequence[VoidRow]:
        """The voids of these rounds (table and number)."""
        return [self._voids[key] for key in rounds if key in self._voids]

    async def rule_sets(self, operator: str, after_id: str, limit: int) -> Sequence[RuleSetRow]:
        """An operator's own rule sets, by id."""
        found = [row for (owner, _), row in self._rule_sets.items() if owner == operator]
        found.sort(key=lambda row: row.rule_set_id)
        return [row for row in found if row.rule_set_id > after_id][:limit]

    async def rule_set(self, operator: str, rule_set_id: str) -> RuleSetRow | None:
        """One of an operator's own rule sets."""
        return self._rule_sets.get((operator, rule_set_id))

    async def create_rule_set(self, row: RuleSetRow) -> RuleSetRow:
        """Insert a rule set, or return the existing one with this id."""
        return self._rule_sets.setdefault((row.operator, row.rule_set_id), row)

    async def ensure_operator(self, operator: str, key_hash: bytes) -> None:
        """Register an operator with the hash of its API key, or replace that hash."""
        self._operators[operator] = key_hash

    async def operator_of_key(self, key_hash: bytes) -> str | None:
        """The operator of an API key, by the key's hash."""
        return next((each for each, held in self._operators.items() if held == key_hash), None)
