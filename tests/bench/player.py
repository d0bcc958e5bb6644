"""Who asks: a player, who plays round after round at a table of their own, and a mere reader.

They know no door: what they ask is encoded, and what they are told decoded, by their `Wire`. Every
answer is checked. A player's must be about their table, a version further than the one before, and
no repetition: so each answer that counts is a row in the journal.
"""

from dataclasses import dataclass
from typing import Protocol
from uuid import uuid4

STAND_ON = 17


@dataclass(frozen=True, slots=True)
class Seen:
    """What a player needs of an answer; `total` is that of the open hand, `least_stake` the lowest
    that the next bet may be."""

    table_id: str
    version: int
    replayed: bool
    decision: str
    bet_round: int
    least_stake: int
    total: int


@dataclass(frozen=True, slots=True)
class Request:
    """A call as it goes over the wire: the method's name, the table in it, and the message."""

    method: str
    table_id: str
    body: bytes


class Wire(Protocol):
    """Messages of one door."""

    def open_table(self, request_id: str) -> Request: ...

    def bet(self, table_id: str, request_id: str, round: int, stake: int) -> Request: ...

    def act(self, table_id: str, request_id: str, decision: str, action: str) -> Request: ...

    def get(self, table_id: str) -> Request: ...

    def seen(self, answer: bytes) -> Seen: ...


class Client(Protocol):
    """Asks the next question after each answer, until `stopped`; `accepted` counts the answers."""

    accepted: int
    stopped: bool

    def begin(self) -> Request: ...

    def answered(self, answer: bytes) -> Request | None:
        """The next request; None once it has been stopped."""


class UnexpectedAnswerError(Exception):
    """An answer that the service should not have given."""


class Player:
    """Opens a table and plays. `table_id` is known after the first answer."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._ids = uuid4().hex[:24]
        self.table_id = ""
        self.accepted = 0
        self.stopped = False

    def begin(self) -> Request:
        """The first request: open a table."""
        return self._wire.open_table(self._request_id())

    def answered(self, answer: bytes) -> Request | None:
        """Bet the least when a round is over, else act: hit below 17, never insure.

        Any stack that is not refilled covers the least, however long the player loses.
        """
        seen = self._wire.seen(answer)
        self.table_id = self.table_id or seen.table_id
        self.accepted += 1
        if (seen.table_id, seen.version, seen.replayed) != (self.table_id, self.accepted, False):
            raise UnexpectedAnswerError(f"version {self.accepted} was to come, not {seen}")
        if self.stopped:
            return None
        if not seen.decision:
            request_id, stake = self._request_id(), seen.least_stake
            return self._wire.bet(self.table_id, request_id, seen.bet_round, stake)
        return self._wire.act(self.table_id, self._request_id(), seen.decision, _action(seen))

    def _request_id(self) -> str:
        return f"{self._ids}-{self.accepted:07}"


class Reader:
    """Looks at one table, which nobody changes, again and again."""

    def __init__(self, wire: Wire, table_id: str) -> None:
        self._wire = wire
        self._request = wire.get(table_id)
        self.accepted = 0
        self.stopped = False

    def begin(self) -> Request:
        """Look at the table."""
        return self._request

    def answered(self, answer: bytes) -> Request | None:
        """Look again."""
        seen = self._wire.seen(answer)
        if seen.table_id != self._request.table_id:
            raise UnexpectedAnswerError(f"{self._request.table_id} was asked for, not {seen}")
        self.accepted += 1
        return None if self.stopped else self._request


def _action(seen: Seen) -> str:
    if seen.decision.split("-")[1] == "0":
        return "ACTION_DECLINE"
    return "ACTION_STAND" if seen.total >= STAND_ON else "ACTION_HIT"
