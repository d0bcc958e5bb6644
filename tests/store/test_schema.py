"""What the schema promises: it can be spread over machines, and history cannot be rewritten."""

import re
import subprocess
import sys
import threading
from collections.abc import Iterator

import psycopg
import pytest

from db.connections import Connection, connect
from db.load import LOAD
from db.migrate import migrate
from db.schema import current_revision, newest_revision
from tests.database import Databases
from tests.store.steps import step

RELATIONS_OF_TABLES = {"journal", "table_head", "shoe", "seat", "round_summary", "round_void"}


@pytest.fixture
def owner(owner_database: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(owner_database) as connection:
        yield connection


def test_every_key_of_a_tables_data_begins_with_the_table(owner: psycopg.Connection) -> None:
    keys = owner.execute(
        "SELECT i.indrelid::regclass::text, i.indexrelid::regclass::text, a.attname"
        " FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]"
        " JOIN pg_class c ON c.oid = i.indrelid"
        " WHERE c.relnamespace = 'public'::regnamespace AND i.indisunique"
        " AND EXISTS (SELECT FROM pg_attribute t WHERE t.attrelid = c.oid"
        " AND t.attname = 'table_id')"
    ).fetchall()
    assert {relation for relation, _, _ in keys} == RELATIONS_OF_TABLES
    assert [key for key in keys if key[2] != "table_id"] == []


@pytest.mark.parametrize(
    "forbidden",
    [
        "SELECT conname FROM pg_constraint WHERE contype = 'f'",
        "SELECT relname FROM pg_class WHERE relkind = 'S'",
        "SELECT tgname FROM pg_trigger",
        "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
    ],
    ids=["foreign keys", "sequences", "triggers", "functions"],
)
def test_nothing_that_cannot_be_spread(owner: psycopg.Connection, forbidden: str) -> None:
    assert owner.execute(forbidden.encode()).fetchall() == []


def test_the_runtime_role_has_the_rights_that_it_needs_and_no_more(
    owner: psycopg.Connection,
) -> None:
    rights = owner.execute(
        "SELECT relation.relname, string_agg(wanted.name, ' ' ORDER BY wanted.name)"
        " FROM pg_class relation CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE',"
        " 'TRUNCATE', 'TRIGGER', 'REFERENCES']) AS wanted (name)"
        " WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v')"
        " AND has_table_privilege('croupier_service', relation.oid, wanted.name)"
        " GROUP BY relation.relname"
    ).fetchall()
    assert dict(rights) == {
        "journal": "INSERT SELECT",
        "shoe": "INSERT SELECT",
        "round_summary": "INSERT SELECT",
        "round_void": "INSERT SELECT",
        "rule_set": "INSERT SELECT",
        "table_head": "INSERT SELECT UPDATE",
        "operator": "INSERT SELECT UPDATE",
        "serving_time": "SELECT UPDATE",
        "interruption": "INSERT SELECT",
        "seat": "DELETE INSERT SELECT UPDATE",
        "events": "SELECT",
        "croupier_version": "SELECT",
    }


@pytest.mark.parametrize(
    "rewriting", ["UPDATE journal SET events = '[]'", "DELETE FROM journal", "TRUNCATE journal"]
)
def test_the_service_cannot_rewrite_history(database: str, rewriting: str) -> None:
    with (
        psycopg.connect(database) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(rewriting.encode())


def test_one_row_an_event_for_readers_with_sql(owner: psycopg.Connection) -> None:
    row = step("t1", 1, request_id="r1").row
    owner.execute(
        "INSERT INTO journal VALUES (%s, 1, 1, 'ann', 'r1', %s, %s, %s, 1, %s)",
        (row.table_id, row.command, row.events, row.at, row.hash),
    )
    found = owner.execute(
        "SELECT position, type, event ->> 'card', extract(epoch FROM at)::bigint FROM events"
        " ORDER BY position"
    ).fetchall()
    assert found == [
        (1, "CardDealt", "AS", 4_000_000_000),
        (2, "CardDealt", "TD", 4_000_000_000),
    ]


def test_services_that_start_at_once_migrate_in_turn(databases: Databases) -> None:
    name = databases.create_empty()
    failures: list[BaseException] = []

    def start() -> None:
        try:
            migrate(databases.conninfo(name))
        except BaseException as error:  # noqa: BLE001 - shown by the assertion
            failures.append(error)

    services = [threading.Thread(target=start) for _ in range(3)]
    for service in services:
        service.start()
    for service in services:
        service.join()
    assert failures == []
    with psycopg.connect(databases.conninfo(name)) as connection:
        assert connection.execute("SELECT count(*) FROM journal").fetchone() == (0,)
    databases.drop(name)


def test_the_newest_file_is_the_newest_revision(databases: Databases) -> None:
    with psycopg.connect(databases.conninfo(databases.template)) as connection:
        assert current_revision(connection) == newest_revision()


def test_a_start_on_a_current_schema_does_without_alembic(owner_database: str) -> None:
    program = (
        "import sys; from db.migrate import migrate; migrate(sys.argv[1]); print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", program, owner_database],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert "psycopg" in loaded
    assert "sqlalchemy" not in loaded


async def test_no_call_reads_a_whole_journal(database: str, owner_database: str) -> None:
    """One long table is what misleads the planner: its last round seems to be a third of all."""
    with psycopg.connect(owner_database, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO journal SELECT 't1', n, n / 6, 'ann', 'r' || n, repeat('c', 200),"
            " repeat('e', 400), n, 1, '' FROM generate_series(1, 4000) AS n"
        )
        owner.execute(
            "INSERT INTO table_head SELECT 't1', 'house', 'ann', 'single', '{}', 1, 4000, '',"
            " 'turns', 666, 3996, 1, 0, 4000"
        )
        owner.execute("VACUUM ANALYZE")
    asked = {"table_id": "t1", "actor": "ann", "request_id": "r7"}
    async with connect(database, size=1) as single:

        async def work(connection: Connection) -> str:
            # Prepared, as the service runs it; with the rows that each step reads.
            names = {name: f"${place}" for place, name in enumerate(asked, start=1)}
            await connection.execute(f"PREPARE load AS {LOAD.decode() % names}".encode())
            plan = await connection.execute("EXPLAIN (ANALYZE) EXECUTE load ('t1', 'ann', 'r7')")
            return "\n".join(line for (line,) in await plan.fetchall())

        plan = await single.run(work)
    assert "Seq Scan" not in plan
    assert max(float(rows) for rows in re.findall(r"actual .*?rows=([\d.]+)", plan)) <= 10
