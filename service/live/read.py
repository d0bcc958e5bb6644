"""The read path: tables as they stand, and rounds as they were. Reads never write.

A read of a table compares the head's version with the database, so that whatever process answers, a
client never sees a version go back.
"""

from collections.abc import Sequence

import msgspec

from service.journal.codec import events_of
from service.journal.deciders import decider_of
from service.journal.ports import Catalog, Store, SummaryRow, VoidRow
from service.journal.text import rule_set_of
from service.live.kept_tables import KeptTables
from service.live.live_table import LiveTable, table_of
from service.live.lookup import Lookup, no_such_table, refuse_stranger
from service.live.replay import table_as_of
from service.rules.reasons import Reason, Refused
from service.shoes.vault import Vault
from service.table.showing.story import Story
from service.table.showing.telling import Chapter, story

_LAST = 2**63 - 1


class PastRound(msgspec.Struct, frozen=True):
    """A round: its seats (none while it runs), its void if there is one, the table as its last row
    left it, and its story."""

    seats: Sequence[SummaryRow]
    void: VoidRow | None
    table: LiveTable
    story: Story


class Reader:
    """Reads on behalf of one operator's callers."""

    def __init__(
        self, store: Store, catalog: Catalog, vault: Vault, kept: KeptTables, lookup: Lookup
    ) -> None:
        self._store = store
        self._catalog = catalog
        self._vault = vault
        self._kept = kept
        self._lookup = lookup

    async def table(self, table_id: str, operator: str) -> LiveTable:
        """A table as it stands."""
        kept = self._kept.get(table_id)
        if kept:
            head = await self._lookup.head(table_id, operator)
            if head.version == kept.head.version:
                return kept
        loaded = await self._store.load(table_id)
        if loaded is None:
            raise no_such_table(table_id)
        refuse_stranger(loaded.head, operator)
        table = table_of(loaded, self._vault)
        self._kept.put(table)
        return table

    async def round(self, table_id: str, operator: str, round: int) -> PastRound:
        """A round of a table."""
        head = await self._lookup.head(table_id, operator)
        summary = await self._catalog.round_summary(table_id, round)
        rows = await self._store.load_round(table_id, round, _LAST)
        if not rows:
            raise Refused(
                Reason.ROUND_NOT_FOUND,
                f"table {table_id} has had no round {round}",
                round=head.round,
            )
        decider = decider_of(rows[0].engine)
        chapters = (Chapter(row.version, row.at, row.actor, events_of(row.events)) for row in rows)
        voids = await self._lookup.voids([(table_id, round)])
        return PastRound(
            summary,
            voids.get((table_id, round)),
            await table_as_of(self._store, self._vault, head, rows[-1], rows),
            story(decider.initial_state(rule_set_of(head.rule_set)), decider.fold, chapters),
        )
