"""What provokes the reasons that take one player, and an operator at most."""

from collections.abc import Callable
from typing import Any

import pytest
from croupier.v1.history_service_pb2 import GetRoundRequest, GetShoeRequest, VoidRoundRequest
from croupier.v1.rule_set_pb2 import DoubleOn, Insurance, RuleSetOverrides, Surrender
from croupier.v1.rule_set_service_pb2 import CreateRuleSetRequest, GetRuleSetRequest
from croupier.v1.table_pb2 import Action, PairBet, Table
from croupier.v1.table_service_pb2 import (
    GetTableRequest,
    ListTablesRequest,
    OpenTableRequest,
    SitOutRequest,
)

from service.rules.reasons import Reason
from tests.contract.doors import GrpcDoor, Refusal
from tests.contract.player import Caller, act_request, bet_request, fresh_id
from tests.contract.provoking import (
    MATCH,
    ONE,
    People,
    Told,
    Ways,
    close,
    running,
    sit_down,
)
from tests.contract.raw_requests import act, bet

WAYS = Ways()


def at_once(reason: Reason, make: Callable[[Table], Any], **metadata: str) -> None:
    """What one call of the player provokes at a new table for one."""

    @WAYS.to(reason)
    async def way(who: People) -> Told:
        return await who.ann.refused(make(await who.ann.open(ONE))), metadata


def in_turns(reason: Reason, action: "Action.ValueType") -> None:
    """What an action provokes at a table where only hitting and standing is open."""

    @WAYS.to(reason)
    async def way(who: People) -> Told:
        table = await who.ann.open(
            ONE,
            insurance=Insurance.INSURANCE_NONE,
            double_on=DoubleOn.DOUBLE_ON_NONE,
            surrender=Surrender.SURRENDER_NONE,
            max_hands=1,
        )
        table = await who.ann.deal_until_a_decision(table)
        refusal = await who.ann.refused(act_request(table, action))
        return refusal, {"legal_actions": "HIT,STAND"}


at_once(Reason.FIELD_INVALID, lambda _: GetTableRequest(table_id="a b"), field="table_id")
at_once(Reason.REQUEST_ID_MISSING, bet(request_id=""), field="request_id")
at_once(Reason.STAKE_INVALID, bet(-5), stake="-5")
at_once(Reason.STAKE_BELOW_MINIMUM, bet(400), stake="400", min_bet="500")
at_once(Reason.STAKE_ABOVE_MAXIMUM, bet(50_100), stake="50100", max_bet="50000")
at_once(Reason.STAKE_NOT_A_STEP, bet(550), stake="550", bet_step="100")
at_once(Reason.PAGE_TOKEN_INVALID, lambda _: ListTablesRequest(page_token="x"), field="page_token")
at_once(Reason.TABLE_NOT_FOUND, lambda _: GetTableRequest(table_id="none"), table_id="none")
at_once(Reason.RULE_SET_NOT_FOUND, lambda _: GetRuleSetRequest(rule_set_id="no"), rule_set_id="no")
at_once(
    Reason.ROUND_NOT_FOUND,
    lambda table: GetRoundRequest(table_id=table.table_id, round=9),
    round="1",
)
at_once(
    Reason.SHOE_NOT_FOUND, lambda table: GetShoeRequest(table_id=table.table_id, shoe=9), shoe="0"
)
at_once(Reason.WRONG_PHASE, act(decision="1-1-0"), phase="BETTING")
at_once(Reason.ROUND_CHANGED, bet(round=2), round="1")
at_once(Reason.ALREADY_SEATED, sit_down, seat="1")
at_once(
    Reason.SIT_OUT_NOT_ALLOWED,
    lambda table: SitOutRequest(table_id=table.table_id, request_id=fresh_id(), round=1),
    round="1",
)
at_once(Reason.PAIR_BET_NOT_ALLOWED, bet(500, pair_bets=[PairBet(seat=1, stake=500)]), seats="1")
at_once(Reason.TOO_LARGE, bet(request_id="r" * 300_000), limit="262144")
in_turns(Reason.DOUBLE_NOT_ALLOWED, Action.ACTION_DOUBLE)
in_turns(Reason.SPLIT_NOT_ALLOWED, Action.ACTION_SPLIT)
in_turns(Reason.SURRENDER_NOT_ALLOWED, Action.ACTION_SURRENDER)
in_turns(Reason.INSURANCE_NOT_OFFERED, Action.ACTION_INSURE)


@WAYS.to(Reason.RULE_SET_INVALID)
async def _(who: People) -> Told:
    overrides = RuleSetOverrides(min_bet=550, starting_stack=100, max_hands=9)
    request = OpenTableRequest(request_id=fresh_id(), rule_set_id=ONE, overrides=overrides)
    out_of_range = await who.ann.refused(request)
    assert out_of_range.metadata == {"options": "max_hands"}
    overrides.max_hands = 2
    request = OpenTableRequest(request_id=fresh_id(), rule_set_id=ONE, overrides=overrides)
    return await who.ann.refused(request), {"options": "min_bet,bet_step,starting_stack"}


@WAYS.to(Reason.REQUEST_ID_REUSED)
async def _(who: People) -> Told:
    table = await who.ann.open(ONE)
    after = await who.ann.call(bet_request(table, 500, "bet"))
    refusal = await who.ann.refused(bet_request(table, 600, "bet"))
    return refusal, {"version": str(after.version)}


@WAYS.to(Reason.UNAUTHENTICATED)
async def _(who: People) -> Told:
    nobody = Caller(who.ann.door, "no token")
    return await nobody.refused(ListTablesRequest()), {}


@WAYS.to(Reason.RULE_SET_EXISTS)
async def _(who: People) -> Told:
    request = CreateRuleSetRequest(rule_set_id=MATCH, base_rule_set_id=ONE)
    return await who.operator.refused(request), {"rule_set_id": MATCH}


@WAYS.to(Reason.TABLE_FINISHED)
async def _(who: People) -> Told:
    table = await who.ann.open(ONE)
    await who.ann.call(close(table))
    return await who.ann.refused(bet()(table)), {"cause": "CLOSED"}


@WAYS.to(Reason.ROUND_RUNNING)
async def _(who: People) -> Told:
    table = await running(who)
    return await who.ann.refused(close(table)), {"round": str(table.round)}


@WAYS.to(Reason.DECISION_CHANGED)
async def _(who: People) -> Told:
    table = await running(who)
    refusal = await who.ann.refused(act(decision="1-9-9")(table))
    return refusal, {"decision": table.your.decision}


@WAYS.to(Reason.STACK_TOO_SMALL)
async def _(who: People) -> Told:
    table = await who.ann.open(ONE, starting_stack=1_000)
    bet_more = await who.ann.refused(bet(1_500)(table))
    assert bet_more.metadata == {"stake": "1500", "stack": "1000"}
    none = Insurance.INSURANCE_NONE
    while not table.your.decision:
        table = await who.ann.open(ONE, starting_stack=1_000, insurance=none)
        table = await who.ann.bet(table, 600)
    refusal = await who.ann.refused(act_request(table, Action.ACTION_DOUBLE))
    return refusal, {"stake": "600", "stack": "400"}


@WAYS.to(Reason.ROUND_VOIDED)
async def _(who: People) -> Told:
    table = await who.ann.play_round(await who.ann.open("six-deck-h17"))

    def void() -> VoidRoundRequest:
        return VoidRoundRequest(
            table_id=table.table_id, round=1, request_id=fresh_id(), reason="a marked card"
        )

    await who.operator.call(void())
    return await who.operator.refused(void()), {"round": "1"}


@WAYS.to(Reason.UNIMPLEMENTED)
async def _(who: People) -> Told:
    door: Any = who.ann.door
    grpc = isinstance(door, GrpcDoor)
    nowhere = ("/croupier.v1.TableService/Cheat", b"") if grpc else ("GET", "/v1/cheat")
    with pytest.raises(Refusal) as refused:
        await door.send(*nowhere)
    return refused.value, {}
