"""The past of a table, change by change: what a watcher has missed is replayed from its journal."""

from collections.abc import AsyncGenerator

from msgspec.structs import replace

from service.journal.codec import events_of, rule_set_of
from service.journal.ports import Catalog, Head, JournalRow, Store
from service.live.live_table import LiveTable, table_after
from service.shoes.vault import Vault
from service.table.events import RoundOpened, TableOpened
from service.table.evolving.evolve import fold
from service.table.state import State, initial_state

PAGE = 200
"""Rows that are read at once."""


class Past:
    """Replays tables from a version on."""

    def __init__(self, store: Store, catalog: Catalog, shoes: Vault) -> None:
        self._store = store
        self._catalog = catalog
        self._shoes = shoes

    async def after(self, head: Head, version: int) -> AsyncGenerator[LiveTable, None]:
        """The table after each row later than a version, in order, as far as there are any.

        `head` is the table's at whatever version: only what never changes is taken from it.
        """
        table_id = head.table_id
        rows = await self._catalog.journal(table_id, 0, version, PAGE)
        if not rows:
            return
        blank = initial_state(rule_set_of(head.rule_set))
        chance = self._shoes.chance(table_id, blank.rules, ())
        table = LiveTable(head, await self._state_before(rows[0], blank), chance, ())
        while rows:
            for row in rows:
                table = await self._with_its_shoe(table_after(table, row))
                yield table
            if len(rows) < PAGE:
                return
            rows = await self._catalog.journal(table_id, 0, table.head.version, PAGE)

    async def _with_its_shoe(self, table: LiveTable) -> LiveTable:
        """The table with the seed of its shoe, which may have been drawn since the last look."""
        number = table.state.shoe.number
        if not number or table.chance.knows(number):
            return table
        table_id = table.head.table_id
        sealed = await self._store.load_shoes(table_id, number)
        return replace(table, chance=self._shoes.chance(table_id, table.state.rules, sealed))

    async def _state_before(self, first: JournalRow, blank: State) -> State:
        """The state that a row was appended to; one that opens a round inherits nothing."""
        if isinstance(events_of(first.events)[0], TableOpened | RoundOpened):
            return blank
        state = blank
        for row in await self._store.load_round(first.table_id, first.round, first.version - 1):
            state = fold(state, events_of(row.events))
        return state
