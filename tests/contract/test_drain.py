"""The end of a process: health says so, running calls end, new ones are refused."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import httpx
import psycopg
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from service.api.contract import service_names
from tests.contract.conftest import guest
from tests.contract.doors import GrpcDoor, open_door
from tests.contract.player import bet_request, bytes_of
from tests.contract.server import Server, running_server

WAITING = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


async def test_health_and_reflection(server: Server) -> None:
    async with grpc.aio.insecure_channel(server.grpc) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        for name in ("", *service_names()):
            answer = await health.Check(health_pb2.HealthCheckRequest(service=name))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        reflection = reflection_pb2_grpc.ServerReflectionStub(channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        (listed,) = [one async for one in reflection.ServerReflectionInfo(iter([request]))]
    names = {service.name for service in listed.list_services_response.service}
    assert names > set(service_names())
    async with httpx.AsyncClient(base_url=f"http://{server.rest}", verify=False) as client:
        assert (await client.get("/healthz")).json() == {"status": "alive"}
        assert (await client.get("/readyz")).json() == {"status": "ready"}


async def until(condition: Callable[[], Awaitable[bool]], seconds: float = 20.0) -> None:
    async with asyncio.timeout(seconds):
        while not await condition():  # noqa: ASYNC110 - what is awaited is another process
            await asyncio.sleep(0.02)


async def waiting(looker: "psycopg.Connection[Any]", calls: int) -> bool:
    """Whether so many statements wait for a row."""
    return looker.execute(WAITING).fetchone() == (calls,)


async def refused_over_grpc(server: Server) -> bool:
    of_its_own = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(server.grpc, options=of_its_own) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        try:
            await stub.Check(health_pb2.HealthCheckRequest())
        except grpc.aio.AioRpcError as error:
            return error.code() is grpc.StatusCode.UNAVAILABLE
    return False


async def refused_over_rest(server: Server) -> bool:
    async with httpx.AsyncClient(verify=False) as client:
        try:
            await client.post(f"http://{server.rest}/v1/guestTokens")
        except (httpx.NetworkError, httpx.RemoteProtocolError):
            return True  # turned away, or reset in the queue of a door that closed
    return False


async def test_running_calls_end_and_new_ones_are_refused(
    database: str, owner_database: str, tmp_path: Path
) -> None:
    """Two calls, one at each door, wait for a row that another session holds; then SIGTERM."""
    with running_server(database, tmp_path) as server, psycopg.connect(owner_database) as session:
        async with open_door("grpc", server) as grpc_door, open_door("rest", server) as rest_door:
            callers = [await guest(door) for door in (grpc_door, rest_door)]
            tables = [await caller.open("six-deck-h17") for caller in callers]
            assert isinstance(grpc_door, GrpcDoor)
            health = health_pb2_grpc.HealthStub(grpc_door.channel)
            watch = health.Watch(health_pb2.HealthCheckRequest())
            assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING

            session.execute("SELECT FROM table_head FOR UPDATE")
            running = []
            with psycopg.connect(owner_database, autocommit=True) as looker:
                for caller, table in zip(callers, tables, strict=True):
                    running.append(asyncio.create_task(caller.call(bet_request(table))))
                    await until(partial(waiting, looker, len(running)))
            server.process.interrupt()
            assert (await watch.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING

            await until(partial(refused_over_grpc, server))
            await until(partial(refused_over_rest, server))
            assert not any(task.done() for task in running)
            assert server.process.runs
            session.rollback()
            answers = await asyncio.gather(*running)
        assert await asyncio.to_thread(server.process.has_died) == 0
        assert "Traceback" not in server.log.read_text()
    with running_server(database, tmp_path) as again:
        async with open_door("rest", again) as door:
            for caller, answer in zip(callers, answers, strict=True):
                seen = await caller.through(door).see(answer.table.table_id)
                assert bytes_of(seen) == bytes_of(answer.table)


@pytest.mark.parametrize(
    "setting", ["CROUPIER_SEALING_KEYS", "CROUPIER_SIGNING_KEYS", "CROUPIER_TOKEN_SECRET"]
)
def test_a_shared_database_needs_keys(setting: str, database: str, tmp_path: Path) -> None:
    with (
        pytest.raises(AssertionError, match="CROUPIER_TOKEN_SECRET, CROUPIER_SEALING_KEYS and"),
        running_server(database, tmp_path, {setting: ""}),
    ):
        pass
