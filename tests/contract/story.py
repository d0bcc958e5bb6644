"""Calls that were accepted, to be made again and again."""

from typing import Any

from croupier.v1.rule_set_pb2 import RuleSetOverrides
from croupier.v1.table_pb2 import Table
from croupier.v1.table_service_pb2 import (
    OpenTableRequest,
)

from tests.contract.player import (
    Caller,
    act_request,
    bet_request,
    bytes_of,
    fresh_id,
    quiet_action,
)


class Story:
    """Calls that were accepted, with the answers that they got."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.told: list[tuple[Any, Any]] = []

    async def tell(self, request: Any) -> Table:
        response = await self.caller.call(request)
        assert not response.replayed
        self.told.append((request, response))
        table: Table = response.table
        return table

    async def play(self, table: Table) -> Table:
        """One more round."""
        table = await self.tell(bet_request(table))
        while table.your.decision:
            table = await self.tell(act_request(table, quiet_action(table)))
        return table

    async def repeat(self, caller: Caller) -> None:
        """Every call again: each answer is as it was, to the byte, and nothing is appended."""
        table_id = self.told[0][1].table.table_id
        before = await caller.journal(table_id)
        for request, response in self.told:
            again = await caller.call(request)
            assert again.replayed
            again.replayed = False
            assert bytes_of(again) == bytes_of(response)
        assert await caller.journal(table_id) == before


def opening(preset: str = "six-deck-h17", **overrides: Any) -> OpenTableRequest:
    return OpenTableRequest(
        request_id=fresh_id("open"), rule_set_id=preset, overrides=RuleSetOverrides(**overrides)
    )
