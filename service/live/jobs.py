"""Jobs of the write path: what somebody wants done to a table, and which command comes next."""

from bisect import bisect_right
from collections.abc import Callable, Sequence

import msgspec

from service.journal.ports import TABLE_ACTOR, Head
from service.journal.serving_time import Interruption
from service.live.live_table import LiveTable
from service.live.lookup import refuse_stranger
from service.table.commands import Command, GiveTimeBack, TimeOut
from service.table.deciding.giving_back import counted_until, deadline_after


class Step(msgspec.Struct, frozen=True):
    """A command to decide next; after the `last` one the job is done."""

    command: Command
    actor: str
    request_id: str
    last: bool


class Request(msgspec.Struct, frozen=True):
    """A command that a caller gives. `allowed` refuses by raising."""

    table_id: str
    operator: str
    actor: str
    request_id: str
    command: Command
    allowed: Callable[[Head], None] | None

    def next_step(
        self, table: LiveTable, now: int, interruptions: Sequence[Interruption], *, fresh: bool
    ) -> Step | None:
        """The command, or what the table has to do before it: give time back, or time out. None
        while what is known of the table may be old, and the request may have been accepted: that is
        looked up first."""
        refuse_stranger(table.head, self.operator)
        if self.allowed:
            self.allowed(table.head)
        first = time_to_give_back(table, now, interruptions)
        if first is None and is_due(table, now):
            first = TimeOut()
        if first is None:
            return Step(self.command, self.actor, self.request_id, last=True)
        return Step(first, TABLE_ACTOR, "", last=False) if fresh else None


class OwnCommand(msgspec.Struct, frozen=True):
    """A command that the table gives itself, as long as it is wanted."""

    table_id: str
    command: Command
    wanted: Callable[[LiveTable], bool]
    actor: str = TABLE_ACTOR
    request_id: str = ""

    def next_step(
        self,
        table: LiveTable,
        now: int,
        interruptions: Sequence[Interruption],
        *,
        fresh: bool,  # noqa: ARG002
    ) -> Step | None:
        """The command, or the time to give back before it; None if it isn't wanted."""
        first = time_to_give_back(table, now, interruptions)
        if first:
            return Step(first, TABLE_ACTOR, "", last=False)
        wanted = self.wanted(table)
        return Step(self.command, self.actor, self.request_id, last=True) if wanted else None


def is_due(table: LiveTable, now: int) -> bool:
    """Whether a deadline of the table has passed."""
    return 0 < table.state.deadline <= max(now, table.head.at)


def time_to_give_back(
    table: LiveTable, now: int, interruptions: Sequence[Interruption]
) -> Command | None:
    """The first interruption for which the open decision has not got its time back, if any; they
    are in order."""
    if not table.state.deadline:
        return None
    later = bisect_right(interruptions, counted_until(table.state), key=lambda one: one.to_at)
    for one in interruptions[later:]:
        command = GiveTimeBack(one.cause, one.from_at, one.to_at)
        if one.to_at <= max(now, table.head.at) and deadline_after(table.state, command):
            return command
    return None
