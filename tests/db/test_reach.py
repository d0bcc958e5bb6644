"""A look at an embedded server's data: while a service has it, and when nobody does."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest

from db.embedded.data_folder import LONGEST_SOCKET_FOLDER
from db.embedded.server import EmbeddedPostgres, EmbeddedServerError
from db.reach import plain_refusals, reach
from service.journal.ports import StoreUnavailable


@pytest.fixture
def base() -> Iterator[Path]:
    # Not pytest's tmp_path: root's lies below a folder that the server's user cannot enter.
    base = Path(tempfile.mkdtemp(prefix="croupier-test-"))
    base.chmod(0o755)
    yield base
    shutil.rmtree(base)


def number_at(conninfo: str) -> tuple[object, ...] | None:
    with psycopg.connect(conninfo) as connection:
        return connection.execute("SELECT max(number) FROM kept").fetchone()


@pytest.mark.parametrize("name", ["data", "d" * LONGEST_SOCKET_FOLDER])
def test_data_is_reached_beside_a_service_and_without_one(base: Path, name: str) -> None:
    folder = base / name
    with EmbeddedPostgres(folder) as server:
        with psycopg.connect(server.conninfo()) as connection:
            connection.execute("CREATE TABLE kept (number int)")
            connection.execute("INSERT INTO kept VALUES (7)")
        with reach(folder, "croupier") as conninfo:
            assert number_at(conninfo) == (7,)
        assert server.pid
    with reach(folder, "croupier") as conninfo:
        assert number_at(conninfo) == (7,)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(conninfo)


def test_where_there_is_no_data_none_is_made(base: Path) -> None:
    with pytest.raises(EmbeddedServerError, match="has no data"), reach(base / "data"):
        pass
    assert not (base / "data").exists()


def test_a_database_that_can_not_be_reached() -> None:
    away = "host=127.0.0.1 port=1 dbname=croupier"
    with (
        pytest.raises(StoreUnavailable, match="Connection refused") as refusal,
        plain_refusals(away, "--database"),
    ):
        pass
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT 1 FROM nothing", 'relation "nothing" does not exist: .*croupier migrate'),
        (
            "SELECT 1 FROM pg_authid",
            "permission denied.*: connect as a role that has this right",
        ),
    ],
)
def test_what_a_database_refuses_says_what_would_help(
    database: str, query: LiteralString, said: str
) -> None:
    with (
        pytest.raises(StoreUnavailable, match=said) as refusal,
        plain_refusals(database, "--database") as named,
        psycopg.connect(named) as connection,
    ):
        connection.execute(query)
    assert "\n" not in str(refusal.value)
