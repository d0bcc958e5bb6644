"""What others have kept of tables: the hashes in receipts and digests.

A database that was rewritten consistently, or cut, is right in itself; only who kept a hash from
before can tell. A digest names every table of its time, in the order of their ids, so it is read
beside the database and never held in memory.
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
"""Of one table, by version."""


class KeptHashes:
    """Kept hashes from several sources, each of them ordered by table."""

    def __init__(self, sources: Iterable[Iterable[KeptHash]]) -> None:
        self._coming = merge(*sources, key=lambda known: known.table_id)
        self._next = next(self._coming, None)

    def take(self, last: str) -> dict[str, KeptRows]:
        """Those of all tables that come next, up to and including an id (empty: without end)."""
        taken: dict[str, dict[int, list[KeptHash]]] = {}
        for known in self._up_to(last):
            taken.setdefault(known.table_id, {}).setdefault(known.version, []).append(known)
        return dict(taken)

    def _up_to(self, last: str) -> Iterator[KeptHash]:
        while self._next and (not last or self._next.table_id <= last):
            yield self._next
            self._next = next(self._coming, None)
