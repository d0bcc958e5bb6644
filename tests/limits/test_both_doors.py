"""Limits as clients meet them, over gRPC and REST, and what they keep off the disk."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import grpc
import httpx
import psycopg
import pytest
from croupier.v1.access_service_pb2 import IssueGuestTokenRequest
from croupier.v1.table_service_pb2 import GetTableRequest
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2, status_pb2

from service.server.settings import Settings
from tests.contract.doors import Door, Refusal, open_door
from tests.contract.player import Caller, fresh_id
from tests.contract.server import Server, running_server
from tests.database import Databases

DOORS = ["grpc", "rest"]
LOW = {
    "CROUPIER_CALLER_TABLES_PER_MINUTE": "1",
    "CROUPIER_ADDRESS_TOKENS_PER_MINUTE": "6",
    "CROUPIER_CALLER_CALLS_PER_MINUTE": "30",
}
HOURLY_BYTES = 100e6


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    name = databases.create()
    with running_server(
        databases.runtime_conninfo(name), tmp_path_factory.mktemp("limited"), LOW
    ) as server:
        yield server
    databases.drop(name)


async def guest(door: Door) -> Caller:
    response = await door.call(IssueGuestTokenRequest())
    return Caller(door, response.token, response.player_id)


@pytest.fixture(params=DOORS)
async def door(request: pytest.FixtureRequest, server: Server) -> AsyncIterator[Door]:
    async with open_door(request.param, server) as door:
        yield door


async def test_a_table_too_many_and_a_call_too_many(door: Door) -> None:
    ann = await guest(door)
    table = await ann.open("twenty-rounds")
    with pytest.raises(Refusal) as tables:
        await ann.open("twenty-rounds", fresh_id("open"))
    assert (tables.value.code, tables.value.reason) == ("RESOURCE_EXHAUSTED", "LIMIT_REACHED")
    assert tables.value.metadata["limit"] == "caller_tables_per_minute"
    assert 1 <= int(tables.value.metadata["retry_seconds"]) <= 60
    looks = [ann.call(GetTableRequest(table_id=table.table_id)) for _ in range(40)]
    answers = await asyncio.gather(*looks, return_exceptions=True)
    (refusal, *_) = [one for one in answers if isinstance(one, Refusal)]
    assert refusal.metadata == {"limit": "caller_calls_per_minute", "retry_seconds": "2"}


async def test_one_address_gets_so_many_tokens_and_is_told_when_to_come_back(
    server: Server,
) -> None:
    async with httpx.AsyncClient(base_url=f"http://{server.rest}") as client:
        answers = [await client.post("/v1/guestTokens", json={}) for _ in range(7)]
    answer = answers[-1]
    assert answer.status_code == 429
    info, retry = answer.json()["details"]
    assert (info["reason"], info["metadata"]["limit"]) == (
        "REASON_LIMIT_REACHED",
        "address_tokens_per_minute",
    )
    seconds = info["metadata"]["retry_seconds"]
    assert (answer.headers["retry-after"], retry["retryDelay"]) == (seconds, f"{seconds}s")
    async with grpc.aio.insecure_channel(server.grpc) as channel:
        issue: Any = channel.unary_unary("/croupier.v1.AccessService/IssueGuestToken")
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await issue(b"")
    details = dict(error.value.trailing_metadata() or ())["grpc-status-details-bin"]
    status = status_pb2.Status.FromString(details)
    told = error_details_pb2.RetryInfo()
    assert status.details[1].Unpack(told)
    assert Duration(seconds=1) != told.retry_delay != Duration()


async def test_what_one_address_can_fill_in_an_hour(databases: Databases, tmp_path: Path) -> None:
    """With the limits as they are set by default, and what tables and commands take on the disk."""
    name = databases.create()
    with running_server(databases.runtime_conninfo(name), tmp_path) as server:
        async with open_door("grpc", server) as door:
            ann = await guest(door)

            def size() -> int:
                with psycopg.connect(databases.conninfo(name), autocommit=True) as connection:
                    row = connection.execute(
                        "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
                        " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
                    ).fetchone()
                    assert row is not None
                    return int(row[0])

            before = size()
            tables = await asyncio.gather(*(ann.open("six-deck-h17") for _ in range(100)))
            opened = size()
            for table in tables:
                await ann.deal_until_a_decision(table)
            rows = sum([(await ann.see(table.table_id)).version - 1 for table in tables])
            bet = size()
    databases.drop(name)
    a_table, a_command = (opened - before) / 100, (bet - opened) / rows
    print(f"a table {a_table:.0f} bytes, a command {a_command:.0f} bytes")
    ours = Settings.model_construct()
    # A minute's worth may be had at once, so that the first hour has 61.
    hour = 61 * (
        ours.address_tables_per_minute * a_table + ours.address_commands_per_minute * a_command
    )
    assert 0 < hour < HOURLY_BYTES
