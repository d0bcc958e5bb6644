"""What the database alone can't know: receipts and digests tell, by `croupier verify`."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from croupier.v1.history_service_pb2 import GetShoeResponse
from typer.testing import CliRunner

from db.catalog import PostgresCatalog
from db.connections import connect
from db.event_store import PostgresStore
from service.api.servicers.shoes import shoe_to_wire
from service.api.wire.receipts import receipt_to_wire
from service.cli.app import app
from service.cli.reports import row_progress as progress
from service.journal.ports import JournalRow
from service.keys.signing import parse_signing_keys
from service.live.receipts import Receipts
from service.rest.json_writer import to_json
from service.rules.hand import Action
from service.shoes.proofs import ProvedShoe, ShoeProver
from service.shoes.vault import Vault
from service.table import commands as c
from tests.database import Databases
from tests.verify.conftest import Played
from tests.verify.playing import KEYS, Playing
from tests.verify.tampering import Owner, Plain

SIGNING = f"s1:{'31' * 32}"
SEALING = f"k1:{bytes(range(32)).hex()}"

Run = Callable[..., str]


@pytest.fixture
def run(databases: Databases, copy: Played, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """The command line on a copy of what was played, in a folder of the test's own."""
    monkeypatch.setenv("CROUPIER_DATABASE_URL", databases.runtime_conninfo(copy.database))
    monkeypatch.setenv("CROUPIER_SIGNING_KEYS", SIGNING)
    monkeypatch.setenv("CROUPIER_SEALING_KEYS", SEALING)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, status: int = 0) -> str:
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == status, result.output
        return result.stdout

    return run


@contextmanager
def owner_of(databases: Databases, copy: Played, table: str) -> Iterator[Owner]:
    with psycopg.connect(databases.conninfo(copy.database), autocommit=True) as connection:
        yield Owner(connection, copy.tables[table])


def keep_receipt(owner: Owner, row: JournalRow, file: str) -> None:
    """What a player was given for the row that settled his round."""
    signed = Receipts(parse_signing_keys(SIGNING))._sign(
        "house", owner.table_id, row.round, row.version, row.at, row.hash
    )
    Path(file).write_text(to_json(receipt_to_wire(signed)).decode())


def test_evidence_agrees_with_an_untouched_database(
    databases: Databases, copy: Played, run: Run
) -> None:
    run("digest", "--out", "digest")
    with owner_of(databases, copy, "vegas") as owner:
        keep_receipt(owner, owner.row_with("RoundSettled", 5), "receipt")
    said = run("verify", "--all", "--digest", "digest", "--receipt", "receipt", "--unseal")
    assert said.splitlines()[-1] == "wrong tables: 0"


def test_a_cut_tail_is_found(databases: Databases, copy: Played, run: Run) -> None:
    with owner_of(databases, copy, "vegas") as owner:
        rows = owner.rows()
        last = owner.row_with("RoundSettled", 10)
        keep_receipt(owner, last, "receipt")
        owner.cut(last.version - 8)
    assert run("verify").splitlines()[-1] == "wrong tables: 0"
    said = run("verify", "--receipt", "receipt", status=1)
    assert f"table {owner.table_id}, row {last.version - 7}: known: " in said
    assert f"receipt receipt has row {last.version}" in said
    assert len(rows) > last.version


def test_a_table_that_was_removed_is_found(databases: Databases, copy: Played, run: Run) -> None:
    run("digest", "--out", "digest")
    with owner_of(databases, copy, "ranked") as owner:
        last = owner.head().version
        owner.remove()
    assert run("verify").splitlines()[-1] == "wrong tables: 0"
    for scope in ((), ("--table", owner.table_id), ("--operator", "house")):
        said = run("verify", *scope, "--digest", "digest", status=1)
        gone = f"there is no such table, but digest digest has its row {last}"
        assert f"table {owner.table_id}: known: {gone}" in said


def test_stand_rewritten_as_hit_is_found(databases: Databases, copy: Played, run: Run) -> None:
    """By the owner, who has the keys: he plays the table again from there, by the rules, with the
    same shoes. Nothing in the database is wrong; a player's receipt is all that tells."""
    with owner_of(databases, copy, "six-deck") as owner:
        row = owner.row(lambda row, _: '"action":"stand"' in row.command, 5)
        settled = next(
            one for one in owner.rows()[row.version - 1 :] if "RoundSettled" in one.events
        )
        keep_receipt(owner, settled, "receipt")
        length = owner.head().version
        owner.cut(row.version - 1)
        asyncio.run(_hit_instead(databases.runtime_conninfo(copy.database), row, length))
        assert owner.head().version >= length
    assert run("verify", "--unseal").splitlines()[-1] == "wrong tables: 0"
    said = run("verify", "--receipt", "receipt", status=1)
    assert f"table {owner.table_id}, row {settled.version}: known: " in said


async def _hit_instead(database: str, row: JournalRow, length: int) -> None:
    stood = json.loads(row.command)
    async with connect(database, size=1) as connected:
        playing = Playing(connected, time.time_ns() // 1000, seed=5)
        hit = c.Act(stood["player"], stood["decision"], Action.HIT)
        assert await playing.send(row.table_id, hit)
        while playing.engine(row.table_id).head.version < length:
            await playing.play(row.table_id, playing.engine(row.table_id).state.round)
            await playing.start_round(row.table_id)


def test_evidence_that_does_not_hold_is_no_evidence(
    databases: Databases, copy: Played, run: Run
) -> None:
    with owner_of(databases, copy, "vegas") as owner:
        keep_receipt(owner, owner.row_with("RoundSettled", 5), "receipt")
    file = Path("receipt")
    file.write_text(file.read_text().replace("house", "other"))
    run("verify", "--receipt", "receipt", status=2)


def test_proofs_tell_of_cards_in_a_shoe_in_use(
    databases: Databases, copy: Played, run: Run
) -> None:
    """As whoever has no keys checks them: with the API's proofs and the root in the journal."""
    keep_proofs(databases, copy, "vegas", "shoe.json")
    arguments = ("verify", "--table", copy.tables["vegas"], "--json")
    without = json.loads(run(*arguments).splitlines()[0])
    proved = json.loads(run(*arguments, "--proofs", "shoe.json").splitlines()[0])
    assert without["unproved"] > proved["unproved"] == 0
    with owner_of(databases, copy, "vegas") as owner:
        last = owner.head().shoe
        row = owner.row(
            lambda _, events: any(
                one["type"] == "ShoeOpened" and one["shoe"] == last for one in events
            )
        )
        dealt = next(one for one in json.loads(row.events) if one["type"] == "CardDealt")
        owner.edit(row, lambda events: _another_suit(events, dealt["position"]))
        owner.rehash()
    said = run("verify", "--proofs", "shoe.json", status=1)
    assert (
        f"row {row.version}: card: the card at position {dealt['position']} of shoe {last}" in said
    )


def _another_suit(events: list[Plain], position: int) -> None:
    dealt = next(one for one in events if one.get("position") == position)
    dealt["card"] = dealt["card"][0] + ("H" if dealt["card"][1] == "S" else "S")


def keep_proofs(databases: Databases, copy: Played, table: str, file: str) -> None:
    """What `GetShoe` says of the shoe in use."""

    async def ask() -> ProvedShoe:
        async with connect(databases.runtime_conninfo(copy.database), size=1) as connected:
            store, catalog = PostgresStore(connected), PostgresCatalog(connected)
            prover = ShoeProver(store, catalog, Vault(KEYS, lambda: bytes(32)))
            head = await catalog.head(copy.tables[table])
            assert head is not None
            return await prover.shoe(head, head.shoe, 0)

    shoe = shoe_to_wire(copy.tables[table], asyncio.run(ask()))
    Path(file).write_text(to_json(GetShoeResponse(shoe=shoe)).decode())


def test_what_can_not_be_looked_into_is_no_verdict(run: Run) -> None:
    run("verify", "--table", "nothing", status=2)
    run("verify", "--operator", "nobody", status=2)
    run("verify", "--digest", "nowhere", status=2)
    run("verify", "--all", "--table", "nothing", status=2)


def test_progress_is_told_where_nobody_watches_a_bar(
    databases: Databases, copy: Played, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    result = CliRunner().invoke(app, ["verify"])
    rows = int(result.stdout.split(" rows")[0].split()[-1])
    assert result.stderr.splitlines()[-1] == f"{rows} of {rows} rows"


def test_machines_get_a_line_for_each_table(databases: Databases, copy: Played, run: Run) -> None:
    with owner_of(databases, copy, "vegas") as owner:
        owner.sql("UPDATE round_summary SET net = net + 5 WHERE table_id = $ AND round = 6")
    *tables, summary = map(json.loads, run("verify", "--json", status=1).splitlines())
    assert [one["table_id"] for one in tables] == sorted(copy.tables.values())
    faults = {one["table_id"]: one["fault"] for one in tables if one["fault"]}
    assert faults.keys() == {owner.table_id}
    assert faults[owner.table_id]["kind"] == "summary"
    assert summary["summary"]["wrong"] == 1
    assert summary["summary"]["tables"] == len(tables)
