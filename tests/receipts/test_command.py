"""`croupier digest` and `croupier receipt` on a real database."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from db.heads import snapshot_of_heads
from service.cli.app import app
from service.journal.ports import StoreUnavailable
from service.keys.signing import parse_signing_keys
from tests.receipts.test_files import KEYS, receipt

SEED = f"s1:{'31' * 32}"
TABLES = """
INSERT INTO table_head (table_id, operator, owner, rule_set_id, rule_set, opened_at, version, hash,
                        phase, round, round_version, shoe, deadline, at)
SELECT 't' || n, CASE WHEN n %% 2 = 0 THEN 'house' ELSE 'rival' END, 'ann', 'preset', '{}', n,
       n + 1, sha256(n::text::bytea), 'settled', 1, 1, 1, 0, n
FROM generate_series(%s::int, %s::int) AS n
"""

Run = Callable[..., str]
Owner = psycopg.Connection[tuple[object, ...]]


@pytest.fixture
def owner(owner_database: str) -> Iterator[Owner]:
    with psycopg.connect(owner_database, autocommit=True) as connection:
        connection.execute(TABLES, [1, 20])
        yield connection


@pytest.fixture
def run(database: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """The command line on the test's own database and folder; what it printed."""
    monkeypatch.setenv("CROUPIER_DATABASE_URL", database)
    monkeypatch.setenv("CROUPIER_SIGNING_KEYS", SEED)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, status: int = 0) -> str:
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == status, result.output
        return result.output

    return run


def test_digests_are_made_one_after_another_and_checked(
    run: Run, owner: Owner, tmp_path: Path
) -> None:
    assert "digest 1 of all operators, 20 tables" in run("digest", "--out", "1")
    owner.execute(TABLES, [21, 25])
    owner.execute("UPDATE table_head SET version = 99, hash = sha256('x') WHERE table_id = 't7'")
    assert "digest 2 of all operators, 25 tables" in run("digest", "--out", "2", "--previous", "1")
    said = run("digest", "--check", "1", "2").splitlines()
    assert [line[:8] for line in said] == ["1: holds", "2: holds"]

    proof = run("digest", "--prove", "t7", "2")
    (tmp_path / "proof").write_text(proof)
    assert "table t7 was at version 99" in run("digest", "--check", "proof")
    assert "has no table 'x'" in run("digest", "--prove", "x", "2", status=1)
    (tmp_path / "proof").write_text(proof.replace('"version":99', '"version":98'))
    assert "does not lead" in run("digest", "--check", "proof", status=1)
    assert "does not name" in run("digest", "--check", "2", "1", status=1)


def test_a_digest_of_one_operator(run: Run, owner: Owner, tmp_path: Path) -> None:
    said = run("digest", "--out", "house", "--operator", "house")
    assert "digest 1 of operator house, 10 tables" in said
    ids = [json.loads(line)[0] for line in (tmp_path / "house").read_text().splitlines()[1:]]
    rows = owner.execute("SELECT table_id FROM table_head WHERE operator = 'house'").fetchall()
    assert ids == sorted(str(row[0]) for row in rows)
    assert "0 tables" in run("digest", "--out", "none", "--operator", "nobody")


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("DELETE FROM table_head WHERE table_id = 't7'", "table t7 of 1 is gone"),
        ("UPDATE table_head SET version = 2 WHERE table_id = 't7'", "t7 is at version 2"),
        ("UPDATE table_head SET hash = 'x' WHERE table_id = 't7'", "version 8 of table t7"),
        ("DELETE FROM table_head", "table t1 of 1 is gone"),
    ],
)
def test_what_contradicts_a_published_digest_is_not_published(
    run: Run,
    owner: Owner,
    tmp_path: Path,
    statement: str,
    message: str,
) -> None:
    run("digest", "--out", "1")
    owner.execute(statement.encode())
    assert message in run("digest", "--out", "2", "--previous", "1", status=1)
    assert not (tmp_path / "2").exists()
    assert "never replaced" in run("digest", "--out", "1", status=1)


def test_public_keys_and_receipts(run: Run, tmp_path: Path) -> None:
    published = [
        {"keyId": key_id, "algorithm": "Ed25519", "publicKey": key.hex()}
        for key_id, key in KEYS.by_id.items()
    ]
    (tmp_path / "keys").write_text(json.dumps({"signingKeys": published}))
    (tmp_path / "kept").write_text(json.dumps([receipt(0), receipt(1)]))
    said = run("receipt", "kept", "--keys", "keys")
    assert said.count("kept: holds: table") == 2
    # The settings' own key has the same id as that of the receipt, and is another one.
    assert "key 's1' did not sign this" in run("receipt", "kept", status=1)

    run("digest", "--out", "d")
    assert "did not sign" in run("digest", "--check", "d", "--keys", "keys", status=1)
    own = parse_signing_keys(SEED).public.by_id["s1"]
    published = [{"keyId": "s1", "algorithm": "Ed25519", "publicKey": own.hex()}]
    (tmp_path / "keys").write_text(json.dumps(published))
    assert "d: holds" in run("digest", "--check", "d", "--keys", "keys")


@pytest.mark.parametrize(
    "arguments",
    [
        ["digest"],
        ["digest", "--out", "a", "--check"],
        ["digest", "--prove", "t"],
        ["digest", "--prove", "t", "a", "b"],
        ["digest", "--out", "a", "b"],
        ["receipt"],
    ],
)
def test_what_makes_no_sense(arguments: list[str]) -> None:
    assert CliRunner().invoke(app, arguments).exit_code == 2


def test_without_files_or_database_there_is_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert "name the digests" in run("digest", "--check", status=1)
    assert "No such file" in run("digest", "--check", "x", status=1)
    away = "host=127.0.0.1 port=1 connect_timeout=1"
    assert "refused" in run("digest", "--out", "d", "--database", away, status=1)
    nonsense = ("--database", "nonsense=1")
    assert "is not a connection string" in run("digest", "--out", "d", *nonsense, status=1)
    monkeypatch.setenv("CROUPIER_SIGNING_KEYS", "")
    monkeypatch.setenv("CROUPIER_DATA_FOLDER", str(tmp_path / "data"))
    assert "there are no signing keys" in run("digest", "--out", "d", status=1)
    assert "with --keys" in run("digest", "--check", "d", status=1)
    monkeypatch.setenv("CROUPIER_SIGNING_KEYS", SEED)
    monkeypatch.setenv("CROUPIER_DATABASE_URL", "")
    assert "has no data" in run("digest", "--out", "d", status=1)
    assert list(tmp_path.iterdir()) == []


def test_a_snapshot_stays_as_it_was(
    database: str, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("db.heads.ROWS_AT_ONCE", 5)
    with snapshot_of_heads(database, "") as (made_at, rows):
        seen = [next(rows)]
        owner.execute(TABLES, [100, 120])
        owner.execute("UPDATE table_head SET version = 0")
        owner.execute("DELETE FROM table_head WHERE table_id = 't5'")
        seen += rows
    assert made_at > 1_700_000_000_000_000
    assert sorted(seen) == seen
    assert sorted(version for _, version, _ in seen) == list(range(2, 22))


def test_a_database_without_our_schema(databases: object, owner_database: str) -> None:
    with psycopg.connect(owner_database, autocommit=True) as connection:
        connection.execute("ALTER TABLE table_head RENAME TO something")
    with (
        pytest.raises(StoreUnavailable, match="table_head"),
        snapshot_of_heads(owner_database, ""),
    ):
        pass
