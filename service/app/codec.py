"""Commands and events as text, and the hash that chains the rows of a journal.

The text is JSON, written once and kept to the byte: hashes and verification work on it as stored.
The same value always gives the same text.
"""

from collections.abc import Sequence
from hashlib import sha256

import msgspec

from service.app.ports import JournalRow
from service.rules.rule_set import RuleSet
from service.table.commands import AnyCommand, Command
from service.table.events import AnyEvent, Event

_encoder = msgspec.json.Encoder()
_events = msgspec.json.Decoder(tuple[AnyEvent, ...])
_command: msgspec.json.Decoder[Command] = msgspec.json.Decoder(AnyCommand)
_rule_set = msgspec.json.Decoder(RuleSet)

GENESIS = bytes(32)
"""The hash before the first row of a table."""


def to_text(value: Sequence[Event] | Command | RuleSet) -> str:
    """The text that is stored for events, a command or a rule set."""
    return _encoder.encode(value).decode()


def events_of(text: str) -> tuple[Event, ...]:
    """The events of a row; msgspec.ValidationError if this version does not know one of them."""
    return _events.decode(text)


def command_of(text: str) -> Command:
    """The command of a row."""
    return _command.decode(text)


def rule_set_of(text: str) -> RuleSet:
    """A rule set as it is stored."""
    return _rule_set.decode(text)


def row_hash(previous: bytes, row: JournalRow) -> bytes:
    """SHA-256 of the hash before and the row's columns, each with its length before it.

    The columns, in this order, are table_id, version, round, actor, request_id, command, events, at
    (decimal microseconds) and engine, as UTF-8 text; a length is eight bytes, big-endian.
    """
    digest = sha256(previous)
    for column in (
        row.table_id,
        str(row.version),
        str(row.round),
        row.actor,
        row.request_id,
        row.command,
        row.events,
        str(row.at),
        str(row.engine),
    ):
        data = column.encode()
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()
