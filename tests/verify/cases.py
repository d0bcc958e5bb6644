"""Cases of tampering: what is done to a table, and what verification has to say of it.

Whoever does it owns the database. Where he covers his tracks the hashes are made whole again. Each
case is rolled back.
"""

from collections.abc import Callable
from typing import NamedTuple

import psycopg
import pytest

from db.audit_reader import PostgresAuditReader
from service.audit.verify.redecide import Redecider
from service.audit.verify.verifier import Verifier
from service.shoes.sealing import SealingKeys
from tests.database import Databases
from tests.verify.conftest import Played
from tests.verify.judging import InTransaction
from tests.verify.tampering import Owner


class Found(NamedTuple):
    """What verification has to say: the row (0: none), the fault, a part of the message."""

    version: int
    kind: str
    message: str


Tamper = Callable[[Owner], Found]


class Case(NamedTuple):
    """A way to tamper with one of the tables that were played."""

    table: str
    tamper: Tamper
    keys: SealingKeys | None
    decides_again: bool


class Cases:
    """The cases of a file, by decorator."""

    def __init__(self) -> None:
        self._cases: list[Case] = []

    def __call__(
        self, table: str, keys: SealingKeys | None = None, *, decides_again: bool = True
    ) -> Callable[[Tamper], Tamper]:
        """Without `decides_again` rows are only folded: then the other checks stand alone."""

        def add(tamper: Tamper) -> Tamper:
            self._cases.append(Case(table, tamper, keys, decides_again))
            return tamper

        return add

    @property
    def parameters(self) -> list[object]:
        """For pytest, each under its name."""
        return [pytest.param(case, id=case.tamper.__name__) for case in self._cases]


async def check(databases: Databases, played: Played, case: Case) -> None:
    """Tamper, verify, roll back: the table, the row and the fault are named."""
    table_id = played.tables[case.table]
    patch = pytest.MonkeyPatch()
    if not case.decides_again:
        patch.setattr(Redecider, "_decide_now", lambda *_: None)
        patch.setattr(Redecider, "decide_waiting", lambda _: None)
    with psycopg.connect(databases.conninfo(played.database)) as connection:
        found = case.tamper(Owner(connection, table_id))
        reader = PostgresAuditReader(InTransaction(connection))
        verdict = await Verifier(reader, case.keys).verify_table(table_id)
        connection.rollback()
    patch.undo()
    assert verdict is not None
    fault = verdict.fault
    assert fault is not None
    assert (fault.version, fault.kind) == (found.version, found.kind), fault
    assert found.message in fault.message
