"""How a test says what provokes a reason: a way that leads to a refusal, and its metadata."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from croupier.v1.table_pb2 import Table
from croupier.v1.table_service_pb2 import (
    CloseTableRequest,
    TakeSeatRequest,
)

from service.rules.reasons import Reason
from tests.contract.doors import Refusal
from tests.contract.player import Caller, fresh_id

ONE, MATCH, BANKER = "twenty-rounds", "ranked-match", "rotating-banker"


@dataclass(frozen=True)
class People:
    """Who is there, all at the same door."""

    ann: Caller
    bob: Caller
    operator: Caller


Told = tuple[Refusal, dict[str, str]]
"""How a call was refused, and the metadata that it should have."""

Way = Callable[[People], Awaitable[Told]]


class Ways(dict[Reason, Way]):
    """Ways by the reason that they lead to."""

    def to(self, reason: Reason) -> Callable[[Way], Way]:
        """Keep the function as the way to a reason, which has no other one."""
        assert reason not in self

        def kept(way: Way) -> Way:
            self[reason] = way
            return way

        return kept


async def running(who: People) -> Table:
    """A table where a decision is open."""
    return await who.ann.deal_until_a_decision(await who.ann.open("six-deck-h17"))


def close(table: Table) -> CloseTableRequest:
    return CloseTableRequest(table_id=table.table_id, request_id=fresh_id())


def sit_down(table: Table, seat: int = 0) -> TakeSeatRequest:
    return TakeSeatRequest(table_id=table.table_id, request_id=fresh_id(), seat=seat)
