"""No alarm without a cause: whatever was played is right, whoever looks, and while play goes on."""

import time

import psycopg
import pytest
from psycopg import sql

from db.audit_reader import PostgresAuditReader
from db.connections import connect
from service.audit.verify import table as table_module
from service.audit.verify import verifier as verifier_module
from service.audit.verify.verifier import Verifier
from service.records.verification import FoundTable, Scope
from tests.database import Databases
from tests.verify.conftest import Played
from tests.verify.judging import InTransaction, verdicts
from tests.verify.playing import KEYS, Playing
from tests.verify.tampering import Owner


async def test_an_untouched_database_gives_no_alarm(databases: Databases, played: Played) -> None:
    async with connect(databases.runtime_conninfo(played.database), size=1) as connected:
        judged = await verdicts(PostgresAuditReader(connected))
    assert judged.keys() == set(played.tables.values())
    assert [one for one in judged.values() if one.fault] == []
    assert all(one.rows == one.version for one in judged.values())


async def test_cards_of_shoes_in_use_are_pending_without_the_keys(
    databases: Databases, played: Played
) -> None:
    async with connect(databases.runtime_conninfo(played.database), size=1) as connected:
        reader = PostgresAuditReader(connected)
        without, having = await verdicts(reader), await verdicts(reader, KEYS)
    running = without[played.tables["six-deck"]]
    assert running.hidden == 1
    assert running.unproved > 0
    finished = without[played.tables["ranked"]]
    assert (finished.hidden, finished.unproved, finished.pending) == (0, 0, 0)
    assert [one for one in having.values() if one.hidden or one.unproved or one.pending] == []
    assert [one for one in having.values() if one.fault] == []


async def test_a_peek_that_nobody_can_check_is_pending(databases: Databases) -> None:
    """The row is not a fault and not verified; when the card is up, it is verified."""
    name = databases.create()
    async with connect(databases.runtime_conninfo(name), size=1) as connected:
        playing = Playing(connected, time.time_ns() // 1000, seed=1)
        reader = PostgresAuditReader(connected)
        table_id = await playing.open("six-deck-h17", 1, {})
        while not playing.engine(table_id).state.dealer.peeked:
            await playing.play(table_id, playing.engine(table_id).state.round)
            await playing.start_round(table_id)
        pending = await Verifier(reader).verify_table(table_id)
        unsealed = await Verifier(reader, KEYS).verify_table(table_id)
        await playing.play(table_id, playing.engine(table_id).state.round)
        later = await Verifier(reader).verify_table(table_id)
    databases.drop(name)
    assert pending is not None
    assert unsealed is not None
    assert later is not None
    assert (pending.fault, pending.pending, pending.hidden) == (None, 1, 1)
    assert (unsealed.fault, unsealed.pending, unsealed.hidden) == (None, 0, 0)
    assert (later.fault, later.pending, later.hidden) == (None, 0, 0)


async def test_small_pages_give_the_same_verdicts(
    databases: Databases, played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connect(databases.runtime_conninfo(played.database), size=1) as connected:
        reader = PostgresAuditReader(connected)
        whole = await verdicts(reader, KEYS)
        monkeypatch.setattr(table_module, "ROWS_AT_ONCE", 7)
        monkeypatch.setattr(verifier_module, "ROWS_AT_ONCE", 7)
        monkeypatch.setattr(verifier_module, "TABLES_AT_ONCE", 2)
        assert await verdicts(reader, KEYS) == whole


async def test_it_goes_on_after_a_table_that_is_wrong(databases: Databases, played: Played) -> None:
    with psycopg.connect(databases.conninfo(played.database)) as connection:
        for name in ("six-deck", "rotating"):
            Owner(connection, played.tables[name]).sql("DELETE FROM seat WHERE table_id = $")
        Owner(connection, played.tables["vegas"]).sql("DELETE FROM table_head WHERE table_id = $")
        judged = await verdicts(PostgresAuditReader(InTransaction(connection)))
        connection.rollback()
    wrong = {name for name, table_id in played.tables.items() if judged[table_id].fault}
    assert wrong == {"six-deck", "rotating", "vegas"}
    assert judged.keys() == set(played.tables.values())


async def test_selecting_is_all_that_it_takes(databases: Databases, played: Played) -> None:
    role = sql.Identifier(f"auditor_of_{played.database}")
    with psycopg.connect(databases.conninfo(played.database)) as connection:
        connection.execute(sql.SQL("CREATE ROLE {}").format(role))
        connection.execute(
            sql.SQL(
                "GRANT SELECT ON journal, table_head, shoe, seat, round_summary, round_void TO {}"
            ).format(role)
        )
        connection.execute(sql.SQL("SET LOCAL ROLE {}").format(role))
        judged = await verdicts(PostgresAuditReader(InTransaction(connection)))
        connection.rollback()
    assert [one for one in judged.values() if one.fault] == []


class Hurried(PostgresAuditReader):
    """The table goes on while it is being verified, right after its head was read."""

    def __init__(self, playing: Playing, reader: PostgresAuditReader, table_id: str) -> None:
        super().__init__(reader._database)
        self._playing = playing
        self._table_id = table_id

    async def tables(self, scope: Scope, after: str, limit: int) -> list[FoundTable]:
        found = list(await super().tables(scope, after, limit))
        state = self._playing.engine(self._table_id).state
        await self._playing.play(self._table_id, state.round + 20)
        return found


async def test_play_that_goes_on_meanwhile_gives_no_alarm(databases: Databases) -> None:
    name = databases.create()
    async with connect(databases.runtime_conninfo(name), size=2) as connected:
        playing = Playing(connected, time.time_ns() // 1000, seed=3)
        table_id = await playing.open("rotating-banker", 4, {"penetration": "0.25", "decks": "4"})
        await playing.play(table_id, 10)
        reader = Hurried(playing, PostgresAuditReader(connected), table_id)
        verdict = await Verifier(reader, KEYS).verify_table(table_id)
    databases.drop(name)
    assert verdict is not None
    assert verdict.fault is None
    assert verdict.version < playing.engine(table_id).head.version
