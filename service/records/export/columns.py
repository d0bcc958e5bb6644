"""The columns of exported files, in their order.

Values are text, integers, times (microseconds since 1970, UTC, until a format writes them) or JSON
(exactly as stored). Only values of an optional column may be missing. Amounts are integers in minor
units.
"""

from enum import Enum

import msgspec


class Kind(Enum):
    """The type of a column."""

    TEXT = "text"
    INTEGER = "integer"
    TIME = "time"
    JSON = "JSON"


class Column(msgspec.Struct, frozen=True):
    """A column: its name, its type, and its meaning."""

    name: str
    kind: Kind
    meaning: str
    optional: bool = False


Columns = tuple[Column, ...]
Value = str | int | None
Record = tuple[Value, ...]

ROUNDS: Columns = (
    Column("table_id", Kind.TEXT, "the table"),
    Column("round", Kind.INTEGER, "the round at its table, from 1"),
    Column("seat", Kind.INTEGER, "the seat, from 1"),
    Column("player_id", Kind.TEXT, "the player in that seat"),
    Column("staked", Kind.INTEGER, "everything staked, minor units"),
    Column("returned", Kind.INTEGER, "everything that came back, stakes included, minor units"),
    Column("net", Kind.INTEGER, "returned less staked, minor units"),
    Column("stack", Kind.INTEGER, "the stack after the round, minor units"),
    Column("settle_time", Kind.TIME, "when the round was settled"),
    Column("version", Kind.INTEGER, "the version of the table that settled it"),
    Column("void_time", Kind.TIME, "when the round was voided; empty: it counts", optional=True),
)
"""The columns of a settled round of one seat."""

EVENTS: Columns = (
    Column("table_id", Kind.TEXT, "the table"),
    Column("version", Kind.INTEGER, "the row of its journal, from 1"),
    Column("position", Kind.INTEGER, "the event's place in that row, from 1"),
    Column("round", Kind.INTEGER, "the round that the row belongs to"),
    Column("actor", Kind.TEXT, "who gave the command; `table` for the table itself"),
    Column("record_time", Kind.TIME, "when the row was recorded"),
    Column("type", Kind.TEXT, "the event's name"),
    Column("event", Kind.JSON, "the event, its name among its fields"),
)
"""The columns of an event."""
