"""What whoever owns the database can do to it with SQL, and how thoroughly he covers his tracks."""

import json
from collections.abc import Callable
from typing import Any

import psycopg
from msgspec.structs import asdict, replace

from db.columns import HEAD, READ_HEAD, READ_JOURNAL
from service.journal.codec import GENESIS, events_of, row_hash
from service.journal.ports import Head, JournalRow
from service.journal.projections import head_after, seat_changes
from service.journal.text import rule_set_of
from service.table.evolving.evolve import fold, initial_state

Plain = dict[str, Any]
Edit = Callable[[list[Plain]], object]


class Owner:
    """The owner of the database, at one of its tables."""

    def __init__(self, connection: psycopg.Connection, table_id: str) -> None:
        self.connection = connection
        self.table_id = table_id

    def sql(self, statement: str, *values: object) -> list[Any]:
        """A statement, in which `$` stands for the table's id."""
        cursor = self.connection.execute(
            statement.replace("$", f"'{self.table_id}'").encode(), values
        )
        return cursor.fetchall() if cursor.description else []

    def rows(self) -> list[JournalRow]:
        query = f"SELECT {READ_JOURNAL} FROM journal WHERE table_id = $ ORDER BY version"
        return [JournalRow(*row) for row in self.sql(query)]

    def head(self) -> Head:
        return Head(*self.sql(f"SELECT {READ_HEAD} FROM table_head WHERE table_id = $")[0])

    # --- finding a row

    def row(self, wanted: Callable[[JournalRow, list[Plain]], bool], skip: int = 0) -> JournalRow:
        """The first row after some others that is wanted, by its events."""
        found = [row for row in self.rows() if wanted(row, json.loads(row.events))]
        return found[skip]

    def row_with(self, kind: str, skip: int = 0) -> JournalRow:
        """A row with an event of this type."""
        return self.row(lambda _, events: any(e["type"] == kind for e in events), skip)

    # --- changing it

    def edit(self, row: JournalRow, edit: Edit) -> None:
        """Change the events of a row, written as the service writes them."""
        events = json.loads(row.events)
        edit(events)
        self.write(row, events=json.dumps(events, separators=(",", ":")))

    def write(self, row: JournalRow, **columns: object) -> None:
        names = ", ".join(f"{name} = %s" for name in columns)
        statement = f"UPDATE journal SET {names} WHERE table_id = $ AND version = %s"
        self.sql(statement, *columns.values(), row.version)

    def rehash(self) -> None:
        """Make the chain whole again, up to the head."""
        previous = GENESIS
        for row in self.rows():
            previous = row_hash(previous, row)
            if previous != row.hash:
                self.write(row, hash=previous)
        self.sql("UPDATE table_head SET hash = %s WHERE table_id = $", previous)

    def cut(self, last: int) -> None:
        """Take away every row after one, and all that follows from them."""
        self.sql("DELETE FROM journal WHERE table_id = $ AND version > %s", last)
        for relation in ("round_summary", "shoe", "round_void"):
            self.sql(f"DELETE FROM {relation} WHERE table_id = $ AND version > %s", last)
        head = replace(self.head(), version=0)
        state = initial_state(rule_set_of(head.rule_set))
        seats: dict[str, int] = {}
        for row in self.rows():
            events = events_of(row.events)
            after = fold(state, events)
            seats |= {one.player: one.seat for one in seat_changes(self.table_id, state, after)}
            state, head = after, head_after(head, row, after, events)
        names = ", ".join(f"{name} = %({name})s" for name in HEAD)
        self.connection.execute(
            f"UPDATE table_head SET {names} WHERE table_id = %(table_id)s".encode(), asdict(head)
        )
        self.sql("DELETE FROM seat WHERE table_id = $")
        for player, seat in seats.items():
            if seat:
                self.sql("INSERT INTO seat VALUES ($, %s, %s)", player, seat)

    def remove(self) -> None:
        """Take the whole table away."""
        for relation in ("journal", "round_summary", "shoe", "round_void", "seat", "table_head"):
            self.sql(f"DELETE FROM {relation} WHERE table_id = $")


def event(events: list[Plain], kind: str) -> Plain:
    """The first event of this type."""
    return next(one for one in events if one["type"] == kind)
