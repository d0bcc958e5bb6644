"""The scene that callers ask about: a table at a moment at which something lies face down."""

from collections.abc import Iterator
from typing import NamedTuple

from google.protobuf.message import Message

from service.table.state import State

NOWHERE = "nowhere"
"""A table that does not exist."""
ID = "asked"
"""The request id of all: a refusal is not remembered."""


class Scene(NamedTuple):
    """The table of a game at a moment at which something lies face down, and who looks at it.

    `decision` is the decision that is open, `refused` are the actions, by their names on the wire,
    that the caller may not answer it with.
    """

    table_id: str
    version: int
    state: State
    decision: str
    refused: tuple[str, ...]
    seated: bool
    is_operator: bool

    @property
    def tables(self) -> tuple[str, str]:
        return self.table_id, NOWHERE


class Some(NamedTuple):
    """A request that is answered by a stream, and how many messages come at once."""

    request: Message
    messages: int


Requests = Iterator[Message | Some]
