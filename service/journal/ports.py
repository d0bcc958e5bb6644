"""What the application asks of the outside: a store, a catalog, a clock.

The store moves text and bytes; it knows neither events nor rules. Times are microseconds since
1970 (UTC), ids are plain (letters, digits, `-`, `_`; up to 64), hashes are 32 bytes.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Protocol

import msgspec

from service.errors import Mendable
from service.table.chance import Chance

__all__ = ["Chance"]

TABLE_ACTOR = "table"
"""The actor of commands that the service gives itself."""


class JournalRow(msgspec.Struct, frozen=True):
    """One accepted command, as it is stored: the exact bytes of every column.

    `actor` is the player's or operator's id, or `table` for commands that the service gives itself;
    those have no `request_id` (empty here, NULL in the database).
    """

    table_id: str
    version: int
    round: int
    actor: str
    request_id: str
    command: str
    events: str
    at: int
    engine: int
    hash: bytes


class Head(msgspec.Struct, frozen=True):
    """Where a table stands after its newest row.

    `round_version` is the version of the first row of the current round, from which a replay
    starts. `shoe` is the number of the open shoe (0: none yet). `deadline` is when the open
    decisions have to be made (0: no limit). `rule_set` is JSON text. `free_seats` is how many seats
    can be taken (0 also where nobody is admitted); a `private` table is in nobody's list but its
    own players'.
    """

    table_id: str
    operator: str
    owner: str
    rule_set_id: str
    rule_set: str
    opened_at: int
    version: int
    hash: bytes
    phase: str
    round: int
    round_version: int
    shoe: int
    deadline: int
    at: int
    free_seats: int = 0
    private: bool = False


class SealedShoe(msgspec.Struct, frozen=True):
    """A shoe's server seed, sealed with the key `key_id`, and the commitment to it (hex).

    `version` is that of the row that published the commitment: the one that opened the shoe before,
    or the table.
    """

    table_id: str
    number: int
    key_id: str
    sealed: bytes
    commitment: str
    version: int


class SeatRow(msgspec.Struct, frozen=True):
    """Who sits where: `seat` 0 takes the player's row away."""

    table_id: str
    player: str
    seat: int


class SummaryRow(msgspec.Struct, frozen=True):
    """A settled round of one seat, in minor units. `version` is that of the settling row."""

    table_id: str
    round: int
    seat: int
    player: str
    staked: int
    returned: int
    net: int
    stack: int
    version: int
    at: int


class VoidRow(msgspec.Struct, frozen=True):
    """A round that an operator declared void, why, and by which row."""

    table_id: str
    round: int
    reason: str
    version: int
    at: int


class Append(msgspec.Struct, frozen=True):
    """One table's step: a journal row, and all that is derived from it, in one statement.

    `expected` is the version that the head must still have; 0 opens the table. Shoes are inserted
    (their numbers are new), seats are upserted or deleted, summaries and voids are inserted.
    """

    expected: int
    row: JournalRow
    head: Head
    shoes: tuple[SealedShoe, ...] = ()
    seats: tuple[SeatRow, ...] = ()
    summaries: tuple[SummaryRow, ...] = ()
    voids: tuple[VoidRow, ...] = ()


LATEST_APPEND = 2_000_000
"""Microseconds after a row's `at` until which it may still be appended. A reader of all tables by
time knows from it which times are over; see `History.horizon`."""


class Outcome(Enum):
    """What became of an append; unless it was APPENDED, nothing was written.

    CONFLICT: the head had another version, or the table, or this actor's request id, was there
    already. Loading again tells which. LATE: the row's `at` is more than `LATEST_APPEND` behind the
    database's clock, so it has to be decided again, by a clock that is right.
    """

    APPENDED = "appended"
    CONFLICT = "conflict"
    LATE = "late"


class Loaded(msgspec.Struct, frozen=True):
    """One snapshot of a table: its head, the shoes from the open one on, the rows of the current
    round in order, and the row of the request that was asked for, if it has been accepted before
    (it may belong to an older round)."""

    head: Head
    shoes: tuple[SealedShoe, ...]
    rows: tuple[JournalRow, ...]
    request: JournalRow | None


class StoreUnavailable(Mendable):
    """The database can't be reached, or did not answer in time. Whether a pending append took
    effect is unknown: the same request id, sent again, tells."""


class Store(Protocol):
    """The journal. Every method is safe to call from many tasks at once."""

    async def load(self, table_id: str, actor: str = "", request_id: str = "") -> Loaded | None:
        """A table in one snapshot and one statement; None if there is no such table."""

    async def load_round(self, table_id: str, round: int, to_version: int) -> Sequence[JournalRow]:
        """The rows of one round up to and including a version, in order."""

    async def load_shoes(self, table_id: str, from_number: int) -> Sequence[SealedShoe]:
        """The sealed shoes of a table from a number on, in order."""

    async def append(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        """Append to many tables, at most one step a table; the outcomes in the same order.

        Each is atomic by itself: a conflict of one never fails a neighbour. Returns after the
        commit.
        """

    async def changes(self, versions: Sequence[tuple[str, int]]) -> Sequence[JournalRow]:
        """The rows newer than the given version of each table, by table and version."""


class RuleSetRow(msgspec.Struct, frozen=True):
    """An operator's rule set: `rule_set` is JSON text. Presets are not stored."""

    operator: str
    rule_set_id: str
    rule_set: str
    created_at: int


class TableFilter(msgspec.Struct, frozen=True):
    """Which tables are wanted; what is empty or 0 does not restrict.

    `player`: that he owns or sits at. `free_seats`: public ones with at least so many.
    """

    player: str = ""
    phase: str = ""
    rule_set_id: str = ""
    free_seats: int = 0


class Catalog(Protocol):
    """What is read across tables, and the few relations beside the journal."""

    async def database_time(self) -> int:
        """The database's clock, in microseconds since 1970."""

    async def head(self, table_id: str) -> Head | None:
        """Where a table stands."""

    async def tables(
        self, operator: str, wanted: TableFilter, after: tuple[int, str] | None, limit: int
    ) -> Sequence[Head]:
        """An operator's tables, newest first by (opened_at, table_id). `after` is the last one of
        the page before."""

    async def due(self, now: int, limit: int) -> Sequence[tuple[str, str]]:
        """Tables whose deadline has passed, with their operators, the longest overdue first."""

    async def idle(self, before: int, limit: int) -> Sequence[tuple[str, str]]:
        """Tables between rounds, without a deadline, that nothing has happened at since `before`,
        with their operators."""

    async def journal(
        self, table_id: str, round: int, after_version: int, limit: int
    ) -> Sequence[JournalRow]:
        """Rows of a table after a version, in order; with `round` (not 0) only of that round."""

    async def round_summary(self, table_id: str, round: int) -> Sequence[SummaryRow]:
        """The seats of one settled round, ascending; empty if it is not settled."""

    async def voids(self, rounds: Sequence[tuple[str, int]]) -> Sequence[VoidRow]:
        """Which of these rounds, by table and number, are void, in no order."""

    async def rule_sets(self, operator: str, after_id: str, limit: int) -> Sequence[RuleSetRow]:
        """An operator's own rule sets, by id."""

    async def rule_set(self, operator: str, rule_set_id: str) -> RuleSetRow | None:
        """One of an operator's own rule sets."""

    async def create_rule_set(self, row: RuleSetRow) -> RuleSetRow:
        """Insert a rule set, or return the one that has this id already."""

    async def ensure_operator(self, operator: str, key_hash: bytes) -> None:
        """Register an operator with the hash of its API key, or replace that hash."""

    async def operator_of_key(self, key_hash: bytes) -> str | None:
        """Which operator an API key belongs to, by the key's hash."""


class Clock(Protocol):
    """The time, as the database has it."""

    def now(self) -> int:
        """Microseconds since 1970 (UTC)."""
