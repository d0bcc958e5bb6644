"""Who is to be served meanwhile: a player with stock clients, who looks at a table steadily."""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import grpc
import httpx
from croupier.v1.table_service_pb2 import GetTableRequest, OpenTableRequest
from croupier.v1.table_service_pb2_grpc import TableServiceStub

from tests.bench.serving import Served

A_SECOND = 50
"""Calls a second at each door."""

Ask = Callable[[], Awaitable[object]]


@dataclass
class Service:
    """How one door served the player: seconds a call, and what went wrong."""

    seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def at(self, share: float) -> float:
        """The milliseconds within which that share of the calls was answered; a call that failed
        was never answered."""
        times = sorted(self.seconds) + [math.inf] * len(self.failures)
        return 1000 * times[min(len(times) - 1, int(share * len(times)))] if times else math.inf


@dataclass(frozen=True)
class Victim:
    """A player at a table, by door (`grpc`, `rest`)."""

    doors: dict[str, Ask]

    async def play(self, seconds: float) -> dict[str, Service]:
        """Look at the table at each door for so long; how each served."""
        found = {name: Service() for name in self.doors}
        await asyncio.gather(
            *(_look(self.doors[name], service, seconds) for name, service in found.items())
        )
        return found


@asynccontextmanager
async def seated(served: Served) -> AsyncIterator[Victim]:
    """A guest who has opened a table."""
    token = await asyncio.to_thread(served.guest_token)
    bearer = f"Bearer {token}"
    async with (
        grpc.aio.insecure_channel(served.grpc) as channel,
        httpx.AsyncClient(base_url=f"http://{served.rest}", trust_env=False) as rest,
    ):
        tables = TableServiceStub(channel)
        metadata = (("authorization", bearer),)
        opened = await tables.OpenTable(
            OpenTableRequest(request_id="siege", rule_set_id="six-deck-h17"), metadata=metadata
        )
        table_id = opened.table.table_id

        async def over_grpc() -> object:
            return await tables.GetTable(
                GetTableRequest(table_id=table_id), metadata=metadata, timeout=10
            )

        async def over_rest() -> object:
            answer = await rest.get(
                f"/v1/tables/{table_id}", headers={"Authorization": bearer}, timeout=10
            )
            return answer.raise_for_status()

        yield Victim({"grpc": over_grpc, "rest": over_rest})


async def _look(ask: Ask, service: Service, seconds: float) -> None:
    """Ask at a steady pace, whether or not the last answer has come."""
    until = time.monotonic() + seconds
    asked: set[asyncio.Task[None]] = set()
    while time.monotonic() < until:
        asked.add(asyncio.create_task(_one(ask, service)))
        await asyncio.sleep(1 / A_SECOND)
    await asyncio.gather(*asked)


async def _one(ask: Ask, service: Service) -> None:
    started = time.perf_counter()
    try:
        await ask()
    except (grpc.aio.AioRpcError, httpx.HTTPError) as error:
        service.failures.append(str(error))
    else:
        service.seconds.append(time.perf_counter() - started)
