"""Rows that were changed, taken away, put in or swapped."""

import json

import pytest

from service.journal.ports import JournalRow
from tests.database import Databases
from tests.verify.cases import Case, Cases, Found, check
from tests.verify.conftest import Played
from tests.verify.tampering import Owner, event

tampering = Cases()


@tampering("six-deck")
def events_changed(owner: Owner) -> Found:
    row = owner.row_with("HandSettled", 3)
    owner.edit(row, lambda events: event(events, "HandSettled").update(returned=77_700))
    return Found(row.version, "hash", "hash")


@tampering("six-deck")
def command_changed(owner: Owner) -> Found:
    row = owner.row_with("BetPlaced", 4)
    owner.write(row, command=row.command.replace('"stake":', '"stake":1'))
    return Found(row.version, "hash", "hash")


@tampering("six-deck")
def command_changed_and_rehashed(owner: Owner) -> Found:
    row = owner.row_with("BetPlaced", 4)
    command = json.loads(row.command)
    command["stake"] *= 2
    owner.write(row, command=json.dumps(command, separators=(",", ":")))
    owner.rehash()
    return Found(row.version, "events", "stake of event")


@tampering("ranked")
def row_removed(owner: Owner) -> Found:
    owner.sql("DELETE FROM journal WHERE table_id = $ AND version = 9")
    return Found(9, "version", "row 9 is missing")


@tampering("ranked")
def last_row_removed(owner: Owner) -> Found:
    last = owner.head().version
    owner.sql("DELETE FROM journal WHERE table_id = $ AND version = %s", last)
    return Found(last, "version", f"row {last} is missing")


def insert(owner: Owner, row: JournalRow) -> None:
    """The row once more, after itself."""
    move = "UPDATE journal SET version = version + %s WHERE table_id = $ AND version > %s"
    owner.sql(move, 1_000_001, row.version)
    owner.sql(move, -1_000_000, 1_000_000)
    owner.sql(
        "INSERT INTO journal SELECT table_id, version + 1, round, actor, 'again', command, events,"
        " at, engine, hash FROM journal WHERE table_id = $ AND version = %s",
        row.version,
    )
    owner.sql("UPDATE table_head SET version = version + 1 WHERE table_id = $")


@tampering("vegas")
def row_inserted(owner: Owner) -> Found:
    row = owner.row_with("BetPlaced", 4)
    insert(owner, row)
    return Found(row.version + 1, "hash", "hash")


@tampering("vegas")
def row_inserted_and_rehashed(owner: Owner) -> Found:
    row = owner.row_with("BetPlaced", 4)
    insert(owner, row)
    owner.rehash()
    return Found(row.version + 1, "card", f"was turned up in row {row.version}, too")


@tampering("vegas")
def row_beyond_the_head(owner: Owner) -> Found:
    last = owner.head().version
    owner.sql(
        "INSERT INTO journal SELECT table_id, version + 1, round, actor, 'again', command, events,"
        " at, engine, hash FROM journal WHERE table_id = $ AND version = %s",
        last,
    )
    return Found(last + 1, "version", "past the head")


def swap(owner: Owner) -> int:
    """A row that settles a round, and the next one, which opens another; where they lie."""
    settling = owner.row(
        lambda row, _: '"RoundSettled"' in row.events and '"RoundOpened"' not in row.events
    )
    first, second, aside = settling.version, settling.version + 1, 100_000
    for version, other in ((first, aside), (second, first), (aside, second)):
        owner.sql(
            "UPDATE journal SET version = %s WHERE table_id = $ AND version = %s", other, version
        )
    return first


@tampering("twenty")
def two_rows_swapped(owner: Owner) -> Found:
    return Found(swap(owner), "hash", "hash")


@tampering("twenty")
def two_rows_swapped_and_rehashed(owner: Owner) -> Found:
    first = swap(owner)
    owner.rehash()
    return Found(first, "carry_over", "before the last one is settled")


@pytest.mark.parametrize("case", tampering.parameters)
async def test_tampering_is_found(databases: Databases, played: Played, case: Case) -> None:
    await check(databases, played, case)
