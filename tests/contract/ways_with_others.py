"""What provokes the reasons that take two players."""

from croupier.v1.history_service_pb2 import VoidRoundRequest
from croupier.v1.table_pb2 import Phase, SeatState
from croupier.v1.table_service_pb2 import (
    OpenTableRequest,
)

from service.rules.reasons import Reason
from tests.contract.player import fresh_id
from tests.contract.provoking import BANKER, MATCH, People, Told, Ways, close, sit_down
from tests.contract.raw_requests import act, bet
from tests.contract.several import leave, move, play_round, seated, set_ready, take_seat

WAYS = Ways()


@WAYS.to(Reason.PERMISSION_DENIED)
async def _(who: People) -> Told:
    table = await who.ann.open(MATCH)
    owners = await who.bob.refused(close(table))
    assert owners.metadata == {"needs": "owner"}
    players = await who.operator.refused(bet()(table))
    assert players.metadata == {"needs": "player"}
    request = VoidRoundRequest(
        table_id=table.table_id, round=1, request_id=fresh_id(), reason="none"
    )
    return await who.ann.refused(request), {"needs": "operator"}


@WAYS.to(Reason.NOT_SEATED)
async def _(who: People) -> Told:
    table = await who.ann.open(MATCH)
    await take_seat(who.ann, table.table_id)
    return await who.bob.refused(bet()(table)), {"free_seats": "3"}


@WAYS.to(Reason.ALREADY_BET)
async def _(who: People) -> Told:
    table = await seated([who.ann, who.bob], MATCH)
    await who.ann.call(bet(1_000)(table))
    return await who.ann.refused(bet(1_000, request_id="again")(table)), {"round": "1"}


@WAYS.to(Reason.NOT_YOUR_TURN)
async def _(who: People) -> Told:
    players = [who.ann, who.bob]
    table = await seated(players, MATCH)
    while table.phase != Phase.PHASE_TURNS:
        table = await move(players, table.table_id)
    waiting = players[2 - table.active_seat]
    refusal = await waiting.refused(act(decision=f"{table.round}-9-9")(table))
    return refusal, {"active_seat": str(table.active_seat)}


@WAYS.to(Reason.SEAT_OCCUPIED)
async def _(who: People) -> Told:
    table = await who.ann.open(MATCH)
    await take_seat(who.ann, table.table_id, 2)
    return await who.bob.refused(sit_down(table, 2)), {"seat": "2"}


@WAYS.to(Reason.TABLE_FULL)
async def _(who: People) -> Told:
    table = await who.ann.open("six-deck-h17")
    bob = await who.bob.invited_by(who.ann, table)
    return await bob.refused(sit_down(table)), {"limit": "1"}


@WAYS.to(Reason.TABLE_STARTED)
async def _(who: People) -> Told:
    table = await who.ann.open(MATCH)
    await take_seat(who.ann, table.table_id)
    await set_ready(who.ann, table.table_id)
    table = await play_round([who.ann], table.table_id)
    return await who.bob.refused(sit_down(table)), {"round": str(table.round + 1)}


@WAYS.to(Reason.SEAT_OUT)
async def _(who: People) -> Told:
    players = [who.ann, who.bob]
    while True:
        table = await seated(players, MATCH, starting_stack=1_000)
        table = await play_round(players, table.table_id)
        out = [seat for seat in table.seats if seat.state == SeatState.SEAT_STATE_BROKE]
        if table.phase == Phase.PHASE_SETTLED and out:
            break
    loser = players[out[0].seat - 1]
    refusal = await loser.refused(bet(1_000, round=table.round + 1)(table))
    return refusal, {"stack": str(out[0].stack)}


@WAYS.to(Reason.BANKER_DOES_NOT_BET)
async def _(who: People) -> Told:
    table = await seated([who.ann, who.bob], BANKER)
    return await who.ann.refused(bet(1_000)(table)), {"seat": "1"}


@WAYS.to(Reason.NOT_COVERED)
async def _(who: People) -> Told:
    table = await seated([who.ann, who.bob], BANKER, starting_stack=20_000)
    return await who.bob.refused(bet(20_000)(table)), {"cover": "20000"}


@WAYS.to(Reason.JOIN_CODE_WRONG)
async def _(who: People) -> Told:
    request = OpenTableRequest(request_id=fresh_id(), rule_set_id=MATCH, is_private=True)
    opened = await who.ann.call(request)
    table_id = opened.table.table_id
    await take_seat(who.bob, table_id, join_code=opened.join_code)
    await leave(who.bob, table_id)
    return await who.bob.refused(sit_down(opened.table)), {}
