"""What is found of a table without opening it: its head, its journal as stored, which rounds are
void.

What belongs to another operator does not exist here, and a private table exists only for its
operator, for whoever has ever done something at it, and for who brings its join code. All that does
not exist reads the same, and takes the same queries.
"""

from collections.abc import Mapping, Sequence

import msgspec

from service.journal.ports import Catalog, Head, JournalRow, VoidRow
from service.keys.table_keys import TableKeys
from service.rules.reasons import Reason, Refused

RoundId = tuple[str, int]
"""A table, and the number of a round there."""


class Asker(msgspec.Struct, frozen=True):
    """On whose behalf a table is looked up: a player of an operator, or the operator (`player`
    empty); `code` is the join code that came along, if one did."""

    operator: str
    player: str = ""
    code: str = ""


class Lookup:
    """Looks tables up for those who may see them."""

    def __init__(self, catalog: Catalog, keys: TableKeys) -> None:
        self._catalog = catalog
        self._keys = keys

    async def head(self, table_id: str, asker: Asker) -> Head:
        """Where a table stands that the asker sees."""
        opens = self._keys.opens(table_id, asker.code)
        found = await self._catalog.head_for(table_id, asker.player)
        if found is None:
            raise no_such_table(table_id)
        head, played = found
        refuse_stranger(head, asker.operator)
        if head.private and asker.player and not (played or opens):
            raise no_such_table(table_id)
        return head

    async def voids(self, rounds: Sequence[RoundId]) -> Mapping[RoundId, VoidRow]:
        """Which of these rounds are void, and why."""
        voids = await self._catalog.voids(rounds) if rounds else ()
        return {(void.table_id, void.round): void for void in voids}

    async def journal(
        self, table_id: str, asker: Asker, round: int, after_version: int, limit: int
    ) -> Sequence[JournalRow]:
        """Rows of a table's journal after a version; with `round` (not 0) only of that round."""
        await self.head(table_id, asker)
        return await self._catalog.journal(table_id, round, after_version, limit)


def no_such_table(table_id: str) -> Refused:
    """The refusal of a table that does not exist, or may not be seen: both read the same."""
    return Refused(Reason.TABLE_NOT_FOUND, f"there is no table {table_id!r}", table_id=table_id)


def refuse_stranger(head: Head, operator: str) -> None:
    """Refuse a table of another operator as if it did not exist."""
    if head.operator != operator:
        raise no_such_table(head.table_id)
