"""Asking for verdicts, on a connection of the service's or within a transaction of the owner's."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import psycopg

from db.connections import Database
from service.audit.evidence.kept_hashes import KeptHash, KeptHashes
from service.audit.verify.verifier import Verifier
from service.records.verification import AuditReader, Scope, Verdict
from service.shoes.sealing import SealingKeys

T = TypeVar("T")


class InTransaction(Database):
    """Reads what a transaction sees that will be rolled back."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    async def select(
        self,
        record: Callable[..., T],
        query: bytes,
        parameters: dict[str, Any],
        prepare: bool | None = None,  # noqa: ARG002
    ) -> list[T]:
        cursor = self._connection.cursor(binary=True)
        return [record(*row) for row in cursor.execute(query, parameters).fetchall()]


async def verdicts(
    reader: AuditReader, keys: SealingKeys | None = None, known: Sequence[KeptHash] = ()
) -> dict[str, Verdict]:
    """The verdict on every table, by its id."""
    kept = KeptHashes([sorted(known, key=lambda one: one.table_id)])
    return {one.table_id: one async for one in Verifier(reader, keys).verify(Scope(), kept)}
