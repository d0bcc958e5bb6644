"""Jobs of the write path: what somebody wants done to a table, and which command comes next."""

from collections.abc import Callable

import msgspec

from service.journal.ports import TABLE_ACTOR, Head
from service.live.live_table import LiveTable
from service.live.lookup import refuse_stranger
from service.table.commands import Command, TimeOut


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

    def next_step(self, table: LiveTable, now: int, *, fresh: bool) -> Step | None:
        """The command, or the time-out that is due before it; None while what is known of the table
        may be old, and the request may have been accepted: that is looked up first."""
        refuse_stranger(table.head, self.operator)
        if self.allowed:
            self.allowed(table.head)
        if not is_due(table, now):
            return Step(self.command, self.actor, self.request_id, last=True)
        return Step(TimeOut(), TABLE_ACTOR, "", last=False) if fresh else None


class OwnCommand(msgspec.Struct, frozen=True):
    """A command that the table gives itself, as long as it is wanted."""

    table_id: str
    command: Command
    wanted: Callable[[LiveTable], bool]
    actor: str = TABLE_ACTOR
    request_id: str = ""

    def next_step(self, table: LiveTable, now: int, *, fresh: bool) -> Step | None:  # noqa: ARG002
        """The command; None if it isn't wanted."""
        wanted = self.wanted(table)
        return Step(self.command, self.actor, self.request_id, last=True) if wanted else None


def is_due(table: LiveTable, now: int) -> bool:
    """Whether a deadline of the table has passed."""
    return 0 < table.state.deadline <= max(now, table.head.at)
