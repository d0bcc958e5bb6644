"""The bench's player at either door: it never asks for what its stack does not cover."""

import json

import pytest
from croupier.v1 import table_pb2, table_service_pb2
from google.protobuf import json_format

from tests.bench.load import GRPC, REST, Door
from tests.bench.player import Player

LEAST = 100


def answer_between_rounds(door: Door) -> bytes:
    """What a table answers on which a bet of this least stake is due, with a stack of five."""
    bet = table_pb2.BetOptions(round=7, min_stake=LEAST, max_stake=500, step=LEAST)
    table = table_pb2.Table(
        table_id="t-1",
        seats=[table_pb2.Seat(seat=1, stack=500)],
        your=table_pb2.YourSeat(seat=1, bet=bet),
    )
    response = table_service_pb2.ActResponse(table=table, version=1)
    if door is GRPC:
        return response.SerializeToString()
    written = json_format.MessageToDict(response, always_print_fields_with_no_presence=True)
    return json.dumps(written).encode()


def stake_of(door: Door, body: bytes) -> int:
    if door is GRPC:
        return table_service_pb2.PlaceBetRequest.FromString(body).stake
    return int(json.loads(body)["stake"])


@pytest.mark.parametrize("door", [GRPC, REST], ids=lambda door: door.name)
def test_the_player_bets_the_least_that_the_table_takes(door: Door) -> None:
    request = Player(door.wire()).answered(answer_between_rounds(door))
    assert request is not None
    assert (request.method, request.table_id) == ("PlaceBet", "t-1")
    assert stake_of(door, request.body) == LEAST
