"""Tables that are not there, or not the caller's: what one may not see does not exist."""

from collections.abc import Callable
from typing import Any

import pytest
from croupier.v1.access_service_pb2 import IssueGuestTokenRequest
from croupier.v1.history_service_pb2 import (
    GetRoundRequest,
    ListEventsRequest,
    ListRoundsRequest,
    VerifyTableRequest,
)
from croupier.v1.rule_set_service_pb2 import GetRuleSetRequest
from croupier.v1.table_pb2 import Action
from croupier.v1.table_service_pb2 import (
    ActRequest,
    CloseTableRequest,
    GetTableRequest,
    LeaveSeatRequest,
    ListTablesRequest,
    PlaceBetRequest,
    SetReadyRequest,
    SitOutRequest,
    TakeSeatRequest,
)

from tests.contract.player import Caller, bytes_of
from tests.contract.raw_requests import act, bet

INVALID = "INVALID_ARGUMENT"
STATE = "FAILED_PRECONDITION"

REQUESTS: list[Callable[[str], Any]] = [
    lambda table_id: GetTableRequest(table_id=table_id),
    lambda table_id: CloseTableRequest(table_id=table_id, request_id="r"),
    lambda table_id: TakeSeatRequest(table_id=table_id, request_id="r"),
    lambda table_id: SetReadyRequest(table_id=table_id, request_id="r"),
    lambda table_id: LeaveSeatRequest(table_id=table_id, request_id="r"),
    lambda table_id: PlaceBetRequest(table_id=table_id, request_id="r", round=1, stake=100),
    lambda table_id: SitOutRequest(table_id=table_id, request_id="r", round=1),
    lambda table_id: ActRequest(
        table_id=table_id, request_id="r", decision="1-1-0", action=Action.ACTION_HIT
    ),
    lambda table_id: GetRoundRequest(table_id=table_id, round=1),
    lambda table_id: VerifyTableRequest(table_id=table_id),
    lambda table_id: ListEventsRequest(table_id=table_id),
    lambda table_id: ListRoundsRequest(table_id=table_id),
]


async def test_a_table_that_is_not_there(player: Caller) -> None:
    for request in REQUESTS:
        refusal = await player.refused(request("no-such-table"))
        assert (refusal.code, refusal.reason) == ("NOT_FOUND", "TABLE_NOT_FOUND")


@pytest.mark.parametrize("table_id", ["t" * 65, "t t", "t\0", "ü", "t.t", "a:b", "a%2Fb", "\u202e"])
async def test_a_table_id_that_is_none(player: Caller, table_id: str) -> None:
    for request in REQUESTS:
        refusal = await player.refused(request(table_id))
        assert (refusal.code, refusal.reason) == (INVALID, "FIELD_INVALID"), request
        assert refusal.metadata == {"field": "table_id"}


async def test_rule_set_ids_that_are_none(player: Caller) -> None:
    for rule_set_id in ("a b", "a\0", "x" * 65):
        refusal = await player.refused(GetRuleSetRequest(rule_set_id=rule_set_id))
        assert (refusal.code, refusal.reason) == (INVALID, "FIELD_INVALID")


async def test_a_table_of_another_operator_is_not_there(
    player: Caller, operator: Caller, rival: Caller
) -> None:
    table = await player.play_round(await player.open("six-deck-h17"))
    for request in REQUESTS:
        refusal = await rival.refused(request(table.table_id))
        playing = not isinstance(
            request(""),
            GetTableRequest
            | CloseTableRequest
            | GetRoundRequest
            | ListEventsRequest
            | ListRoundsRequest
            | VerifyTableRequest,
        )
        assert (refusal.code, refusal.reason) == (
            ("PERMISSION_DENIED", "PERMISSION_DENIED")
            if playing
            else ("NOT_FOUND", "TABLE_NOT_FOUND")
        )
    assert not (await rival.call(ListTablesRequest())).tables
    assert not (await rival.call(ListRoundsRequest())).rounds
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)


async def test_another_players_table(player: Caller, stranger: Caller) -> None:
    table = await player.deal_until_a_decision(await player.open("six-deck-h17"))
    refusal = await stranger.refused(act()(table))
    assert (refusal.code, refusal.reason) == ("NOT_FOUND", "TABLE_NOT_FOUND")
    stranger = await stranger.invited_by(player, table)
    for request, code, reason in (
        (bet(1_000, round=table.round), "PERMISSION_DENIED", "NOT_SEATED"),
        (act(), "PERMISSION_DENIED", "NOT_SEATED"),
        (lambda table: LeaveSeatRequest(table_id=table.table_id, request_id="l"),
         "PERMISSION_DENIED", "NOT_SEATED"),
        (lambda table: CloseTableRequest(table_id=table.table_id, request_id="c"),
         "PERMISSION_DENIED", "PERMISSION_DENIED"),
        (lambda table: TakeSeatRequest(table_id=table.table_id, request_id="s"),
         STATE, "ROUND_RUNNING"),
    ):  # fmt: skip
        refusal = await stranger.refused(request(table))
        assert (refusal.code, refusal.reason) == (code, reason)
    seen = await stranger.see(table.table_id)
    assert not seen.HasField("your")
    assert list(seen.dealer.cards) == list(table.dealer.cards)
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)
    table = await player.stand(table)
    refusal = await stranger.refused(TakeSeatRequest(table_id=table.table_id, request_id="s"))
    assert (refusal.code, refusal.reason) == (STATE, "TABLE_FULL")


async def test_an_operator_has_no_seat(operator: Caller) -> None:
    table = await operator.open("six-deck-h17")
    assert not table.seats
    for request in (bet(), act(decision="1-1-0")):
        refusal = await operator.refused(request(table))
        assert (refusal.code, refusal.reason) == ("PERMISSION_DENIED", "PERMISSION_DENIED")


async def test_guests_need_no_token_and_have_a_seat_of_their_own(player: Caller) -> None:
    one, other = [await player.door.call(IssueGuestTokenRequest()) for _ in range(2)]
    assert one.player_id != other.player_id
    assert one.expire_time.ToSeconds() > 0
