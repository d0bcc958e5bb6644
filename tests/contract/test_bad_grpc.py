"""What only gRPC can carry: bytes that are not a message, fields and methods that do not exist."""

from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from croupier.v1.table_service_pb2 import GetTableRequest, PlaceBetRequest

from tests.contract.conftest import guest
from tests.contract.doors import GrpcDoor, Refusal, open_door
from tests.contract.player import Caller, bytes_of
from tests.contract.server import Server

BET = "/croupier.v1.TableService/PlaceBet"
GET = "/croupier.v1.TableService/GetTable"


@pytest.fixture
async def door(server: Server) -> AsyncIterator[GrpcDoor]:
    async with open_door("grpc", server) as door:
        assert isinstance(door, GrpcDoor)
        yield door


@pytest.fixture
async def player(door: GrpcDoor) -> Caller:
    return await guest(door)


async def refused(door: GrpcDoor, rpc: str, data: bytes, token: str) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        await door.send(rpc, data, token)
    return refusal.value


@pytest.mark.parametrize(
    "data",
    [b"\xff", b"\x0a", b"\x0a\xff\xff\xff\xff\x0f", bytes(range(256)), b"{}", b"\x0a\x02\xc3\x28"],
    ids=["tag", "no length", "length", "bytes", "JSON", "invalid UTF-8"],
)
async def test_bytes_that_are_no_request(door: GrpcDoor, player: Caller, data: bytes) -> None:
    table = await player.open("six-deck-h17")
    refusal = await refused(door, BET, data, player.token)
    assert (refusal.code, refusal.reason) == ("INVALID_ARGUMENT", "FIELD_INVALID")
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)


@pytest.mark.parametrize(
    "extra", [b"\xa2\x06\x03abc", b"\x2a\x05\xa2\x06\x02ab"], ids=["on top", "in a pair bet"]
)
async def test_an_unknown_field(door: GrpcDoor, player: Caller, extra: bytes) -> None:
    table = await player.open("six-deck-h17")
    bet = PlaceBetRequest(table_id=table.table_id, request_id="r", round=1, stake=1_000)
    refusal = await refused(door, BET, bet.SerializeToString() + extra, player.token)
    assert (refusal.code, refusal.reason) == ("INVALID_ARGUMENT", "FIELD_INVALID")
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)


async def test_a_field_that_is_written_in_an_unusual_way(door: GrpcDoor, player: Caller) -> None:
    """Protobuf allows a field twice (the last one counts) and numbers longer than they need be."""
    table = await player.open("six-deck-h17")
    request = GetTableRequest(table_id="other").SerializeToString()
    request += GetTableRequest(table_id=table.table_id).SerializeToString()
    assert await door.send(GET, request, player.token)
    bet = PlaceBetRequest(table_id=table.table_id, request_id="r", stake=1_000).SerializeToString()
    assert await door.send(BET, bet + b"\x18\x81\x80\x00", player.token)


@pytest.mark.parametrize(
    "rpc",
    [
        "/croupier.v1.TableService/Cheat",
        "/croupier.v1.NoService/Act",
        "/croupier.v1.TableService",
        "/x",
        f"/croupier.v1.TableService/{'x' * 3_000}",
    ],
    ids=["method", "service", "no method", "short", "long"],
)
async def test_an_unknown_method(door: GrpcDoor, player: Caller, rpc: str) -> None:
    refusal = await refused(door, rpc, b"", player.token)
    assert (refusal.code, refusal.reason) == ("UNIMPLEMENTED", "UNIMPLEMENTED")


async def test_a_stream_where_one_request_is_due(door: GrpcDoor, player: Caller) -> None:
    async def requests() -> AsyncIterator[bytes]:
        for _ in range(3):
            yield GetTableRequest(table_id="t").SerializeToString()

    method: Any = door.channel.stream_unary(GET)
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await method(requests(), metadata=(("authorization", f"Bearer {player.token}"),))
    assert error.value.code() in (grpc.StatusCode.NOT_FOUND, grpc.StatusCode.UNIMPLEMENTED)


async def test_a_request_past_every_limit(door: GrpcDoor, player: Caller) -> None:
    """What is larger than the server reads at all is turned away by gRPC itself."""
    method: Any = door.channel.unary_unary(BET)
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await method(b"\x0a" * (17 * 1024 * 1024))
    assert error.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert (await player.open("six-deck-h17")).version == 1
