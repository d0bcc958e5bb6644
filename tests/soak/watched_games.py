"""Games that others watch: one change a second at each table, made through any process."""

import asyncio
from typing import Any

import grpc
from croupier.v1 import table_service_pb2 as pb
from croupier.v1.table_pb2 import Action, Table

from tests.soak.serving import Soak

SERVICE = "/croupier.v1.TableService"


class Games:
    """Tables for one player each, whose players bet and stand."""

    def __init__(self, soak: Soak, name: str, count: int) -> None:
        self._metadata = [
            (("authorization", f"Bearer {soak.token(f'{name}-{number}')}"),)
            for number in range(count)
        ]
        self._tables: list[Table] = []
        self._sent = 0

    @property
    def ids(self) -> list[str]:
        return [table.table_id for table in self._tables]

    async def open(self, channel: Any) -> None:
        """Open every table."""
        for number in range(len(self._metadata)):
            request = pb.OpenTableRequest(rule_set_id="six-deck-h17")
            self._tables.append(await self._call(channel, number, "OpenTable", request))

    async def play(self, channel: Any, seconds: float) -> None:
        """One change a second at each table, spread over the second."""
        loop = asyncio.get_running_loop()
        started = loop.time()

        async def play_one(number: int) -> None:
            due = started + number / len(self._tables)
            while due < started + seconds:
                await asyncio.sleep(due - loop.time())
                await self.change(channel, number)
                due += 1.0

        await asyncio.gather(*(play_one(number) for number in range(len(self._tables))))

    async def change(self, channel: Any, number: int) -> None:
        """Whatever is next at one table."""
        table = self._tables[number]
        request: Any
        if table.your.decision:
            legal = [one.action for one in table.your.legal_actions]
            quiet = Action.ACTION_DECLINE if Action.ACTION_DECLINE in legal else Action.ACTION_STAND
            request = pb.ActRequest(decision=table.your.decision, action=quiet)
            name = "Act"
        else:
            offer = table.your.bet
            request = pb.PlaceBetRequest(round=offer.round, stake=offer.min_stake)
            name = "PlaceBet"
        request.table_id = table.table_id
        self._tables[number] = await self._call(channel, number, name, request)

    async def _call(self, channel: Any, number: int, name: str, request: Any) -> Table:
        self._sent += 1
        request.request_id = f"c{self._sent}"
        answer = getattr(pb, f"{name}Response")
        method = channel.unary_unary(f"{SERVICE}/{name}", response_deserializer=answer.FromString)
        response = await method(
            request.SerializeToString(),
            metadata=self._metadata[number],
            timeout=30,
            wait_for_ready=True,
        )
        table: Table = response.table
        return table


def channel_to(address: str) -> grpc.aio.Channel:
    """A channel that finds its server again soon after it was killed."""
    return grpc.aio.insecure_channel(address, options=[("grpc.max_reconnect_backoff_ms", 200)])
