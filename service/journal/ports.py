"""The ports of the application: a store, a catalog, a clock.

The store reads and writes text and bytes; it knows neither events nor rules. Times are microseconds
since 1970 (UTC), ids are plain (letters, digits, `-`, `_`; up to 64), hashes are 32 bytes.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Protocol

import msgspec

from service.errors import Mendable, NotAllowed
from service.journal.serving_time import Beat, Interruption, Reading

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
    """The state of a table after its newest row, for lists and for loading.

    `round_version` is the version of the first row of the current round, from which a replay
    starts. `shoe` is the number of the open shoe (0: none yet). `deadline` is the time by which the
    open decisions must be made (0: no limit). `rule_set` is JSON text. `free_seats` is the number
    of seats that can be taken (0 also if the table admits no one); a `private` table is listed only
    for its own players.
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

    `version` is the row that published the commitment: it opened the previous shoe, or the table.
    """

    table_id: str
    number: int
    key_id: str
    sealed: bytes
    commitment: str
    version: int


class SeatRow(msgspec.Struct, frozen=True):
    """The seat of a player; `seat` 0 deletes the player's row."""

    table_id: str
    player: str
    seat: int


class SummaryRow(msgspec.Struct, frozen=True):
    """The summary of a settled round for one seat, in minor units. `version` is the settling
    row."""

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
    """A round that an operator voided: the reason, and the row that did it."""

    table_id: str
    round: int
    reason: str
    version: int
    at: int


class Append(msgspec.Struct, frozen=True):
    """One table's step: a journal row and everything derived from it, written in one statement.

    `expected` is the version that the head must still have; 0 means that the append opens the
    table. Shoes are inserted (their numbers are new), seats are upserted or deleted, summaries and
    voids are inserted.
    """

    expected: int
    row: JournalRow
    head: Head
    shoes: tuple[SealedShoe, ...] = ()
    seats: tuple[SeatRow, ...] = ()
    summaries: tuple[SummaryRow, ...] = ()
    voids: tuple[VoidRow, ...] = ()


LATEST_APPEND = 2_000_000
"""How long after its `at` a row may still be appended, in microseconds. This tells readers of all
tables up to which time nothing new can appear; see `History.horizon`."""


class Outcome(Enum):
    """The result of an append; unless it is APPENDED, nothing was written.

    CONFLICT: the head had another version, or the table or this actor's request id already existed.
    Loading again shows which. LATE: the row's `at` is more than `LATEST_APPEND` behind the
    database's clock, so the command must be decided again with a correct clock.
    """

    APPENDED = "appended"
    CONFLICT = "conflict"
    LATE = "late"


class Loaded(msgspec.Struct, frozen=True):
    """One snapshot of a table: its head, the shoes from the open one on, the rows of the current
    round in order, and the row of the given request id if that was accepted before (the row may
    belong to an older round)."""

    head: Head
    shoes: tuple[SealedShoe, ...]
    rows: tuple[JournalRow, ...]
    request: JournalRow | None


class StoreUnavailable(Mendable):
    """The database can't be reached, or did not answer in time. It is unknown whether a pending
    append took effect; sending the same request id again shows it."""


class DataRefused(NotAllowed):
    """The database does not take a value as data, such as a text with a NUL. It is the caller's
    value, which the checks before should have found."""


class Store(Protocol):
    """The journal. All methods may be called from many tasks at once."""

    async def load(self, table_id: str, actor: str = "", request_id: str = "") -> Loaded | None:
        """A table in one snapshot and one statement; None if there is no such table."""

    async def load_round(self, table_id: str, round: int, to_version: int) -> Sequence[JournalRow]:
        """The rows of one round up to and including a version, in order."""

    async def load_shoes(self, table_id: str, from_number: int) -> Sequence[SealedShoe]:
        """The sealed shoes of a table from a number on, in order."""

    async def append(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        """Append to many tables, at most one step per table; the outcomes are in the same order.

        Each append is atomic by itself: a conflict of one never fails another. Returns after the
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
    """Selects tables; an empty field or 0 does not restrict.

    `player`: tables that this player owns or has a seat at. `free_seats`: public tables with at
    least that many free seats.
    """

    player: str = ""
    phase: str = ""
    rule_set_id: str = ""
    free_seats: int = 0


class Catalog(Protocol):
    """Queries across tables, and the few relations besides the journal."""

    async def database_time(self) -> int:
        """The database's clock, in microseconds since 1970."""

    async def serving_time(self) -> Reading:
        """The database's clock, the last beat, and the end of the last interruption, at once."""

    async def beat(self, last: Beat, new: Beat, interruption: Interruption | None) -> bool:
        """Write a beat, with the interruption before it, if `last` is still the last one; False if
        another process has written one meanwhile."""

    async def interruptions(self, limit: int) -> Sequence[Interruption]:
        """The newest interruptions, in order."""

    async def interrupted(self, from_at: int, to_at: int, limit: int) -> Sequence[tuple[str, str]]:
        """Tables, with their operators, that have a deadline after `from_at` and no row since
        `to_at`, the earliest deadline first."""

    async def head(self, table_id: str) -> Head | None:
        """The head of a table."""

    async def head_for(self, table_id: str, player: str) -> tuple[Head, bool] | None:
        """The head of a table, and whether this player has ever done something at it."""

    async def tables(
        self, operator: str, wanted: TableFilter, after: tuple[int, str] | None, limit: int
    ) -> Sequence[Head]:
        """An operator's tables, newest first by (opened_at, table_id). `after` is the last table of
        the previous page."""

    async def due(self, now: int, limit: int) -> Sequence[tuple[str, str]]:
        """Tables whose deadline has passed, with their operators, the longest overdue first."""

    async def idle(self, before: int, limit: int) -> Sequence[tuple[str, str]]:
        """Tables between rounds, without a deadline, whose last row is older than `before`, with
        their operators."""

    async def journal(
        self, table_id: str, round: int, after_version: int, limit: int
    ) -> Sequence[JournalRow]:
        """Rows of a table after a version, in order; with `round` (not 0) only of that round."""

    async def round_summary(self, table_id: str, round: int) -> Sequence[SummaryRow]:
        """The summaries of one settled round by seat, ascending; empty if it is not settled."""

    async def voids(self, rounds: Sequence[tuple[str, int]]) -> Sequence[VoidRow]:
        """The voids of these rounds (table and number), in no particular order."""

    async def rule_sets(self, operator: str, after_id: str, limit: int) -> Sequence[RuleSetRow]:
        """An operator's own rule sets, by id."""

    async def rule_set(self, operator: str, rule_set_id: str) -> RuleSetRow | None:
        """One of an operator's own rule sets."""

    async def create_rule_set(self, row: RuleSetRow) -> RuleSetRow:
        """Insert a rule set, or return the existing one with this id."""

    async def ensure_operator(self, operator: str, key_hash: bytes) -> None:
        """Register an operator with the hash of its API key, or replace that hash."""

    async def operator_of_key(self, key_hash: bytes) -> str | None:
        """The operator of an API key, by the key's hash."""


class Clock(Protocol):
    """The time, by the database's clock."""

    def now(self) -> int:
        """Microseconds since 1970 (UTC)."""
