"""The replay of one table's journal: every row is checked against everything before it.

The replay stops at the first wrong row. On the way it derives head, seats, summaries and
commitments again, for the comparison with the relations.
"""

from collections.abc import Mapping, Sequence

import msgspec

from service.audit.evidence.kept_hashes import KeptHash
from service.audit.evidence.proofs import ShoeProofs
from service.audit.verify.chain import Chain
from service.audit.verify.check_failed import CheckFailed
from service.audit.verify.ledger import Ledger
from service.audit.verify.reading import check_actor, first_head, read_row
from service.audit.verify.recorded_chance import RecordedChance
from service.audit.verify.redecide import NONSENSE, Redecider
from service.audit.verify.second_reading import SecondReading
from service.journal.ports import Head, JournalRow, SummaryRow, VoidRow
from service.journal.projections import declared_voids, head_after, seat_changes, settled_summaries
from service.journal.serving_time import Interruption
from service.records.verification import Fault, FaultKind
from service.table.commands import Command, OpenTable, VoidRound
from service.table.events import (
    Event,
    RoundSettled,
    RoundVoided,
    ShoeOpened,
    ShoeRevealed,
    TableOpened,
    TimeGivenBack,
)


class Commitment(msgspec.Struct, frozen=True):
    """The commitment to a shoe, and the row that published it."""

    shoe: int
    commitment: str
    version: int


class Reversal(msgspec.Struct, frozen=True):
    """The void of a settled round, and its row; the command has the results of the round."""

    command: VoidRound
    version: int


class GivenBack(msgspec.Struct, frozen=True):
    """Time that a row gave back, and the interruption that it names."""

    interruption: Interruption
    version: int


class Replay:
    """A table, as far as its journal has been read.

    `head`, `seats`, `voids`, `summaries` and `commitments` are what the relations must contain;
    `reversals` refer to summaries, `given_back` to interruptions. All but the first three grow
    until the caller has compared them.
    `settled_round` is the last round that was settled, `version` the last row that was read.
    """

    def __init__(self, found: Head, known: Mapping[int, Sequence[KeptHash]]) -> None:
        self.head = found
        self.seats: dict[str, int] = {}
        self.summaries: list[SummaryRow] = []
        self.commitments: list[Commitment] = []
        self.voids: list[VoidRow] = []
        self.reversals: list[Reversal] = []
        self.given_back: list[GivenBack] = []
        self.settled_round = 0
        self.fault: Fault | None = None
        self.version = 0
        self.rows = 0
        self.events = 0
        self.chance = RecordedChance(found.table_id)
        self._chain = Chain(known)
        self._parts: _Parts | None = None
        self._looks_back = False

    @property
    def pending(self) -> int:
        """Rows that wait for a face-down card."""
        return self._parts.redecider.pending if self._parts else 0

    def read(self, row: JournalRow) -> None:
        """Read the next row; after a fault only to find out whether an earlier row was wrong
        already."""
        if self.complete:
            return
        self.version = row.version
        try:
            if self.fault:
                self._look_back(row)
            else:
                self._read(row)
                self.rows += 1
        except CheckFailed as wrong:
            self._found(wrong, row.version)
        except NONSENSE as error:
            self._found(
                CheckFailed(FaultKind.EVENTS, f"it is not possible here: {error!r}"), row.version
            )

    @property
    def complete(self) -> bool:
        """Whether further rows can't change the verdict."""
        return self.fault is not None and not self._looks_back

    def _found(self, wrong: CheckFailed, version: int) -> None:
        """Record a fault. A changed card may be found only when its shoe is revealed, after a fault
        that follows from it: so the rows up to the reveal are read for their cards only."""
        fault = wrong.fault(version)
        if self.fault is None:
            self.fault = fault
            self._looks_back = fault.kind in (FaultKind.EVENTS, FaultKind.REFEREE)
            return
        self._looks_back = False
        if fault.version <= self.fault.version:
            self.fault = fault

    def _look_back(self, row: JournalRow) -> None:
        events = read_row(row)[1]
        self.chance.record(events, row.version)
        self._looks_back = not any(isinstance(event, ShoeRevealed) for event in events)

    def end(self, version: int, seeds: Mapping[int, bytes | None], proofs: ShoeProofs) -> None:
        """The head says that the journal ends here.

        `seeds` are those of shoes whose keys are known, `proofs` those of cards that were given;
        both by the number of the shoe.
        """
        try:
            if not self.fault:
                self._chain.end(version)
            self.chance.learn(seeds, proofs, version)
            if self._parts and not self.fault:
                self._parts.redecider.decide_waiting()
                self._parts.second.go_on()
                self._parts.second.end()
        except CheckFailed as wrong:
            self._found(wrong, version)
        except NONSENSE as error:
            self._found(
                CheckFailed(FaultKind.EVENTS, f"the end is not possible: {error!r}"), version
            )

    def _read(self, row: JournalRow) -> None:
        self._chain.follow(row)
        command, events = read_row(row)
        parts = self._parts
        if parts is None:
            parts = self._begin(row, command, events)
        check_actor(row, command, self.head.operator)
        uncovered = self.chance.record(events, row.version)
        if uncovered:
            parts.redecider.decide_waiting()
        before = parts.redecider.state
        parts.redecider.follow(row, command, events)
        state = parts.redecider.state
        if row.round != state.round:
            raise CheckFailed(
                FaultKind.EVENTS, f"its round is {row.round}, but should be {state.round}"
            )
        parts.ledger.enter(events)
        parts.second.read(row.version, row.events)
        self.events += len(events)
        self.head = head_after(self.head, row, state, events)
        for change in seat_changes(row.table_id, before, state):
            if change.seat:
                self.seats[change.player] = change.seat
            else:
                self.seats.pop(change.player, None)
        self._derive(row, command, events)

    def _begin(self, row: JournalRow, command: Command, events: Sequence[Event]) -> "_Parts":
        """The first row opens the table and has its rule set."""
        if not isinstance(command, OpenTable) or not isinstance(events[0], TableOpened):
            raise CheckFailed(FaultKind.EVENTS, "a journal begins with the opening of its table")
        self.head = first_head(self.head, row, command)
        self._parts = _Parts(row.engine, command, self.chance)
        return self._parts

    def _derive(self, row: JournalRow, command: Command, events: Sequence[Event]) -> None:
        for event in events:
            match event:
                case TableOpened():
                    self._commit(1, event.commitment, row.version)
                case ShoeOpened():
                    self._commit(event.shoe + 1, event.next_commitment, row.version)
                case RoundSettled():
                    self.summaries += settled_summaries(row, (event,))
                    self.settled_round = row.round
                case TimeGivenBack(cause=cause, from_at=from_at, to_at=to_at):
                    interruption = Interruption(from_at, to_at, cause)
                    self.given_back.append(GivenBack(interruption, row.version))
                case RoundVoided():
                    self.voids += declared_voids(row, (event,))
        if isinstance(command, VoidRound) and command.settlement:
            self.reversals.append(Reversal(command, row.version))

    def _commit(self, shoe: int, commitment: str, version: int) -> None:
        self.commitments.append(Commitment(shoe, commitment, version))


class _Parts:
    """The parts that read a table's rows once its rule set is known."""

    def __init__(self, engine: int, opened: OpenTable, chance: RecordedChance) -> None:
        self.redecider = Redecider(engine, opened.rule_set, chance)
        self.ledger = Ledger(opened.rule_set)
        self.second = SecondReading(opened.rule_set, chance)
