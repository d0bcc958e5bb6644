"""Commands and events as text, and the hash that chains the rows of a journal.

The text is JSON, written once and kept to the byte: hashes and verification work on it as stored.
The same value always gives the same text.

What this version of the service does not know, be it an event, a field of one or a value, is never
skipped: it raises `UnknownRecord`, and the table is UNAVAILABLE here.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

import msgspec

from service.journal.ports import JournalRow
from service.journal.upcast import upcast
from service.rules.rule_set import RuleSet
from service.table.commands import AnyCommand, Command
from service.table.events import AnyEvent, Event

_encoder = msgspec.json.Encoder()
_events: msgspec.json.Decoder[tuple[Event, ...]] = msgspec.json.Decoder(tuple[AnyEvent, ...])
_command: msgspec.json.Decoder[Command] = msgspec.json.Decoder(AnyCommand)
_rule_set = msgspec.json.Decoder(RuleSet)

GENESIS = bytes(32)
"""The hash before the first row of a table."""

Value = TypeVar("Value")


class UnknownRecord(Exception):
    """Something in the journal that this version of the service can't read: a newer one wrote it,
    or somebody else did."""


def to_text(value: Sequence[Event] | Command | RuleSet) -> str:
    """The text that is stored for events, a command or a rule set."""
    return _encoder.encode(value).decode()


def events_of(text: str) -> tuple[Event, ...]:
    """The events of a row, as the present code reads them."""
    return upcast(stored_events_of(text))


def stored_events_of(text: str) -> tuple[Event, ...]:
    """The events of a row, as they are stored."""
    return _read(_events, text)


def command_of(text: str) -> Command:
    """The command of a row."""
    return _read(_command, text)


def rule_set_of(text: str) -> RuleSet:
    """A rule set as it is stored."""
    return _read(_rule_set, text)


def _read(decoder: msgspec.json.Decoder[Value], text: str) -> Value:
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise UnknownRecord(str(error)) from error


def row_hash(previous: bytes, row: JournalRow) -> bytes:
    """SHA-256 of the hash before and the row's columns, each with its length before it.

    The columns, in this order, are table_id, version, round, actor, request_id, command, events, at
    (decimal microseconds) and engine, as UTF-8 text; a length is eight bytes, big-endian.
    """
    message = [previous]
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
        message += (len(data).to_bytes(8, "big"), data)
    return sha256(b"".join(message)).digest()
