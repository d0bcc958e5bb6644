"""What verification asks of the database, and what it answers.

The reader only ever selects. A table's head and its seats come from one snapshot; everything else
is only ever added to, so that what lies up to the head's version can be read page by page while the
table goes on, and no transaction has to be held open.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

import msgspec

from service.journal.ports import Head, JournalRow, SealedShoe, SummaryRow, VoidRow


class Scope(msgspec.Struct, frozen=True):
    """Which tables: one, those of an operator, or (both empty) all."""

    table_id: str = ""
    operator: str = ""

    @property
    def is_all(self) -> bool:
        """Whether every table is meant."""
        return not self.table_id and not self.operator


class Beyond(msgspec.Struct, frozen=True):
    """The first of each kind that lies beyond what the head speaks of, or 0: rows of the journal,
    rounds with a summary, shoes, rounds that are void."""

    row: int = 0
    round: int = 0
    shoe: int = 0
    void: int = 0


class FoundTable(msgspec.Struct, frozen=True):
    """A table in one snapshot: its head, its seats (player and seat, by player), what lies beyond
    the head."""

    head: Head
    seats: tuple[tuple[str, int], ...]
    beyond: Beyond


class Orphan(msgspec.Struct, frozen=True):
    """Rows of a relation that speak of a table which has no head."""

    table_id: str
    relation: str


class Span(msgspec.Struct, frozen=True):
    """What to read of a table: numbers after `after`, up to and including `last`."""

    table_id: str
    after: int
    last: int


class FoundSummary(msgspec.Struct, frozen=True):
    """A summary as it is stored, with the operator that stands beside it."""

    row: SummaryRow
    operator: str


class AuditReader(Protocol):
    """Reads what is stored, as it is stored, by primary keys."""

    async def size(self, scope: Scope) -> tuple[int, int]:
        """How many tables there are, and how many rows their heads speak of."""

    async def tables(self, scope: Scope, after: str, limit: int) -> Sequence[FoundTable]:
        """Tables by id, after one."""

    async def orphans(self, scope: Scope, after: str, last: str) -> Sequence[Orphan]:
        """What belongs to tables without a head, with ids after one up to another (empty: without
        end), by id. An operator has none: only heads say whose a table is."""

    async def rows(self, spans: Sequence[Span]) -> Sequence[JournalRow]:
        """Rows of the journal by their versions, ordered by table and version."""

    async def shoes(self, spans: Sequence[Span]) -> Sequence[SealedShoe]:
        """Sealed shoes by their numbers, ordered by table and number."""

    async def summaries(self, spans: Sequence[Span]) -> Sequence[FoundSummary]:
        """Summaries by their rounds, ordered by table, round and seat."""

    async def voids(self, spans: Sequence[Span]) -> Sequence[VoidRow]:
        """Voids by the rounds that they speak of, ordered by table and round."""


class FaultKind(StrEnum):
    """What is wrong; the comment says how it shows."""

    VERSION = "version"  # a row is missing, or lies beyond the head
    HASH = "hash"  # a row's hash is not that of its columns and the row before
    KNOWN = "known"  # a receipt or a digest says otherwise: other hash, cut tail, no such table
    ENGINE = "engine"  # its decider is not known here, or could not have decided it
    CLOCK = "clock"  # a row was recorded before the one before it
    TEXT = "text"  # a command or event that cannot be read, or is not written as the service writes
    ACTOR = "actor"  # whose command it was does not fit the command
    CARRY_OVER = "carry_over"  # a round does not inherit what the rounds before it left
    EVENTS = "events"  # the command, decided again, gives other events, or is refused
    REFEREE = "referee"  # the second reading of the rules objects
    CHIPS = "chips"  # stacks, stakes and what was returned do not add up
    SEED = "seed"  # a revealed or sealed seed is not the one that was sworn to
    CARD = "card"  # a card or its salt is not that of the shoe
    ROOT = "root"  # a shoe's published root is not that of its cards
    SHOE = "shoe"  # the relation of sealed shoes differs from the journal
    SUMMARY = "summary"  # the relation of summaries differs from the journal
    VOID = "void"  # the relation of voids differs from the journal
    SEAT = "seat"  # the relation of seats differs from the journal
    HEAD = "head"  # the head differs from the journal
    ORPHAN = "orphan"  # rows that belong to no table


class Fault(msgspec.Struct, frozen=True):
    """What is wrong with a row; `version` 0 where no row of the journal can be named."""

    version: int
    kind: FaultKind
    message: str


class Verdict(msgspec.Struct, frozen=True):
    """What verification says of a table.

    `pending` rows could not be decided again because they depend on cards that still lie face down;
    `hidden` counts those cards, `unproved` the cards that are face up in a shoe whose seed is not
    known yet. None of these is a fault. `fault` is the first one: rows before it are right.
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
    """Verifies one table while the service serves."""

    async def verify_table(self, table_id: str) -> Verdict | None:
        """The verdict on a table; None if there is no such table."""
