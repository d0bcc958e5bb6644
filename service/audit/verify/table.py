"""Verification of one table: its journal is replayed page by page, and the other relations are
compared as far as the replay has come.
"""

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from service.audit.evidence.kept_hashes import KeptRows
from service.audit.evidence.proofs import ShoeProofs
from service.audit.verify.relations import (
    differ,
    unsealed,
    wrong_reversals,
    wrong_seats,
    wrong_shoes,
    wrong_summaries,
    wrong_voids,
    wrongly_beyond,
    wrongly_given_back,
)
from service.audit.verify.replay import Replay
from service.journal.ports import JournalRow, SealedShoe, VoidRow
from service.journal.serving_time import Interruption
from service.records.verification import (
    Fault,
    FaultKind,
    FoundSummary,
    FoundTable,
    Span,
    Verdict,
)
from service.shoes.sealing import SealingKeys

ROWS_AT_ONCE = 1000
"""The number of rows of a table read at once."""

NO_END = 2**31 - 1
"""A number larger than any round or shoe."""


class TableCheck:
    """The verification of one table so far. Read a page of rows, then compare, until it is
    `complete`; then take the verdict."""

    def __init__(
        self,
        found: FoundTable,
        known: KeptRows,
        keys: SealingKeys | None,
        proofs: ShoeProofs,
    ) -> None:
        self.table_id = found.head.table_id
        self.complete = False
        self._found = found
        self._keys = keys
        self._proofs = proofs
        self._replay = Replay(found.head, known)
        self._faults: list[Fault] = []
        self._compared_round = 0
        self._compared_shoe = 0
        self._asked = 0
        self._seeds: dict[int, bytes | None] = {}

    # --- the journal

    @property
    def length(self) -> int:
        """The number of rows that the head includes."""
        return self._found.head.version

    def next_rows(self) -> Span:
        """The rows to read next."""
        read = self._replay.version
        self._asked = read
        return Span(self.table_id, read, min(read + ROWS_AT_ONCE, self._found.head.version))

    def read(self, row: JournalRow) -> None:
        """Read a row of the page."""
        self._replay.read(row)

    def page_read(self) -> None:
        """Mark the end of the page."""
        replay, last = self._replay, self._found.head.version
        came_on = self._asked < replay.version < last
        self.complete = replay.complete or not came_on

    # --- the relations

    def next_summaries(self) -> list[Span]:
        """The summaries of the rounds settled since the last comparison (at the end of a journal:
        all remaining ones), and those of rounds voided since then."""
        settled = Span(self.table_id, self._compared_round, self._last(self._replay.settled_round))
        voided = [one.command.round for one in self._replay.reversals]
        return [settled, *[Span(self.table_id, round - 1, round) for round in voided]]

    def next_shoes(self) -> Span:
        """The shoes committed to since the last comparison; at the end: all remaining ones."""
        commitments = self._replay.commitments
        return Span(
            self.table_id,
            self._compared_shoe,
            self._last(commitments[-1].shoe if commitments else self._compared_shoe),
        )

    def all_voids(self) -> Span:
        """All voids of the table; they are few and in no particular order."""
        return Span(self.table_id, 0, NO_END)

    @property
    def interruptions(self) -> Sequence[int]:
        """The ends of the interruptions for which time was given back since the last comparison."""
        return [one.interruption.to_at for one in self._replay.given_back]

    def _last(self, reached: int) -> int:
        return NO_END if self.complete and not self._replay.fault else reached

    def compare(
        self,
        summaries: Sequence[FoundSummary],
        shoes: Sequence[SealedShoe],
        interruptions: Collection[Interruption],
    ) -> None:
        """Compare the rows found in these spans with the replay."""
        replay, head = self._replay, self._found.head
        seeds = unsealed(shoes, self._keys) if self._keys else {}
        self._seeds |= seeds
        settled = [one for one in summaries if one.row.round > self._compared_round]
        self._faults += wrong_summaries(replay.summaries, settled, head)
        self._faults += wrong_reversals(replay.reversals, summaries)
        self._faults += wrong_shoes(replay.commitments, shoes, seeds, head)
        self._faults += wrongly_given_back(replay.given_back, interruptions)
        self._compared_round = replay.settled_round
        if replay.commitments:
            self._compared_shoe = replay.commitments[-1].shoe
        replay.summaries.clear()
        replay.commitments.clear()
        replay.reversals.clear()
        replay.given_back.clear()

    def end(self, voids: Sequence[VoidRow]) -> None:
        """Finish after the last page: compare the head, the seats and all voids of the table."""
        replay, found = self._replay, self._found
        version = found.head.version
        replay.end(version, self._seeds, self._proofs)
        if replay.fault:
            self._faults.insert(0, replay.fault)
            return
        if replay.head != found.head:
            self._faults.append(
                Fault(version, FaultKind.HEAD, f"the head: {differ(found.head, replay.head)}")
            )
        self._faults += [
            Fault(version, FaultKind.SEAT, f"the seats: {what}")
            for what in wrong_seats(replay.seats, found.seats)
        ]
        self._faults += wrong_voids(replay.voids, voids, found.head)
        self._faults += wrongly_beyond(found)

    def verdict(self) -> Verdict:
        """The result of verifying the table."""
        replay, head = self._replay, self._found.head
        verdict = Verdict(
            table_id=self.table_id,
            operator=head.operator,
            version=head.version,
            rows=replay.rows,
            events=replay.events,
            fault=min(self._faults, key=lambda fault: fault.version, default=None),
        )
        if verdict.fault:
            return verdict
        return replace(
            verdict,
            pending=replay.pending,
            hidden=replay.chance.hidden,
            unproved=replay.chance.unproved,
        )
