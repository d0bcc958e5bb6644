"""Stock clients, who play on while serving processes are stopped and killed by turns.

Their retries are those that any client has: gRPC's own policy for UNAVAILABLE, and over HTTP a
repetition after a connection error, 502 or 503. Nothing else may reach a player.
"""

import asyncio
import json
import os
import random
import signal
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import uuid4

import grpc
import httpx

GRPC_POLICY = json.dumps(
    {
        "methodConfig": [
            {
                "name": [{}],
                "retryPolicy": {
                    "maxAttempts": 5,
                    "initialBackoff": "0.2s",
                    "maxBackoff": "3s",
                    "backoffMultiplier": 3,
                    "retryableStatusCodes": ["UNAVAILABLE"],
                },
            }
        ]
    }
)
REST_ATTEMPTS, REST_PAUSE = 8, 0.2
SERVICE = "/croupier.v1.TableService/"


class Client(Protocol):
    """One way to call."""

    async def call(self, method: str, **fields: Any) -> dict[str, Any]:
        """The answer, in JSON's form."""


class GrpcClient:
    """grpcio, with a policy of retries and nothing else."""

    def __init__(self, address: str, token: str) -> None:
        options = [
            ("grpc.service_config", GRPC_POLICY),
            ("grpc.use_local_subchannel_pool", 1),
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.min_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 1000),
        ]
        self._channel = grpc.aio.insecure_channel(address, options=options)
        self._metadata = (("authorization", f"Bearer {token}"),)

    async def call(self, method: str, **fields: Any) -> dict[str, Any]:
        from croupier.v1 import table_service_pb2 as messages
        from google.protobuf.json_format import MessageToDict

        request = getattr(messages, f"{method}Request")(**fields)
        response = getattr(messages, f"{method}Response")
        call = self._channel.unary_unary(
            SERVICE + method,
            request_serializer=type(request).SerializeToString,
            response_deserializer=response.FromString,
        )
        answer = await call(request, metadata=self._metadata, timeout=20)
        return dict(MessageToDict(answer, always_print_fields_with_no_presence=True))

    async def close(self) -> None:
        await self._channel.close()


PATHS = {
    "OpenTable": "/v1/tables",
    "PlaceBet": "/v1/tables/{}:bet",
    "Act": "/v1/tables/{}:act",
}


class RestClient:
    """httpx, that repeats what did not arrive."""

    def __init__(self, address: str, token: str) -> None:
        self._client = httpx.AsyncClient(
            base_url=f"http://{address}",
            headers={"Authorization": f"Bearer {token}"},
            timeout=20,
            trust_env=False,
        )

    async def call(self, method: str, **fields: Any) -> dict[str, Any]:
        path = PATHS[method].format(fields.pop("table_id", ""))
        for attempt in range(REST_ATTEMPTS):
            try:
                answer = await self._client.post(path, json=fields)
            except (httpx.NetworkError, httpx.RemoteProtocolError):
                if attempt + 1 == REST_ATTEMPTS:
                    raise
            else:
                if answer.status_code not in (502, 503) or attempt + 1 == REST_ATTEMPTS:
                    return dict(answer.raise_for_status().json())
            await asyncio.sleep(REST_PAUSE * 2**attempt * random.uniform(0.5, 1))
        raise AssertionError("the last attempt returns or raises")

    async def close(self) -> None:
        await self._client.aclose()


@dataclass
class Player:
    """Plays at a table of their own, and counts the steps that were accepted."""

    client: GrpcClient | RestClient
    table_id: str = ""
    accepted: int = 0
    failures: list[str] = field(default_factory=list)

    async def play(self, over: asyncio.Event) -> None:
        """Play until it is over, or something reaches the player that should not."""
        try:
            answer = await self.client.call(
                "OpenTable", request_id=uuid4().hex, rule_set_id="six-deck-h17"
            )
            self.table_id = answer["table"]["tableId"]
            self.accepted = 1
            while not over.is_set():
                answer = await self._step(answer["table"])
                self.accepted += 1
                if int(answer["version"]) != self.accepted:
                    self.failures.append(f"version {answer['version']}, not {self.accepted}")
        except (grpc.aio.AioRpcError, httpx.HTTPError) as error:
            self.failures.append(_told(error))
        finally:
            await self.client.close()

    async def _step(self, table: dict[str, Any]) -> dict[str, Any]:
        your, request_id = table["your"], uuid4().hex
        if not (decision := your["decision"]):
            return await self.client.call(
                "PlaceBet",
                table_id=self.table_id,
                request_id=request_id,
                round=your["bet"]["round"],
                stake=int(your["bet"]["minStake"]),
            )
        declines = decision.split("-")[1] == "0"
        return await self.client.call(
            "Act",
            table_id=self.table_id,
            request_id=request_id,
            decision=decision,
            action="ACTION_DECLINE" if declines else "ACTION_STAND",
        )


def _told(error: Exception) -> str:
    if isinstance(error, grpc.aio.AioRpcError):
        return f"{error.code().name}: {error.details()}"
    if isinstance(error, httpx.HTTPStatusError):
        return f"{error.response.status_code}: {error.response.text}"
    return repr(error)


async def play_through(
    players: Sequence[Player], ends: Sequence[signal.Signals], victims: "Victims"
) -> Counter[str]:
    """Let the players play while processes end one after the other; what reached them, counted."""
    over = asyncio.Event()
    playing = [asyncio.create_task(player.play(over)) for player in players]
    await asyncio.sleep(1)
    for number in ends:
        await victims.end_one(number)
    await asyncio.sleep(1)
    over.set()
    await asyncio.gather(*playing)
    return Counter(failure for player in players for failure in player.failures)


class Victims(Protocol):
    """The serving processes."""

    async def end_one(self, number: signal.Signals) -> None:
        """End one of them, and wait until it has been replaced."""


@dataclass
class Supervised:
    """Those of one service, by its parent."""

    children: Any
    count: int

    async def end_one(self, number: signal.Signals) -> None:
        before = self.children()
        os.kill(before[0], number)
        async with asyncio.timeout(60):
            while (now := self.children()) == before or len(now) < self.count:  # noqa: ASYNC110 - of other processes
                await asyncio.sleep(0.05)
        await asyncio.sleep(1.0)
