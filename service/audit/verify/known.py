"""What others have kept of tables: the hashes in receipts and digests.

A database that was rewritten consistently, or cut, is right in itself; only who kept a hash from
before can tell. A digest names every table of its time, in the order of their ids, so it is read
beside the database and never held in memory.
"""

from collections.abc import Iterable, Iterator, Mapping
from heapq import merge

from service.audit.digest.evidence import Known

KnownRows = Mapping[int, list[Known]]
"""Of one table, by version."""


class KnownHashes:
    """Kept hashes from several sources, each of them ordered by table."""

    def __init__(self, sources: Iterable[Iterable[Known]]) -> None:
        self._coming = merge(*sources, key=lambda known: known.table_id)
        self._next = next(self._coming, None)

    def take(self, last: str) -> dict[str, KnownRows]:
        """Those of all tables that come next, up to and including an id (empty: without end)."""
        taken: dict[str, dict[int, list[Known]]] = {}
        for known in self._up_to(last):
            taken.setdefault(known.table_id, {}).setdefault(known.version, []).append(known)
        return dict(taken)

    def _up_to(self, last: str) -> Iterator[Known]:
        while self._next and (not last or self._next.table_id <= last):
            yield self._next
            self._next = next(self._coming, None)
