"""A player, an operator or a stranger at one of the doors, with calls that are short to write."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import pytest
from croupier.v1.history_service_pb2 import JournalRow, ListEventsRequest
from croupier.v1.rule_set_pb2 import RuleSetOverrides
from croupier.v1.table_pb2 import Action, Table
from croupier.v1.table_service_pb2 import (
    ActRequest,
    GetTableRequest,
    OpenTableRequest,
    PlaceBetRequest,
)

from tests.contract.doors import Door, Refusal

_ids = count(1)


def fresh_id(prefix: str = "r") -> str:
    """A request id that no other call of this process has."""
    return f"{prefix}-{next(_ids)}"


@dataclass(frozen=True)
class Caller:
    """Somebody with a token; `id` is how the tables name them (empty: an operator)."""

    door: Door
    token: str = field(repr=False)
    id: str = ""
    code: str = field(default="", repr=False)
    """The join code that every call brings; empty: none."""

    def through(self, door: Door) -> "Caller":
        """The same caller at another door."""
        return replace(self, door=door)

    async def call(self, request: Any) -> Any:
        """Any request."""
        return await self.door.call(request, self.token, self.code)

    async def invited_by(self, other: "Caller", table: Table) -> "Caller":
        """The same caller, with the join code of another's table."""
        response = await other.call(GetTableRequest(table_id=table.table_id))
        assert response.join_code
        return replace(self, code=response.join_code)

    async def refused(self, request: Any) -> Refusal:
        """A request that must be refused, and how it is."""
        with pytest.raises(Refusal) as refusal:
            await self.call(request)
        return refusal.value

    async def open(self, rule_set_id: str, request_id: str = "", **overrides: Any) -> Table:
        """Open a table."""
        response = await self.call(
            OpenTableRequest(
                request_id=request_id or fresh_id("open"),
                rule_set_id=rule_set_id,
                overrides=RuleSetOverrides(**overrides),
            )
        )
        return table_of(response)

    async def see(self, table_id: str) -> Table:
        """Look at a table."""
        return table_of(await self.call(GetTableRequest(table_id=table_id)))

    async def bet(self, table: Table, stake: int = 0, request_id: str = "") -> Table:
        """Bet on the round that takes bets; the least stake if none is named."""
        return table_of(await self.call(bet_request(table, stake, request_id)))

    async def act(self, table: Table, action: "Action.ValueType", request_id: str = "") -> Table:
        """Answer the open decision."""
        return table_of(await self.call(act_request(table, action, request_id)))

    async def deal_until_a_decision(self, table: Table, stake: int = 0) -> Table:
        """Bet until a round leaves something to decide (one first bet in eleven ends at once)."""
        while not table.your.decision:
            table = await self.bet(table, stake)
        return table

    async def deal_until_a_turn(self, table: Table, stake: int = 0) -> Table:
        """Bet until it is a hand's turn; insurance is declined on the way."""
        while Action.ACTION_STAND not in [one.action for one in table.your.legal_actions]:
            if table.your.decision:
                table = await self.act(table, Action.ACTION_DECLINE)
            else:
                table = await self.bet(table, stake)
        return table

    async def stand(self, table: Table) -> Table:
        """Play the round to its end without a further card."""
        while table.your.decision:
            table = await self.act(table, quiet_action(table))
        return table

    async def play_round(self, table: Table, stake: int = 0) -> Table:
        """Bet, and stand on everything."""
        return await self.stand(await self.bet(table, stake))

    async def journal(self, table_id: str, page_size: int = 1000) -> list[JournalRow]:
        """Every row of a table."""
        return [row async for row in self.pages_of_journal(table_id, page_size)]

    async def pages_of_journal(self, table_id: str, page_size: int) -> AsyncIterator[JournalRow]:
        """The rows of a table, page by page."""
        token = ""
        while True:
            response = await self.call(
                ListEventsRequest(table_id=table_id, page_size=page_size, page_token=token)
            )
            for row in response.rows:
                yield row
            token = response.next_page_token
            if not token:
                return


def bet_request(table: Table, stake: int = 0, request_id: str = "") -> PlaceBetRequest:
    return PlaceBetRequest(
        table_id=table.table_id,
        request_id=request_id or fresh_id("bet"),
        round=table.your.bet.round or table.round,
        stake=stake or table.your.bet.min_stake,
        client_seed=f"seed-{table.version}" if table.version % 2 else "",
    )


def act_request(table: Table, action: "Action.ValueType", request_id: str = "") -> ActRequest:
    return ActRequest(
        table_id=table.table_id,
        request_id=request_id or fresh_id("act"),
        decision=table.your.decision,
        action=action,
    )


def quiet_action(table: Table) -> "Action.ValueType":
    """Decline or stand: what is always open."""
    legal = [one.action for one in table.your.legal_actions]
    return Action.ACTION_DECLINE if Action.ACTION_DECLINE in legal else Action.ACTION_STAND


def table_of(response: Any) -> Table:
    """The table of a response, whose version and hash are those of the response."""
    table: Table = response.table
    assert (response.version, response.hash) == (table.version, table.hash)
    return table


def bytes_of(message: Any) -> bytes:
    """A message to the byte."""
    return bytes(message.SerializeToString(deterministic=True))
