"""Clients that ask at once, and how many of their calls a second are answered."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

import psycopg
import uvloop

from tests.bench.grpc_client import GrpcConnection, GrpcWire
from tests.bench.player import Client, Player, Reader, UnexpectedAnswerError
from tests.bench.rest_client import RestConnection, RestWire
from tests.bench.serving import Served

WARM_UP = 1.0
PATIENCE = 30.0
"""Seconds that the last answers may take."""


@dataclass(frozen=True)
class Door:
    """One way in."""

    name: str
    wire: type[GrpcWire] | type[RestWire]
    connection: type[GrpcConnection] | type[RestConnection]


GRPC = Door("gRPC", GrpcWire, GrpcConnection)
REST = Door("REST", RestWire, RestConnection)


def actions_a_second(served: Served, door: Door, clients: int, seconds: float) -> float:
    """Let so many clients play, each at a table of their own.

    Raises UnexpectedAnswerError unless the journal has exactly one row for each answer.
    """
    players = [Player(door.wire()) for _ in range(clients)]
    tokens = [served.guest_token() for _ in players]
    rate = answers_a_second(served, door, players, tokens, seconds)
    accepted = sum(player.accepted for player in players)
    with psycopg.connect(served.database) as connection:
        row = connection.execute(
            "SELECT count(*) FROM journal WHERE table_id = ANY(%s)",
            [[player.table_id for player in players]],
        ).fetchone()
    if row != (accepted,):
        raise UnexpectedAnswerError(f"{accepted} answers, but {row} rows in the journal")
    return rate


def reads_a_second(
    served: Served, door: Door, table_id: str, token: str, clients: int, seconds: float
) -> float:
    """Let so many clients read one table."""
    readers = [Reader(door.wire(), table_id) for _ in range(clients)]
    return answers_a_second(served, door, readers, [token] * clients, seconds)


def answers_a_second(
    served: Served, door: Door, clients: Sequence[Client], tokens: Sequence[str], seconds: float
) -> float:
    """Let these clients ask for so many seconds after a warm-up, each on its own connection."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_ask(served, door, clients, tokens, seconds))


async def _ask(
    served: Served, door: Door, clients: Sequence[Client], tokens: Sequence[str], seconds: float
) -> float:
    over = [
        await _connect(served, door, client, token)
        for client, token in zip(clients, tokens, strict=True)
    ]
    await asyncio.sleep(WARM_UP)
    started, before = time.perf_counter(), _answers(clients)
    # Only a client that fails is over before it has been stopped.
    await asyncio.wait(over, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    rate = (_answers(clients) - before) / (time.perf_counter() - started)
    for client in clients:
        client.stopped = True
    await asyncio.wait_for(asyncio.gather(*over), PATIENCE)
    return rate


async def _connect(
    served: Served, door: Door, client: Client, token: str
) -> "asyncio.Future[None]":
    """Let a client begin; done when it is over."""
    address = served.grpc if door is GRPC else served.rest
    host, _, port = address.partition(":")
    connection = door.connection(client, address, token)
    loop = asyncio.get_running_loop()
    await loop.create_connection(lambda: connection, host, int(port))
    return connection.over


def _answers(clients: Sequence[Client]) -> int:
    return sum(client.accepted for client in clients)
