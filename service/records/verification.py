"""What verification reads from the database, and its results.

The reader only selects. A table's head and its seats come from one snapshot. All other relations
only grow, so their rows up to the head's version can be read page by page while play continues, and
no transaction has to stay open.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

import msgspec

from service.journal.ports import Head, JournalRow, SealedShoe, SummaryRow, VoidRow
from service.journal.serving_time import Interruption


class Scope(msgspec.Struct, frozen=True):
    """The tables to verify: one, those of an operator, or (both empty) all."""

    table_id: str = ""
    operator: str = ""

    @property
    def is_all(self) -> bool:
        """Whether the scope is every table."""
        return not self.table_id and not self.operator


class Beyond(msgspec.Struct, frozen=True):
    """The first number of each kind past what the head includes, or 0: rows of the journal, rounds
    with a summary, shoes, voided rounds."""

    row: int = 0
    round: int = 0
    shoe: int = 0
    void: int = 0


class FoundTable(msgspec.Struct, frozen=True):
    """A table in one snapshot: its head, its seats (player and seat, by player), and what lies past
    the head."""

    head: Head
    seats: tuple[tuple[str, int], ...]
    beyond: Beyond


class Orphan(msgspec.Struct, frozen=True):
    """Rows of a relation for a table that has no head."""

    table_id: str
    relation: str


class Span(msgspec.Struct, frozen=True):
    """A range to read from a table: numbers after `after`, up to and including `last`."""

    table_id: str
    after: int
    last: int


class FoundSummary(msgspec.Struct, frozen=True):
    """A summary as it is stored, with the operator in the same row."""

    row: SummaryRow
    operator: str


class AuditReader(Protocol):
    """Reads stored rows unchanged, by primary keys."""

    async def size(self, scope: Scope) -> tuple[int, int]:
        """The number of tables, and the number of rows that their heads include."""

    async def tables(self, scope: Scope, after: str, limit: int) -> Sequence[FoundTable]:
        """Tables in the order of their ids, after the id `after`."""

    async def orphans(self, scope: Scope, after: str, last: str) -> Sequence[Orphan]:
        """Rows of tables without a head, by id, with ids after `after` and up to `last` (empty: no
        end). The scope of an operator has none, because only a head names a table's operator."""

    async def rows(self, spans: Sequence[Span]) -> Sequence[JournalRow]:
        """Rows of the journal by their versions, ordered by table and version."""

    async def shoes(self, spans: Sequence[Span]) -> Sequence[SealedShoe]:
        """Sealed shoes by their numbers, ordered by table and number."""

    async def summaries(self, spans: Sequence[Span]) -> Sequence[FoundSummary]:
        """Summaries by their rounds, ordered by table, round and seat."""

    async def voids(self, spans: Sequence[Span]) -> Sequence[VoidRow]:
        """Voids by the rounds that they void, ordered by table and round."""

    async def interruptions(self, ends: Sequence[int]) -> Sequence[Interruption]:
        """The recorded interruptions with these ends, in no particular order."""


class FaultKind(StrEnum):
    """What is wrong; the comment says how it is found."""

    VERSION = "version"  # a row is missing, or is past the head
    HASH = "hash"  # a row's hash is not that of its columns and the row before
    KNOWN = "known"  # a receipt or digest differs: another hash, missing rows, missing table
    ENGINE = "engine"  # its decider is unknown here, or could not have decided it
    CLOCK = "clock"  # a row is earlier than the one before, or time is given back without a cause
    TEXT = "text"  # a command or event can't be read, or its text is not the service's form
    ACTOR = "actor"  # the actor may not give this command
    CARRY_OVER = "carry_over"  # a round does not inherit what the earlier rounds left
    EVENTS = "events"  # the command, decided again, gives other events, or is refused
    REFEREE = "referee"  # the referee disagrees
    CHIPS = "chips"  # stacks, stakes and returns do not add up
    SEED = "seed"  # a revealed or sealed seed does not match its commitment
    CARD = "card"  # a card or its salt is not that of the shoe
    ROOT = "root"  # a shoe's published root is not that of its cards
    SHOE = "shoe"  # the relation of sealed shoes differs from the journal
    SUMMARY = "summary"  # the relation of summaries differs from the journal
    VOID = "void"  # the relation of voids differs from the journal
    SEAT = "seat"  # the relation of seats differs from the journal
    HEAD = "head"  # the head differs from the journal
    ORPHAN = "orphan"  # rows that belong to no table


class Fault(msgspec.Struct, frozen=True):
    """What is wrong with a row; `version` is 0 if no row of the journal can be named."""

    version: int
    kind: FaultKind
    message: str


class Verdict(msgspec.Struct, frozen=True):
    """The result of verifying a table.

    `pending` rows could not be decided again because they depend on cards that are still face down.
    `hidden` counts those cards; `unproved` counts the cards that are face up in a shoe whose seed
    is not known yet. None of these is a fault. `fault` is the first one: all earlier rows are
    right.
    """

    table_id: str
    operator: str
    version: int
    rows: int = 0
    events: int = 0
    pending: int = 0
    hidden: int = 0
    unproved: int = 0
    fault: Fault | None = None


class TableVerifier(Protocol):
    """Verifies one table while the service runs."""

    async def verify_table(self, table_id: str) -> Verdict | None:
        """The verdict on a table; None if there is no such table."""
