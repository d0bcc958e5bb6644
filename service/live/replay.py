"""Replay: a table as it was, from its journal: as of one row, or change by change for a watcher who
has missed some."""

from collections.abc import AsyncGenerator, Sequence

from msgspec.structs import replace

from service.journal.codec import events_of
from service.journal.deciders import decider_of
from service.journal.ports import Catalog, Head, JournalRow, Store
from service.journal.text import rule_set_of
from service.live.live_table import LiveTable, table_after, table_at
from service.shoes.vault import Vault
from service.table.events import RoundOpened, TableOpened
from service.table.state import State

PAGE = 200
"""Rows that are read at once."""


class Replay:
    """Replays tables from a version on."""

    def __init__(self, store: Store, catalog: Catalog, vault: Vault) -> None:
        self._store = store
        self._catalog = catalog
        self._vault = vault

    async def after(self, head: Head, version: int) -> AsyncGenerator[LiveTable, None]:
        """The table after each row later than a version, in order, as far as there are any.

        `head` is the table's at whatever version: only what never changes is taken from it.
        """
        table_id = head.table_id
        rows = await self._catalog.journal(table_id, 0, version, PAGE)
        if not rows:
            return
        engine = rows[0].engine
        rules = rule_set_of(head.rule_set)
        chance = self._vault.chance(table_id, rules, ())
        before = await self._state_before(rows[0], decider_of(engine).initial_state(rules))
        table = LiveTable(head, before, chance, (), engine)
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
        return replace(table, chance=self._vault.chance(table_id, table.state.rules, sealed))

    async def _state_before(self, first: JournalRow, blank: State) -> State:
        """The state that a row was appended to; one that opens a round inherits nothing."""
        if isinstance(events_of(first.events)[0], TableOpened | RoundOpened):
            return blank
        state = blank
        for row in await self._store.load_round(first.table_id, first.round, first.version - 1):
            state = decider_of(row.engine).fold(state, events_of(row.events))
        return state


async def table_as_of(
    store: Store, vault: Vault, head: Head, row: JournalRow, rows: Sequence[JournalRow] = ()
) -> LiveTable:
    """The table as it was after a row; `rows` are those of the current round, if at hand."""
    table_id = head.table_id
    if row.round != head.round or not rows:
        rows = await store.load_round(table_id, row.round, row.version)
    until_row = [one for one in rows if one.version <= row.version]
    sealed = await store.load_shoes(table_id, 1)
    chance = vault.chance(table_id, rule_set_of(head.rule_set), sealed)
    table = table_at(head, until_row, chance)
    as_of = replace(
        head,
        version=row.version,
        hash=row.hash,
        phase=table.state.phase.value,
        round=row.round,
        deadline=table.state.deadline,
        at=row.at,
    )
    return replace(table, head=as_of)
