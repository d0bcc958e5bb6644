"""Reading a row: its text, its actor, and what the first row says about the head."""

from msgspec.structs import replace

from service.audit.verify.check_failed import CheckFailed
from service.journal.codec import command_of, events_of
from service.journal.deciders import decider_of
from service.journal.ports import TABLE_ACTOR, Head, JournalRow
from service.journal.table_ids import derived_table_id
from service.journal.text import UnknownRecord, to_text
from service.records.verification import FaultKind
from service.table.commands import CloseIdle, Command, GiveTimeBack, OpenTable, TimeOut
from service.table.events import Event


def read_row(row: JournalRow) -> tuple[Command, tuple[Event, ...]]:
    """The command and the events of a row; its decider must be known."""
    try:
        decider_of(row.engine)
    except UnknownRecord as error:
        raise CheckFailed(FaultKind.ENGINE, f"its decider is unknown: {error}") from error
    try:
        command = command_of(row.command)
    except UnknownRecord as error:
        raise CheckFailed(FaultKind.TEXT, f"its command can't be read: {error}") from error
    try:
        events = events_of(row.events)
    except UnknownRecord as error:
        raise CheckFailed(FaultKind.TEXT, f"its events can't be read: {error}") from error
    if not events:
        raise CheckFailed(
            FaultKind.EVENTS, "it has no events: only what changes a table is recorded"
        )
    if to_text(command) != row.command:
        raise CheckFailed(FaultKind.TEXT, "the text of its command is not the service's form")
    return command, events


def check_actor(row: JournalRow, command: Command, operator: str) -> None:
    """A player gives the player's own commands; the table gives timed commands, without a request
    id."""
    by_table = isinstance(command, TimeOut | CloseIdle | GiveTimeBack)
    if by_table or row.actor == TABLE_ACTOR:
        right = by_table and row.actor == TABLE_ACTOR and not row.request_id
    else:
        player: str = getattr(command, "player", "")
        right = row.actor == (player or f"operator:{operator}") and bool(row.request_id)
    if not right:
        request = (
            f"with request id {row.request_id!r}" if row.request_id else "without a request id"
        )
        raise CheckFailed(
            FaultKind.ACTOR, f"{row.actor!r} may not give {type(command).__name__} {request}"
        )


def first_head(found: Head, row: JournalRow, command: OpenTable) -> Head:
    """The head before the first row, as far as that row determines it.

    The operator is not a column of the journal, but the id of the table is derived from it and from
    the nonce that the command has.
    """
    if derived_table_id(found.operator, row.actor, row.request_id, command.nonce) != row.table_id:
        raise CheckFailed(
            FaultKind.HEAD, f"the head has the operator {found.operator!r}, which is wrong"
        )
    return replace(
        found,
        owner=command.player,
        rule_set_id=command.rule_set_id,
        rule_set=to_text(command.rule_set),
        version=0,
        private=command.private,
    )
