"""The read path: tables as they stand, and rounds as they were. Reads never write.

A read of a table compares the head's version with the database, so that whatever process answers, a
client never sees a version go back.
"""

from collections.abc import Sequence

import msgspec

from service.journal.codec import events_of
from service.journal.deciders import decider_of
from service.journal.ports import Catalog, Head, Store, SummaryRow, VoidRow
from service.journal.text import rule_set_of
from service.live.kept_tables import KeptTables
from service.live.live_table import LiveTable, table_of
from service.live.lookup import Asker, Lookup, no_such_table
from service.live.replay import table_as_of
from service.live.sight import is_plainly_seen
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
    """Reads for those who may see a table."""

    def __init__(
        self, store: Store, catalog: Catalog, vault: Vault, kept: KeptTables, lookup: Lookup
    ) -> None:
        self._store = store
        self._catalog = catalog
        self._vault = vault
        self._kept = kept
        self._lookup = lookup

    async def require_sight(self, table_id: str, asker: Asker) -> Head:
        """The head of a table that the asker sees; else refused as one that does not exist."""
        return await self._lookup.head(table_id, asker)

    async def require_sight_to_act(self, table_id: str, asker: Asker) -> None:
        """Refuse a command of who does not see the table. Who plays at a kept one is let through
        without a query."""
        kept = self._kept.get(table_id)
        if kept is None or not is_plainly_seen(kept, asker):
            await self._lookup.head(table_id, asker)

    async def table(self, table_id: str, asker: Asker) -> LiveTable:
        """A table as it stands."""
        head = await self._lookup.head(table_id, asker)
        kept = self._kept.get(table_id)
        if kept and head.version == kept.head.version:
            return kept
        loaded = await self._store.load(table_id)
        if loaded is None:
            raise no_such_table(table_id)
        table = table_of(loaded, self._vault)
        self._kept.put(table)
        return table

    async def round(self, table_id: str, asker: Asker, round: int) -> PastRound:
        """A round of a table."""
        head = await self._lookup.head(table_id, asker)
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
