"""What verification reads, from a store in memory: as much as a twin's tables need."""

from collections.abc import Sequence

from db.memory_store import MemoryStore
from service.journal.ports import JournalRow, SealedShoe, VoidRow
from service.journal.serving_time import Interruption
from service.records.verification import Beyond, FoundSummary, FoundTable, Orphan, Scope, Span


class MemoryAuditReader:
    """Reads one table of a store in which nothing lies beyond a head or belongs to none."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    async def size(self, scope: Scope) -> tuple[int, int]:
        return 1, self._store._heads[scope.table_id].version

    async def tables(self, scope: Scope, after: str, limit: int) -> Sequence[FoundTable]:
        assert limit
        head = self._store._heads.get(scope.table_id)
        seats = sorted(
            (player, seat)
            for (table_id, player), seat in self._store._seats.items()
            if table_id == scope.table_id
        )
        return [FoundTable(head, tuple(seats), Beyond())] if head and not after else []

    async def orphans(self, scope: Scope, after: str, last: str) -> Sequence[Orphan]:
        assert scope.table_id in self._store._heads
        assert not after
        assert not last
        return []

    async def rows(self, spans: Sequence[Span]) -> Sequence[JournalRow]:
        return [
            row
            for span in spans
            for row in self._store._journal[span.table_id]
            if span.after < row.version <= span.last
        ]

    async def shoes(self, spans: Sequence[Span]) -> Sequence[SealedShoe]:
        return [
            shoe
            for span in spans
            for shoe in self._store._shoes[span.table_id]
            if span.after < shoe.number <= span.last
        ]

    async def summaries(self, spans: Sequence[Span]) -> Sequence[FoundSummary]:
        return [
            FoundSummary(row, self._store._heads[row.table_id].operator)
            for span in spans
            for row in self._store._summaries
            if row.table_id == span.table_id and span.after < row.round <= span.last
        ]

    async def voids(self, spans: Sequence[Span]) -> Sequence[VoidRow]:
        return [
            void
            for span in spans
            for void in self._store._voids.values()
            if void.table_id == span.table_id and span.after < void.round <= span.last
        ]

    async def interruptions(self, ends: Sequence[int]) -> Sequence[Interruption]:
        return [one for one in self._store._interruptions if one.to_at in ends]
