"""A private table does not exist for who neither plays there nor brings its code: every method says
the same of it as of a table that never was, at both doors. Nobody computes the id of a table."""

from collections.abc import Iterator
from typing import Any

import pytest
from croupier.v1.history_service_pb2 import ListEventsRequest, ListRoundsRequest
from croupier.v1.table_pb2 import Table
from croupier.v1.table_service_pb2 import (
    GetTableRequest,
    LeaveSeatRequest,
    ListTablesRequest,
    OpenTableRequest,
    TakeSeatRequest,
)
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message

from service.api.annotations import callers_of
from service.api.contract import methods
from service.calls.access import Role
from service.journal.table_ids import derived_table_id
from tests.contract.conftest import guest
from tests.contract.declared import good_request
from tests.contract.doors import Door
from tests.contract.player import Caller, fresh_id
from tests.contract.server import OPERATOR, Server
from tests.contract.several import leave, seated, set_ready, take_seat
from tests.contract.test_nasty_texts import channel, client, code_of_answer, over_grpc

__all__ = ["channel", "client"]

MATCH = "ranked-match"
OF_A_TABLE = {
    method.name: method for method in methods() if "table_id" in method.input_type.fields_by_name
}
MISSING = ("NOT_FOUND", "TABLE_NOT_FOUND")


async def open_private(player: Caller, **more: Any) -> tuple[Table, str]:
    request = OpenTableRequest(
        request_id=fresh_id("open"), rule_set_id=MATCH, is_private=True, **more
    )
    opened = await player.call(request)
    assert opened.table.is_private
    return opened.table, opened.join_code


def of_table(method: MethodDescriptor, table_id: str) -> Message:
    request = good_request(method)
    setattr(request, "table_id", table_id)  # noqa: B010 - whatever the type, it has this field
    return request


def unary(kind: str) -> Iterator[MethodDescriptor]:
    """The methods of a table that players, or operators, may call and that are not streams."""
    for method in OF_A_TABLE.values():
        if not method.server_streaming and Role(kind) in (callers_of(method) or ()):
            yield method


@pytest.mark.parametrize("alone", [True, False])
async def test_it_is_as_one_that_never_was(
    door: Door, player: Caller, stranger: Caller, rival: Caller, alone: bool
) -> None:
    if alone:
        table = await player.deal_until_a_decision(await player.open("six-deck-h17"))
    else:
        table, _ = await open_private(player)
        await take_seat(player, table.table_id)
    for caller, kind in ((stranger, "player"), (rival, "operator")):
        for method in unary(kind):
            here = await caller.refused(of_table(method, table.table_id))
            nowhere = await caller.refused(of_table(method, "nobody-has-this"))
            assert (here.code, here.reason) == (nowhere.code, nowhere.reason) == MISSING
            assert here.message.replace(table.table_id, "nobody-has-this") == nowhere.message


def test_so_it_is_for_streams(channel: Any, client: Any, server: Server) -> None:
    del server
    tokens = [client.post("/v1/guestTokens", content=b"{}").json() for _ in range(2)]
    ann, bob = ({"authorization": f"Bearer {one['token']}"} for one in tokens)
    opening = {"requestId": "open", "ruleSetId": "six-deck-h17"}
    opened = client.post("/v1/tables", json=opening, headers=ann).json()
    table_id, code = opened["table"]["tableId"], opened["joinCode"]
    streams = [one for one in OF_A_TABLE.values() if one.server_streaming]
    assert {one.name for one in streams} == {"WatchTable", "ExportRounds", "ExportEvents"}
    for method in streams:
        if Role.PLAYER not in (callers_of(method) or ()):
            continue
        data = of_table(method, table_id).SerializeToString()
        given = tuple(bob.items())
        assert over_grpc(channel, method, data, *given) == "NOT_FOUND"
        wrong = ("croupier-join-code", code[:-1] + "8")
        assert over_grpc(channel, method, data, *given, wrong) == "NOT_FOUND"
        assert over_grpc(channel, method, data, *given, ("croupier-join-code", code)) == "OK"
        assert over_grpc(channel, method, data, *ann.items()) == "OK"
    path = f"/v1/tables/{table_id}:watch"
    assert code_of_answer(client.get(path, headers=bob)) == "NOT_FOUND"
    with client.stream("GET", path, headers=bob | {"croupier-join-code": code}) as answer:
        assert answer.status_code == 200
    export = client.get("/v1/export/rounds", params={"tableId": table_id}, headers=bob)
    assert code_of_answer(export) == "NOT_FOUND"


async def test_who_brings_the_code_sees_it(player: Caller, stranger: Caller) -> None:
    table = await player.play_round(await player.open("six-deck-h17"))
    invited = await stranger.invited_by(player, table)
    assert (await invited.see(table.table_id)).seats[0].player_id == player.id
    assert (await invited.call(GetTableRequest(table_id=table.table_id))).join_code == ""
    assert (await invited.call(ListEventsRequest(table_id=table.table_id))).rows
    assert (await invited.call(ListRoundsRequest(table_id=table.table_id))).rounds
    elsewhere, _ = await open_private(player)
    refusal = await invited.refused(GetTableRequest(table_id=elsewhere.table_id))
    assert (refusal.code, refusal.reason) == MISSING


async def test_who_is_told_the_code(
    door: Door, player: Caller, stranger: Caller, operator: Caller
) -> None:
    table, code = await open_private(player)
    request = GetTableRequest(table_id=table.table_id)
    assert (await player.call(request)).join_code == code
    assert (await operator.call(request)).join_code == code
    await take_seat(stranger, table.table_id, join_code=code)
    assert (await stranger.call(request)).join_code == code
    await leave(stranger, table.table_id)
    assert (await stranger.call(request)).join_code == ""  # sees it still
    public = await seated([await guest(door), await guest(door)], MATCH, max_seats=2)
    request = GetTableRequest(table_id=public.table_id)
    assert (await stranger.call(request)).join_code == ""


async def test_a_repeated_leave_is_answered_as_the_first_was(
    player: Caller, stranger: Caller
) -> None:
    table, code = await open_private(player)
    await take_seat(stranger, table.table_id, join_code=code)
    request = LeaveSeatRequest(table_id=table.table_id, request_id="leave")
    assert not (await stranger.call(request)).replayed
    assert (await stranger.call(request)).replayed
    refusal = await stranger.refused(TakeSeatRequest(table_id=table.table_id, request_id="back"))
    assert refusal.reason == "JOIN_CODE_WRONG"


async def test_who_plays_there_needs_no_code(player: Caller, stranger: Caller) -> None:
    table, code = await open_private(player)
    for one in (player, stranger):
        await take_seat(one, table.table_id, join_code=code)
    for one in (player, stranger):
        await set_ready(one, table.table_id)
        assert (await one.see(table.table_id)).HasField("your")
        assert table.table_id in {
            found.table_id for found in (await one.call(ListTablesRequest())).tables
        }


async def test_a_table_of_one_seat_that_an_operator_opens_is_for_anybody(
    operator: Caller, stranger: Caller
) -> None:
    table = await operator.open("six-deck-h17")
    assert not table.is_private
    assert (await take_seat(stranger, table.table_id)).your.seat == 1


async def test_nobody_computes_an_id(player: Caller) -> None:
    request_id = fresh_id("open")
    table = await player.open("six-deck-h17", request_id)
    assert table.table_id != derived_table_id(OPERATOR, player.id, request_id)
    assert await player.open("six-deck-h17", request_id) == table


async def test_a_code_is_not_in_the_journal_and_not_in_the_log(
    player: Caller, stranger: Caller, server: Server
) -> None:
    table, code = await open_private(player)
    await take_seat(stranger, table.table_id, join_code=code)
    await player.refused(
        TakeSeatRequest(table_id=table.table_id, request_id="x", join_code="y" * 65)
    )
    rows = await player.journal(table.table_id)
    assert code not in str(rows)
    assert code not in server.log.read_text()
