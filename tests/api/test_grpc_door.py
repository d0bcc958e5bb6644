"""What the gRPC door takes from anybody: a bound on each thing that comes in."""

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from croupier.v1.access_service_pb2 import IssueGuestTokenRequest, IssueGuestTokenResponse
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest
from grpc_reflection.v1alpha.reflection_pb2_grpc import ServerReflectionStub

from db.memory_store import MemoryStore
from service.api import hearing, server
from service.api.contract import service_names
from service.api.reflection import QUESTIONS
from service.api.request import LARGEST_READ, LARGEST_REQUEST
from service.api.server import STREAMS, GrpcServer
from service.calls import vain_calls
from service.calls.access import Access, Role
from service.calls.availability import Availability, State
from service.calls.pipeline import Context, Method, Pipeline
from service.calls.vain_calls import IN_VAIN
from tests.bench.grpc_client import (
    ACK,
    END_HEADERS,
    HEADERS,
    PREFACE,
    RESET,
    SETTINGS,
    frame,
)
from tests.live.table_in_memory import Clock
from tests.siege.http2 import BOMB, CANCEL, Caller

GUEST_TOKEN = "/croupier.v1.AccessService/IssueGuestToken"
LIST_TABLES = "/croupier.v1.TableService/ListTables"
SETTING_STREAMS, SETTING_WINDOW = 3, 4


class Door:
    """A gRPC door with a method for anybody and one for players, and its state."""

    def __init__(self, **limits: Any) -> None:
        self.availability = Availability()
        access = Access(b"s" * 32, MemoryStore(), Clock(), "house")
        methods = {
            GUEST_TOKEN: Method(token, None, lambda _: None),
            LIST_TABLES: Method(token, (Role.PLAYER,), lambda _: None),
        }
        pipeline = Pipeline(methods, {}, access)
        self.server = GrpcServer(pipeline, "127.0.0.1:0", self.availability, **limits)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server.port}"


async def token(_request: object, _context: Context) -> IssueGuestTokenResponse:
    return IssueGuestTokenResponse(token="t")


@asynccontextmanager
async def opened(**limits: Any) -> AsyncIterator[Door]:
    door = Door(**limits)
    await door.server.start()
    door.availability.become(State.SERVING)
    yield door
    door.availability.become(State.ENDING)
    await door.server.drain(0.1)


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    async with opened() as door:
        yield door


@asynccontextmanager
async def client(door: Door, **options: Any) -> AsyncIterator[Any]:
    async with grpc.aio.insecure_channel(door.address, **options) as channel:
        yield channel


@asynccontextmanager
async def raw(
    door: Door,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection that speaks HTTP/2 by hand."""
    reader, writer = await asyncio.open_connection("127.0.0.1", door.server.port)
    writer.write(PREFACE + frame(SETTINGS, ACK, 0, b""))
    yield reader, writer
    writer.close()


async def send(door: Door, data: bytes, **options: Any) -> grpc.StatusCode:
    """The status of a call that sends these bytes."""
    async with client(door) as channel:
        try:
            await channel.unary_unary(GUEST_TOKEN)(data, timeout=10, **options)
        except grpc.aio.AioRpcError as error:
            return error.code()
    return grpc.StatusCode.OK


async def test_a_message_is_read_up_to_a_little_above_its_limit(door: Door) -> None:
    assert await send(door, b"") is grpc.StatusCode.OK
    for size in (LARGEST_REQUEST + 1, LARGEST_READ, LARGEST_READ + 1, 5_000_000):
        assert await send(door, bytes(size)) is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_a_compressed_message_is_not_unpacked(door: Door) -> None:
    compression = grpc.Compression.Gzip
    code = await send(door, bytes(1000), compression=compression)
    assert code is grpc.StatusCode.UNIMPLEMENTED
    async with raw(door) as (reader, writer):
        caller = Caller()
        writer.write(caller.headers(1, GUEST_TOKEN, {"grpc-encoding": "gzip"}))
        writer.write(frame(0, 1, 1, b"\1" + struct.pack(">I", len(BOMB)) + BOMB))
        answer = b""
        while b"grpc-status" not in answer:
            answer += await asyncio.wait_for(reader.read(65536), 10)
    assert b"12" in answer.partition(b"grpc-status")[2]


async def test_headers_are_bounded(door: Door) -> None:
    assert await send(door, b"", metadata=[("x-small", "a" * 4_000)]) is grpc.StatusCode.OK
    code = await send(door, b"", metadata=[("x-large", "a" * 100_000)])
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_a_connection_is_told_how_many_streams_it_may_have(door: Door) -> None:
    async with raw(door) as (reader, _):
        head = await reader.readexactly(9)
        assert head[3] == SETTINGS
        payload = await reader.readexactly(int.from_bytes(head[:3], "big"))
    told = dict(struct.iter_unpack(">HI", payload))
    assert told[SETTING_STREAMS] == STREAMS


async def test_a_call_that_says_nothing_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hearing, "MESSAGE_SECONDS", 0.1)
    async with opened() as door, client(door) as channel:
        for method in (GUEST_TOKEN, LIST_TABLES, "/grpc.health.v1.Health/Check", "/no.such/Method"):
            call = channel.stream_unary(method)()
            assert await asyncio.wait_for(call.code(), 10) is grpc.StatusCode.DEADLINE_EXCEEDED
        watch = channel.stream_stream("/grpc.health.v1.Health/Watch")()
        assert await asyncio.wait_for(watch.code(), 10) is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_a_call_that_ends_without_a_message_is_refused(door: Door) -> None:
    async with client(door) as channel:
        call = channel.stream_unary(GUEST_TOKEN)()
        await call.done_writing()
        assert await asyncio.wait_for(call.code(), 10) is grpc.StatusCode.INVALID_ARGUMENT


async def test_streams_begun_and_reset_end_their_connection_and_no_other(door: Door) -> None:
    async with client(door) as channel, raw(door) as (reader, writer):
        calls = channel.unary_unary(GUEST_TOKEN)
        await calls(b"")
        caller = Caller()
        end = asyncio.create_task(reader.read())
        stream = 1
        while not end.done():
            assert stream < 40 * IN_VAIN, "one connection goes on for ever"
            streams = range(stream, stream + 40, 2)
            writer.write(b"".join(caller.headers(one, LIST_TABLES) for one in streams))
            await asyncio.sleep(0.01)
            writer.write(b"".join(frame(RESET, 0, one, CANCEL) for one in streams))
            stream += 40
        await calls(b"")


async def test_tokens_that_are_wrong_end_their_connection(door: Door) -> None:
    async with client(door) as channel:
        served = channel.unary_unary(GUEST_TOKEN)
        await served(b"")
        async with client(door, options=[("grpc.use_local_subchannel_pool", 1)]) as other:
            codes = set()
            for _ in range(IN_VAIN + 10):
                try:
                    await other.unary_unary(LIST_TABLES)(
                        b"", metadata=[("authorization", "Bearer no")], timeout=0.5
                    )
                except grpc.aio.AioRpcError as error:
                    codes.add(error.code())
                if len(codes) > 1:
                    break
        assert grpc.StatusCode.UNAUTHENTICATED in codes
        assert len(codes) == 2, "one connection goes on for ever"
        await served(b"")


async def test_many_served_calls_end_nothing(door: Door) -> None:
    """With a token they count for nothing; guest tokens are bounded elsewhere."""
    async with client(door) as channel:
        for _ in range(IN_VAIN // 2):
            await channel.unary_unary(GUEST_TOKEN)(b"")


@pytest.mark.parametrize("service", ["", *service_names()])
async def test_health_follows_the_state(service: str) -> None:
    serving, not_serving = HealthCheckResponse.SERVING, HealthCheckResponse.NOT_SERVING
    async with opened() as door, client(door) as channel:
        health = HealthStub(channel)
        watch = health.Watch(HealthCheckRequest(service=service))
        assert (await watch.read()).status == serving
        for state, status in ((State.AWAY, not_serving), (State.SERVING, serving)):
            door.availability.become(state)
            assert (await asyncio.wait_for(watch.read(), 5)).status == status
            assert (await health.Check(HealthCheckRequest(service=service))).status == status
        door.availability.become(State.STOPPING)
        assert (await asyncio.wait_for(watch.read(), 5)).status == not_serving
        assert not watch.done()
        door.availability.become(State.ENDING)
        assert await asyncio.wait_for(watch.code(), 5) is grpc.StatusCode.UNAVAILABLE
        door.availability.become(State.SERVING)
        assert (await health.Check(HealthCheckRequest(service=service))).status == not_serving


async def test_health_of_a_service_that_is_not_here(door: Door) -> None:
    async with client(door) as channel:
        health = HealthStub(channel)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await health.Check(HealthCheckRequest(service="no.such"))
        assert refused.value.code() is grpc.StatusCode.NOT_FOUND
        watch = health.Watch(HealthCheckRequest(service="no.such"))
        assert (await watch.read()).status == HealthCheckResponse.SERVICE_UNKNOWN
        door.availability.become(State.ENDING)
        assert await asyncio.wait_for(watch.code(), 5) is grpc.StatusCode.UNAVAILABLE


async def test_a_watcher_who_does_not_read_holds_up_nobody() -> None:
    async with opened() as door, raw(door) as (_, writer):
        writer.write(frame(SETTINGS, 0, 0, struct.pack(">HI", SETTING_WINDOW, 0)))
        writer.write(Caller().call(1, "/grpc.health.v1.Health/Watch"))
        await writer.drain()
        async with client(door) as channel:
            watch = HealthStub(channel).Watch(HealthCheckRequest())
            assert (await watch.read()).status == HealthCheckResponse.SERVING
            door.availability.become(State.AWAY)
            told = await asyncio.wait_for(watch.read(), 5)
            assert told.status == HealthCheckResponse.NOT_SERVING


async def test_a_stream_of_questions_is_bounded(door: Door) -> None:
    async with client(door) as channel:
        stream = ServerReflectionStub(channel).ServerReflectionInfo()
        for _ in range(QUESTIONS):
            await stream.write(ServerReflectionRequest(list_services=""))
            answer = await stream.read()
            names = {service.name for service in answer.list_services_response.service}
            assert {*service_names(), health_pb2.DESCRIPTOR.package + ".Health"} <= names
        assert await asyncio.wait_for(stream.code(), 10) is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_connections_past_the_limit_end_and_the_useful_ones_stay() -> None:
    async with opened(connections=30) as door, client(door) as channel:
        await channel.unary_unary(GUEST_TOKEN)(b"")
        silent = [await asyncio.open_connection("127.0.0.1", door.server.port) for _ in range(60)]
        ended = [asyncio.create_task(reader.read()) for reader, _ in silent]
        done, _ = await asyncio.wait(ended, timeout=10, return_when=asyncio.FIRST_COMPLETED)
        assert done
        await channel.unary_unary(GUEST_TOKEN)(b"")
        for _, writer in silent:
            writer.close()
        await asyncio.gather(*ended, return_exceptions=True)


def test_a_request_that_nobody_knows_has_frames_as_the_tests_think() -> None:
    """The hand-made frames of the attacks are what they say."""
    headers = Caller().headers(1, GUEST_TOKEN)
    assert (headers[3], headers[4]) == (HEADERS, END_HEADERS)
    assert IssueGuestTokenRequest().SerializeToString() == b""


def test_the_page_for_operators_has_these_limits() -> None:
    page = (Path(__file__).parents[2] / "docs/operators.md").read_text()
    for row in (
        f"{LARGEST_REQUEST // 1024} KiB | a request message",
        f"above {LARGEST_READ // 1024} KiB without a reason",
        f"{server.HEADERS_BYTES // 1024} KiB | the headers",
        f"{STREAMS} | calls and streams",
        f"{server.HANDSHAKE_SECONDS} seconds | until a connection",
        f"{hearing.MESSAGE_SECONDS:.0f} seconds | until a call",
        f"{server.IDLE_SECONDS // 60} minutes | a connection without",
        f"{server.PROBE_SECONDS} + {server.PROBE_ANSWER_SECONDS} seconds",
        f"{QUESTIONS} questions",
        f"{IN_VAIN} calls in vain in {vain_calls.PERIOD:.0f} seconds",
        f"with more than {vain_calls.GUILTY} of them",
        f"for {vain_calls.SHORTEST_REFUSAL:.0f} seconds; twice as long each time after",
        f"up to {vain_calls.LONGEST_REFUSAL / 60:.0f} minutes",
    ):
        assert row in page
