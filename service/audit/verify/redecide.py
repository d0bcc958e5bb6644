"""Deciding again: the decider that a row names must give the stored events, byte for byte, for its
command.

A command that depends on a face-down card waits until the card is turned up or its shoe is
revealed. Meanwhile the table continues from the stored events. A row that is still waiting when the
journal ends is pending.
"""

from collections.abc import Sequence

import msgspec

from service.audit.verify.check_failed import CheckFailed
from service.audit.verify.recorded_chance import RecordedChance, StillHidden
from service.journal.codec import stored_events_of
from service.journal.deciders import decide_with, decider_of, may_follow
from service.journal.ports import JournalRow
from service.journal.text import to_text
from service.records.verification import FaultKind
from service.rules.reasons import Refused
from service.rules.rule_set import RuleSet
from service.table.commands import Command
from service.table.events import Event, RoundOpened
from service.table.state import State

NONSENSE = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError)
"""What deciding and folding raise when a command or event refers to something that does not
exist."""


class Waiting(msgspec.Struct, frozen=True):
    """A row that can't be decided again yet, and the state before it."""

    row: JournalRow
    command: Command
    events: tuple[Event, ...]
    before: State


class Redecider:
    """Decides the rows of a table again, in order; `engine` is the number of the decider in the
    first row."""

    def __init__(self, engine: int, rules: RuleSet, chance: RecordedChance) -> None:
        self.state = decider_of(engine).initial_state(rules)
        self._engine = engine
        self._chance = chance
        self._waiting: list[Waiting] = []

    @property
    def pending(self) -> int:
        """The number of rows that wait for a card."""
        return len(self._waiting)

    def follow(self, row: JournalRow, command: Command, events: tuple[Event, ...]) -> None:
        """Decide the next row, and advance to the state after it."""
        before = self.state
        opens_round = isinstance(events[0], RoundOpened)
        if not may_follow(self._engine, row.engine, opens_round=opens_round):
            raise CheckFailed(
                FaultKind.ENGINE,
                f"engine {row.engine} can't decide it: the table continues under {self._engine}",
            )
        self._engine = row.engine
        if isinstance(events[0], RoundOpened):
            self._inherits(before, events[0])
        after = self._decide_now(row, command, events, before)
        if after is None:
            self._waiting.append(Waiting(row, command, events, before))
            after = _folded(before, row, events)
        self.state = after

    def _decide_now(
        self, row: JournalRow, command: Command, events: Sequence[Event], before: State
    ) -> State | None:
        """The state after a row, or None if it must wait for a card."""
        if self._chance.peeked_unseen(events):  # it would find out half-way
            return None
        try:
            return self._decide(row, command, events, before)
        except StillHidden:
            return None

    def decide_waiting(self) -> None:
        """Decide the waiting rows whose cards are now known, the oldest first."""
        still: list[Waiting] = []
        for one in self._waiting:
            try:
                self._decide(one.row, one.command, one.events, one.before)
            except StillHidden:
                still.append(one)
            except CheckFailed as wrong:
                raise CheckFailed(wrong.kind, wrong.message, one.row.version) from wrong
        self._waiting = still

    def _inherits(self, before: State, opened: RoundOpened) -> None:
        """Check that a round inherits what all earlier rounds of the table left."""
        expected = decider_of(self._engine).round_opening(before)
        if expected is None:
            raise CheckFailed(
                FaultKind.CARRY_OVER, "a round is opened before the last one is settled"
            )
        if expected != opened:
            raise CheckFailed(
                FaultKind.CARRY_OVER,
                f"the round does not inherit what the earlier rounds left:"
                f" {difference([opened], [expected])}",
            )

    def _decide(
        self, row: JournalRow, command: Command, events: Sequence[Event], before: State
    ) -> State:
        try:
            decided, after = decide_with(
                decider_of(row.engine), before, command, self._chance, row.at
            )
        except Refused as refused:
            raise CheckFailed(
                FaultKind.EVENTS, f"decided again, the command is refused: {refused}"
            ) from refused
        except NONSENSE as error:
            raise CheckFailed(
                FaultKind.EVENTS, f"the command is not possible at this table: {error!r}"
            ) from error
        if to_text(decided) != row.events:
            if _is_written_otherwise(row):
                raise CheckFailed(
                    FaultKind.TEXT, "the text of its events is not the service's form"
                )
            raise CheckFailed(
                FaultKind.EVENTS,
                f"decided again, the command gives other events: {difference(events, decided)}",
            )
        return after


def _folded(state: State, row: JournalRow, events: Sequence[Event]) -> State:
    if _is_written_otherwise(row):
        raise CheckFailed(FaultKind.TEXT, "the text of its events is not the service's form")
    try:
        return decider_of(row.engine).fold(state, events)
    except NONSENSE as error:
        raise CheckFailed(
            FaultKind.EVENTS, f"its events are not possible here: {error!r}"
        ) from error


def _is_written_otherwise(row: JournalRow) -> bool:
    return to_text(stored_events_of(row.events)) != row.events


def difference(stored: Sequence[Event], decided: Sequence[Event]) -> str:
    """The first difference between two lists of events, as text."""
    for place, (ours, theirs) in enumerate(zip(stored, decided, strict=False), start=1):
        if ours == theirs:
            continue
        if type(ours) is not type(theirs):
            return f"event {place} is {type(ours).__name__}, decided {type(theirs).__name__}"
        name = next(
            name for name in ours.__struct_fields__ if getattr(ours, name) != getattr(theirs, name)
        )
        return (
            f"{name} of event {place}, {type(ours).__name__}, is {getattr(ours, name)!r},"
            f" decided {getattr(theirs, name)!r}"
        )
    return f"there are {len(stored)} events, decided {len(decided)}"
