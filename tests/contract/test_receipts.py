"""Receipts at both doors: who was shown a settled round can prove what its table had come to."""

from typing import Any

import pytest
from croupier.v1.history_service_pb2 import GetRoundRequest, ListSigningKeysRequest
from croupier.v1.table_pb2 import Phase, Table
from croupier.v1.table_service_pb2 import (
    CloseTableRequest,
    LeaveSeatRequest,
    SetReadyRequest,
    TakeSeatRequest,
    WatchTableRequest,
    WatchTableResponse,
)
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from service.keys.signing import parse_signing_keys
from tests.contract.conftest import guest
from tests.contract.doors import Door, GrpcDoor, open_door
from tests.contract.player import Caller, bet_request, bytes_of, fresh_id, table_of
from tests.contract.server import OPERATOR, SIGNING_KEYS, Server


async def keys_at(door: Door) -> dict[str, bytes]:
    """The public keys, asked for without a token."""
    response = await door.call(ListSigningKeysRequest())
    assert {key.algorithm for key in response.signing_keys} == {"Ed25519"}
    return {key.key_id: bytes.fromhex(key.public_key) for key in response.signing_keys}


def check(table: Table, keys: dict[str, bytes]) -> None:
    """Hold the receipt against the table and the key, by the published description."""
    receipt = table.receipt
    assert receipt.operator == OPERATOR
    assert (receipt.table_id, receipt.version) == (table.table_id, table.version)
    assert (receipt.round, receipt.hash) == (table.round, table.hash)
    parts = [
        b"croupier receipt 1",
        receipt.key_id.encode(),
        receipt.operator.encode(),
        receipt.table_id.encode(),
        str(receipt.round).encode(),
        str(receipt.version).encode(),
        str(receipt.record_time_micros).encode(),
        bytes.fromhex(receipt.hash),
    ]
    message = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    key = Ed25519PublicKey.from_public_bytes(keys[receipt.key_id])
    key.verify(bytes.fromhex(receipt.signature), message)


async def test_the_keys_are_those_of_the_settings(door: Door) -> None:
    public = parse_signing_keys(SIGNING_KEYS).public.by_id
    assert list((await keys_at(door)).items()) == list(public.items())
    assert list(public) == ["s2", "s1"]


async def test_a_receipt_comes_with_each_settled_round(player: Caller, stranger: Caller) -> None:
    keys = await keys_at(player.door)
    table = await player.open("six-deck-h17")
    assert not table.HasField("receipt")
    shown: dict[int, Table] = {}
    while len(shown) < 4:
        table = await player.bet(table)
        while table.your.decision:
            assert table.phase != Phase.PHASE_SETTLED
            assert not table.HasField("receipt")
            table = await player.act(table, table.your.legal_actions[-1].action)
        assert table.receipt.key_id == "s2"
        check(table, keys)
        shown[table.round] = table
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)
    stranger = await stranger.invited_by(player, table)
    assert (await stranger.see(table.table_id)).receipt == table.receipt
    rows = await player.journal(table.table_id)
    for number, then in shown.items():
        request = GetRoundRequest(table_id=table.table_id, round=number)
        assert (await stranger.call(request)).table.receipt == then.receipt
        time = rows[then.version - 1].record_time
        assert then.receipt.record_time_micros == time.seconds * 10**6 + time.nanos // 1000


@pytest.mark.parametrize("settled", [False, True])
async def test_a_finished_table_has_a_receipt_for_good(
    player: Caller, operator: Caller, settled: bool
) -> None:
    keys = await keys_at(player.door)
    for leaves in (False, True):
        table = await player.open("six-deck-h17")
        if settled:
            table = await player.play_round(table)
        end: Any = LeaveSeatRequest if leaves else CloseTableRequest
        ask = end(table_id=table.table_id, request_id=fresh_id("end"))
        ended = table_of(await player.call(ask))
        assert ended.phase == Phase.PHASE_FINISHED
        check(ended, keys)
        assert ended.version > table.version
        assert (await operator.see(table.table_id)).receipt == ended.receipt


async def test_a_table_that_waits_after_a_settlement_shows_its_receipt(
    player: Caller, stranger: Caller
) -> None:
    """The banker is alone: the table is shown as one that waits, and its round is settled."""
    table = await player.open("rotating-banker")
    for caller in (player, stranger):
        await caller.call(TakeSeatRequest(table_id=table.table_id, request_id=fresh_id("seat")))
    for caller in (player, stranger):
        await caller.call(SetReadyRequest(table_id=table.table_id, request_id=fresh_id("ready")))
    banker, punter = player, stranger
    table = await punter.see(table.table_id)
    while not table.your.decision:
        if not table.your.HasField("bet"):  # a natural ended the round and passed the bank on
            banker, punter = punter, banker
            table = await punter.see(table.table_id)
        table = table_of(await punter.call(bet_request(table)))
    leave = LeaveSeatRequest(table_id=table.table_id, request_id=fresh_id("leave"))
    table = table_of(await punter.call(leave))
    while table.phase not in (Phase.PHASE_WAITING, Phase.PHASE_SETTLED):
        table = await banker.stand(await banker.see(table.table_id))
    assert table.phase == Phase.PHASE_WAITING
    check(table, await keys_at(player.door))


async def test_a_watcher_gets_the_receipt(server: Server) -> None:
    async with open_door("grpc", server) as door:
        assert isinstance(door, GrpcDoor)
        player = await guest(door)
        table = await player.play_round(await player.open("six-deck-h17"))
        watch: Any = door.channel.unary_stream("/croupier.v1.TableService/WatchTable")
        stream = watch(
            WatchTableRequest(table_id=table.table_id).SerializeToString(),
            metadata=(("authorization", f"Bearer {player.token}"),),
        )
        first = WatchTableResponse.FromString(await stream.read())
        stream.cancel()
    assert first.table.receipt == table.receipt
