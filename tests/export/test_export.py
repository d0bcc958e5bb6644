"""Exports on both stores: every row once, in order, page after page, up to the horizon."""

import csv
import io
import time

import psycopg
import pytest
from msgspec.structs import replace

from db.catalog import PostgresCatalog
from db.connections import connect
from db.history import PostgresHistory
from db.memory_store import MemoryStore
from service.journal.ports import LATEST_APPEND
from service.records.export import export
from service.records.export.columns import EVENTS, ROUNDS
from service.records.export.export import Piece, export_events, export_rounds
from service.records.export.formats import CsvFile
from service.records.history import RoundFilter, RowFilter
from tests.export.conftest import Played
from tests.store.steps import settled, step


async def gathered(pieces: object) -> tuple[list[dict[str, str]], Piece]:
    """The records of a CSV file, and its last piece."""
    found = [piece async for piece in pieces]  # type: ignore[attr-defined]
    text = b"".join(piece.data for piece in found).decode()
    return list(csv.DictReader(io.StringIO(text, newline=""))), found[-1]


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "PAGE", 7)


@pytest.mark.usefixtures("small_pages")
async def test_every_event_of_a_database(played: Played) -> None:
    with psycopg.connect(played.owner) as owner:
        expected = owner.execute(
            "SELECT journal.table_id, version, position, type FROM events"
            " JOIN journal USING (table_id, version) ORDER BY journal.at, 1, 2, 3"
        ).fetchall()
    async with connect(played.database, size=1, read_only=True) as database:
        history = PostgresHistory(database)
        records, last = await gathered(export_events(history, RowFilter(), CsvFile(EVENTS)))
        one = RowFilter(table_id=played.tables[1])
        of_one, _ = await gathered(export_events(history, one, CsvFile(EVENTS)))
    found = [
        (row["table_id"], int(row["version"]), int(row["position"]), row["type"]) for row in records
    ]
    assert found == expected
    assert last.records == len(expected) > 500
    assert of_one == [row for row in records if row["table_id"] == played.tables[1]]


@pytest.mark.usefixtures("small_pages")
async def test_every_round_of_a_database(played: Played) -> None:
    with psycopg.connect(played.owner) as owner:
        expected = owner.execute(
            "SELECT table_id, round, seat, net FROM round_summary ORDER BY at, 1, 2, 3"
        ).fetchall()
    async with connect(played.database, size=1, read_only=True) as database:
        history = PostgresHistory(database)
        records, _ = await gathered(
            export_rounds(history, PostgresCatalog(database), RoundFilter(), CsvFile(ROUNDS))
        )
        own = RoundFilter(player="p2")
        of_p2, _ = await gathered(
            export_rounds(history, PostgresCatalog(database), own, CsvFile(ROUNDS))
        )
    found = [(r["table_id"], int(r["round"]), int(r["seat"]), int(r["net"])) for r in records]
    assert found == expected
    assert len(found) > 50
    voided = {(r["table_id"], int(r["round"])) for r in records if r["void_time"]}
    assert voided == {(table_id, 3) for table_id in played.tables}
    assert of_p2 == [row for row in records if row["player_id"] == "p2"] != []


async def test_a_file_ends_at_the_horizon_of_its_beginning() -> None:
    now = time.time_ns() // 1000
    store = MemoryStore(lambda: now)
    for version, at in ((1, now - 10), (2, now - 5), (3, now)):
        made = step("t1", version, summaries=[settled("t1", version, at=at)])
        made = replace(made, row=replace(made.row, at=at), head=replace(made.head, at=at))
        await store.append([made])
    later = now + LATEST_APPEND
    store._clock = lambda: later
    events, last = await gathered(export_events(store, RowFilter(), CsvFile(EVENTS)))
    assert {row["version"] for row in events} == {"1", "2"}
    assert last.at == last.until == now
    rounds, _ = await gathered(export_rounds(store, store, RoundFilter(), CsvFile(ROUNDS)))
    assert [row["round"] for row in rounds] == ["1", "2"]
    wanted = RoundFilter(from_at=now - 5, to_at=now + 1)
    rounds, _ = await gathered(export_rounds(store, store, wanted, CsvFile(ROUNDS)))
    assert [row["round"] for row in rounds] == ["2"]
