"""Where games are kept: never where a variable, a pooler or a foreign schema would have them."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.pq import Conninfo

from db.migrate import migrate, require_schema
from db.pooler import require_sessions
from db.rights import RIGHTS, RUNTIME_ROLE, VERSION_TABLE
from service.journal.ports import StoreUnavailable
from tests.crash.server_process import CROUPIER
from tests.trouble.below import Server, pgbouncer, running, serving

PGBOUNCER = "/usr/sbin/pgbouncer"
needs_pgbouncer = pytest.mark.skipif(
    not Path(PGBOUNCER).exists(), reason="needs PgBouncer (Debian: pgbouncer)"
)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running() as server:
        yield server


@pytest.fixture
def empty(server: Server) -> Iterator[str]:
    """A new database."""
    server.sql("CREATE DATABASE another TEMPLATE template0")
    yield server.conninfo(database="another")
    server.sql("DROP DATABASE another")


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def said(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that a command ended with."""
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    return line


def libpq_variables() -> dict[str, str]:
    """Every variable that libpq reads, each with something that leads elsewhere or nowhere."""
    known = {one.envvar.decode() for one in Conninfo.get_defaults() if one.envvar}
    others = {"PGSERVICEFILE", "PGSYSCONFDIR", "PGTZ", "PGDATESTYLE", "PGGEQO", "PGDATA"}
    return dict.fromkeys(known | others, "nonsense") | {
        "PGHOSTADDR": "127.0.0.1",
        "PGPORT": "9",
        "PGOPTIONS": "-c default_transaction_read_only=on",
    }


def test_libpqs_variables_do_not_move_the_games_of_an_embedded_server(server: Server) -> None:
    folder = server.folder / "embedded"
    settings = {"CROUPIER_DATABASE_URL": "", "CROUPIER_DATA_FOLDER": str(folder)}
    assert {"PGHOST", "PGHOSTADDR", "PGSERVICE"} <= libpq_variables().keys()
    with serving(server, settings={**libpq_variables(), **settings}) as game:
        game.plays()
        done = run(
            *CROUPIER,
            "verify",
            "--table",
            game.table,
            **libpq_variables(),
            CROUPIER_DATABASE_URL="",
            CROUPIER_DATA_FOLDER=str(folder),
        )
        assert done.returncode == 0, done.stderr


@needs_pgbouncer
def test_a_pooler_that_keeps_sessions_will_do(server: Server) -> None:
    with pgbouncer(server, PGBOUNCER, "session") as pooled, serving(server, pooled) as game:
        for _ in range(5):
            game.plays()


@needs_pgbouncer
@pytest.mark.parametrize("size", [1, 2, 20])
@pytest.mark.parametrize("mode", ["transaction", "statement"])
def test_a_pooler_that_keeps_none_is_refused(server: Server, mode: str, size: int) -> None:
    with pgbouncer(server, PGBOUNCER, mode, size) as pooled:
        with pytest.raises(StoreUnavailable, match="session mode"):
            require_sessions(pooled)
        if size == 20:
            assert "session mode" in said(
                run(
                    *CROUPIER,
                    "serve",
                    CROUPIER_DATABASE_URL=pooled,
                    CROUPIER_TOKEN_SECRET="t" * 40,
                    CROUPIER_SEALING_KEYS=f"k1:{'5e' * 32}",
                    CROUPIER_SIGNING_KEYS=f"s1:{'51' * 32}",
                )
            )


_VERSION = "CREATE TABLE alembic_version AS SELECT "
FOREIGN = {
    "another program's Alembic": _VERSION + "'d259a9bca9e7' version_num",
    "one that would be ours": _VERSION + "'0005' version_num",
    "a newer number": _VERSION + "'9999' version_num",
    "without Alembic": "CREATE TABLE operator (id int)",
    "a view": "CREATE VIEW events AS SELECT 1",
}


@pytest.mark.parametrize("foreign", FOREIGN.values(), ids=FOREIGN)
def test_another_programs_schema_is_left_alone(server: Server, empty: str, foreign: str) -> None:
    with psycopg.connect(empty) as connection:
        connection.execute(foreign.encode())
        connection.execute("CREATE TABLE account (id int)")
    for what in (migrate, require_schema):
        with pytest.raises(StoreUnavailable, match=r"another program's schema \(account, \w+"):
            what(empty)
    assert "another program's schema" in said(run(*CROUPIER, "migrate", empty))
    with psycopg.connect(empty) as connection:
        found = connection.execute(
            "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"
        ).fetchone()
    assert found == (2,)


def test_the_relations_of_an_extension_are_nobodys_schema(empty: str) -> None:
    with psycopg.connect(empty) as connection:
        connection.execute("CREATE EXTENSION pg_stat_statements")
    assert migrate(empty) == ""
    require_schema(empty)


def test_a_schema_of_the_former_release_goes_on(empty: str) -> None:
    migrate(empty)
    with psycopg.connect(empty) as connection:
        connection.execute(f"ALTER TABLE {VERSION_TABLE} RENAME TO alembic_version")
    require_schema(empty)
    migrate(empty)
    with psycopg.connect(empty) as connection:
        found = connection.execute("SELECT to_regclass('alembic_version')").fetchone()
    assert found == (None,)
    require_schema(empty)


def test_a_newer_schema_is_left_as_it_is(empty: str) -> None:
    migrate(empty)
    with psycopg.connect(empty) as connection:
        connection.execute(f"UPDATE {VERSION_TABLE} SET version_num = 'a-later-one'")
    require_schema(empty)
    assert migrate(empty) == ""


@pytest.mark.parametrize("lost", ["seat", "round_void", "events"])
def test_a_schema_that_lacks_something_is_told(empty: str, lost: str) -> None:
    migrate(empty)
    kind = "VIEW" if lost == "events" else "TABLE"
    with psycopg.connect(empty) as connection:
        connection.execute(f"DROP {kind} {lost}".encode())
    for what in (migrate, require_schema):
        with pytest.raises(StoreUnavailable, match=f"lacks {lost}"):
            what(empty)


def rights(conninfo: str) -> dict[str, set[str]]:
    with psycopg.connect(conninfo) as connection:
        rows = connection.execute(
            "SELECT table_name, privilege_type FROM information_schema.role_table_grants"
            " WHERE grantee = %s",
            [RUNTIME_ROLE],
        ).fetchall()
    held: dict[str, set[str]] = {}
    for name, right in rows:
        held.setdefault(name, set()).add(right)
    return held


@pytest.mark.parametrize(
    "harm",
    [
        f"REVOKE INSERT ON journal FROM {RUNTIME_ROLE}",
        f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {RUNTIME_ROLE}",
        f"GRANT UPDATE, DELETE ON journal TO {RUNTIME_ROLE}",
        f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {RUNTIME_ROLE}",
    ],
)
def test_rights_are_mended(empty: str, harm: str) -> None:
    migrate(empty)
    with psycopg.connect(empty) as connection:
        connection.execute(harm.encode())
    assert rights(empty) != RIGHTS
    assert migrate(empty) == ""
    assert rights(empty) == RIGHTS


def test_rights_that_come_another_way_are_told(empty: str) -> None:
    migrate(empty)
    with psycopg.connect(empty) as connection:
        connection.execute("GRANT DELETE ON journal TO PUBLIC")
    assert "journal" in migrate(empty)
    assert "journal" in said(run(*CROUPIER, "migrate", empty))


def test_a_copy_in_another_cluster_gets_role_and_rights(server: Server, empty: str) -> None:
    migrate(empty)
    dumped = run(server.program("pg_dump"), "--dbname", empty)
    assert dumped.returncode == 0, dumped.stderr
    with running() as other:
        other.sql("CREATE DATABASE restored", f"DROP OWNED BY {RUNTIME_ROLE}")
        other.sql(f"DROP ROLE {RUNTIME_ROLE}")
        restored = other.conninfo(database="restored")
        loaded = subprocess.run(
            [server.program("psql"), "--quiet", restored],
            input=dumped.stdout,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert f'role "{RUNTIME_ROLE}" does not exist' in loaded.stderr
        assert rights(restored) == {}
        assert migrate(restored) == ""
        assert rights(restored) == RIGHTS
        with serving(other, other.conninfo(user=RUNTIME_ROLE, database="restored")) as game:
            game.plays()


def test_who_may_not_make_the_role_is_told_what_to_do(server: Server) -> None:
    with running() as other:
        other.sql(
            "CREATE ROLE plain LOGIN",
            "CREATE DATABASE plain OWNER plain",
            f"DROP OWNED BY {RUNTIME_ROLE}",
            f"DROP ROLE {RUNTIME_ROLE}",
        )
        told = migrate(other.conninfo(user="plain", database="plain"))
        assert f"CREATE ROLE {RUNTIME_ROLE} LOGIN" in told
        other.sql(f"CREATE ROLE {RUNTIME_ROLE} LOGIN")
        assert migrate(other.conninfo(user="plain", database="plain")) == ""


@pytest.mark.parametrize(
    "name",
    ["a" * 120, "with, comma", 'it\'s "x" 100% größe\\'],
    ids=["long", "comma", "other signs"],
)
def test_folders_of_any_name_will_do(server: Server, name: str) -> None:
    folder = server.folder / "places" / name
    folder.mkdir(parents=True)
    for each in (folder, folder.parent):
        each.chmod(0o777)
    settings = {
        "CROUPIER_DATABASE_URL": "",
        "CROUPIER_DATA_FOLDER": str(folder / "data"),
        "TMPDIR": str(folder),
    }
    with serving(server, settings=settings) as game:
        game.plays()


def test_a_locale_that_is_not_there_will_do(server: Server) -> None:
    nowhere = dict.fromkeys(("LC_ALL", "LANG", "TZ", "LANGUAGE"), "xx_NOWHERE.no-such-thing")
    folder = str(server.folder / "locale")
    settings = {"CROUPIER_DATABASE_URL": "", "CROUPIER_DATA_FOLDER": folder, **nowhere}
    with serving(server, settings=settings) as game:
        game.plays()
