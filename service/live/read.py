"""The read path: tables as they stand, and the record of what happened. Reads never write.

What belongs to another operator does not exist here. A read of a table compares the head's version
with the database, so that whatever process answers, a client never sees a version go back.
"""

from collections.abc import Mapping, Sequence

import msgspec

from service.journal.codec import events_of, rule_set_of
from service.journal.ports import Catalog, Head, JournalRow, Store, SummaryRow, VoidRow
from service.live.execute import Handler
from service.live.kept_tables import KeptTables
from service.live.live_table import LiveTable, table_of
from service.live.lookup import no_such_table, refuse_stranger
from service.rules.reasons import Reason, Refused
from service.shoes.vault import Vault
from service.table.showing.story import Chapter, Story, story

_LAST = 2**63 - 1

RoundId = tuple[str, int]
"""A table, and the number of a round there."""


class PastRound(msgspec.Struct, frozen=True):
    """A round: its seats (none while it runs), its void if there is one, the table as its last row
    left it, and its story."""

    seats: Sequence[SummaryRow]
    voids: Mapping[RoundId, VoidRow]
    table: LiveTable
    story: Story


class Reader:
    """Reads on behalf of one operator's callers."""

    def __init__(
        self, store: Store, catalog: Catalog, shoes: Vault, kept: KeptTables, handler: Handler
    ) -> None:
        self._store = store
        self._catalog = catalog
        self._shoes = shoes
        self._kept = kept
        self._handler = handler

    async def table(self, table_id: str, operator: str) -> LiveTable:
        """A table as it stands."""
        kept = self._kept.get(table_id)
        if kept:
            head = await self.head(table_id, operator)
            if head.version == kept.head.version:
                return kept
        loaded = await self._store.load(table_id)
        if loaded is None:
            raise no_such_table(table_id)
        refuse_stranger(loaded.head, operator)
        table = table_of(loaded, self._shoes)
        self._kept.put(table)
        return table

    async def head(self, table_id: str, operator: str) -> Head:
        """Where a table stands."""
        head = await self._catalog.head(table_id)
        if head is None:
            raise no_such_table(table_id)
        refuse_stranger(head, operator)
        return head

    async def voids(self, rounds: Sequence[RoundId]) -> Mapping[RoundId, VoidRow]:
        """Which of these rounds are void, and why."""
        voids = await self._catalog.voids(rounds) if rounds else ()
        return {(void.table_id, void.round): void for void in voids}

    async def journal(
        self, table_id: str, operator: str, round: int, after_version: int, limit: int
    ) -> Sequence[JournalRow]:
        """Rows of a table's journal after a version; with `round` (not 0) only of that round."""
        await self.head(table_id, operator)
        return await self._catalog.journal(table_id, round, after_version, limit)

    async def round(self, table_id: str, operator: str, round: int) -> PastRound:
        """A round of a table."""
        head = await self.head(table_id, operator)
        summary = await self._catalog.round_summary(table_id, round)
        rows = await self._store.load_round(table_id, round, _LAST)
        if not rows:
            raise Refused(
                Reason.ROUND_NOT_FOUND,
                f"table {table_id} has had no round {round}",
                round=head.round,
            )
        chapters = (Chapter(row.version, row.at, row.actor, events_of(row.events)) for row in rows)
        return PastRound(
            summary,
            await self.voids([(table_id, round)]),
            await self._handler.as_of(head, rows[-1], rows),
            story(rule_set_of(head.rule_set), chapters),
        )
