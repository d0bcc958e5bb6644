"""Kept hashes: the hashes of tables that others have in receipts and digests.

A database that was rewritten consistently, or truncated, has no contradictions; only a hash kept
from before shows the change. A digest lists all tables of its time in the order of their ids, so it
is read in step with the database and never as a whole.
"""

from collections.abc import Iterable, Iterator, Mapping
from heapq import merge

import msgspec


class KeptHash(msgspec.Struct, frozen=True):
    """The service once signed that this table's row `version` has this hash (32 bytes); `source` is
    the file that says so."""

    table_id: str
    version: int
    hash: bytes
    source: str


KeptRows = Mapping[int, list[KeptHash]]
"""The kept hashes of one table, by version."""


class KeptHashes:
    """Kept hashes from several sources, each ordered by table."""

    def __init__(self, sources: Iterable[Iterable[KeptHash]]) -> None:
        self._coming = merge(*sources, key=lambda known: known.table_id)
        self._next = next(self._coming, None)

    def take(self, last: str) -> dict[str, KeptRows]:
        """The kept hashes of the next tables, up to and including the id `last` (empty: no end)."""
        taken: dict[str, dict[int, list[KeptHash]]] = {}
        for known in self._up_to(last):
            taken.setdefault(known.table_id, {}).setdefault(known.version, []).append(known)
        return dict(taken)

    def _up_to(self, last: str) -> Iterator[KeptHash]:
        while self._next and (not last or self._next.table_id <= last):
            yield self._next
            self._next = next(self._coming, None)
