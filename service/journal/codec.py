"""Commands and events as text, and the hash that chains the rows of a journal.

The text is JSON, written once and kept byte for byte: hashes and verification use it as stored. The
same value always gives the same text.

An event, field or value that this version of the service does not know is never skipped: it raises
`UnknownRecord`, and this process answers UNAVAILABLE for the table.
"""

from hashlib import sha256

import msgspec

from service.journal.ports import JournalRow
from service.journal.text import read_text
from service.journal.upcast import upcast
from service.table.commands import AnyCommand, Command
from service.table.events import AnyEvent, Event

_events: msgspec.json.Decoder[tuple[Event, ...]] = msgspec.json.Decoder(tuple[AnyEvent, ...])
_command: msgspec.json.Decoder[Command] = msgspec.json.Decoder(AnyCommand)

GENESIS = bytes(32)
"""The hash before the first row of a table."""


def events_of(text: str) -> tuple[Event, ...]:
    """The events of a row, as the current code reads them."""
    return upcast(stored_events_of(text))


def stored_events_of(text: str) -> tuple[Event, ...]:
    """The events of a row, as they are stored."""
    return read_text(_events, text)


def command_of(text: str) -> Command:
    """The command of a row."""
    return read_text(_command, text)


def row_hash(previous: bytes, row: JournalRow) -> bytes:
    """SHA-256 of the previous hash and the row's columns, each column preceded by its length.

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
