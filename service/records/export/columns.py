"""The columns of exported files, in their order.

Values are text, integers, times (microseconds since 1970, UTC, until a format writes them) or JSON
(exactly as stored); only of an optional column they may be missing. Amounts are integers in minor
units.
"""

from enum import Enum

import msgspec


class Kind(Enum):
    """What a column holds."""

    TEXT = "text"
    INTEGER = "integer"
    TIME = "time"
    JSON = "JSON"


class Column(msgspec.Struct, frozen=True):
    """A column: its name, what it holds, and what that means."""

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
    Column("player_id", Kind.TEXT, "who sat there"),
    Column("staked", Kind.INTEGER, "everything staked, minor units"),
    Column("returned", Kind.INTEGER, "everything that came back, stakes included, minor units"),
    Column("net", Kind.INTEGER, "returned less staked, minor units"),
    Column("stack", Kind.INTEGER, "the stack after the round, minor units"),
    Column("settle_time", Kind.TIME, "when the round was settled"),
    Column("version", Kind.INTEGER, "the version of the table that settled it"),
    Column("void_time", Kind.TIME, "when it was declared void; empty: it counts", optional=True),
)
"""A settled round of one seat."""

EVENTS: Columns = (
    Column("table_id", Kind.TEXT, "the table"),
    Column("version", Kind.INTEGER, "the row of its journal, from 1"),
    Column("position", Kind.INTEGER, "the event's place in that row, from 1"),
    Column("round", Kind.INTEGER, "the round that the row belongs to"),
    Column("actor", Kind.TEXT, "whose command it followed from; `table` for the table itself"),
    Column("record_time", Kind.TIME, "when the row was recorded"),
    Column("type", Kind.TEXT, "the event's name"),
    Column("event", Kind.JSON, "the event, its name among its fields"),
)
"""One event."""
