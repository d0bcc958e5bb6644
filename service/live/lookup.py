"""What is found of a table without opening it: its head, its journal as stored, which rounds are
void.

What belongs to another operator does not exist here: both read the same.
"""

from collections.abc import Mapping, Sequence

from service.journal.ports import Catalog, Head, JournalRow, VoidRow
from service.rules.reasons import Reason, Refused

RoundId = tuple[str, int]
"""A table, and the number of a round there."""


class Lookup:
    """Looks tables up on behalf of one operator's callers."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

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


def no_such_table(table_id: str) -> Refused:
    """The refusal of a table that does not exist, or may not be seen: both read the same."""
    return Refused(Reason.TABLE_NOT_FOUND, f"there is no table {table_id!r}", table_id=table_id)


def refuse_stranger(head: Head, operator: str) -> None:
    """Refuse a table of another operator as if it did not exist."""
    if head.operator != operator:
        raise no_such_table(head.table_id)
