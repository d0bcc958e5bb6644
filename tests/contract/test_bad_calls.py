"""Bets and actions that a client should not have sent: a clear refusal, and nothing changes."""

import pytest
from croupier.v1.rule_set_pb2 import RuleSetOverrides
from croupier.v1.table_pb2 import Action, PairBet, Table
from croupier.v1.table_service_pb2 import (
    CloseTableRequest,
    OpenTableRequest,
    SetReadyRequest,
    SitOutRequest,
    TakeSeatRequest,
)

from tests.contract.player import Caller, act_request, bytes_of, fresh_id
from tests.contract.raw_requests import Make, act, bet

INVALID = "INVALID_ARGUMENT"
STATE = "FAILED_PRECONDITION"

# What to send at a table that takes bets from 10 to 500 chips in steps of 10 (minor units 1000 to
# 50000 by 1000), with the code, the reason, and metadata that must be there.
BETTING: dict[str, tuple[Make, str, str, dict[str, str]]] = {
    "a stake of 0": (bet(0), INVALID, "STAKE_INVALID", {}),
    "a stake of -5": (bet(-5), INVALID, "STAKE_INVALID", {}),
    "the largest stake there is": (bet(2**63 - 1), INVALID, "STAKE_INVALID", {}),
    "the lowest stake there is": (bet(-(2**63)), INVALID, "STAKE_INVALID", {}),
    "2^53": (bet(2**53), INVALID, "STAKE_INVALID", {}),
    "2^53 - 1": (bet(2**53 - 1), INVALID, "STAKE_ABOVE_MAXIMUM", {"max_bet": "50000"}),
    "less than the minimum": (bet(999), INVALID, "STAKE_BELOW_MINIMUM", {"min_bet": "1000"}),
    "more than the maximum": (bet(51_000), INVALID, "STAKE_ABOVE_MAXIMUM", {"max_bet": "50000"}),
    "7 chips more than a step": (bet(1_700), INVALID, "STAKE_NOT_A_STEP", {"bet_step": "1000"}),
    "more than the stack": (bet(30_000), STATE, "STACK_TOO_SMALL", {"stack": "20000"}),
    "a pair bet where there is none": (
        bet(1_000, pair_bets=[PairBet(seat=1, stake=1_000)]), STATE, "PAIR_BET_NOT_ALLOWED", {}),
    "a pair bet of nothing": (
        bet(1_000, pair_bets=[PairBet(seat=1)]), INVALID, "STAKE_INVALID", {}),
    "no round": (bet(1_000, round=0), INVALID, "FIELD_INVALID", {"field": "round"}),
    "a negative round": (bet(1_000, round=-1), INVALID, "FIELD_INVALID", {"field": "round"}),
    "another round": (bet(1_000, round=2), "ABORTED", "ROUND_CHANGED", {"round": "1"}),
    "no request id": (
        bet(1_000, request_id=""), INVALID, "REQUEST_ID_MISSING", {"field": "request_id"}),
    "a request id of 65 letters": (
        bet(1_000, request_id="r" * 65), INVALID, "FIELD_INVALID", {"field": "request_id"}),
    "a request id with a NUL": (
        bet(1_000, request_id="r\0"), INVALID, "FIELD_INVALID", {"field": "request_id"}),
    "a request id with a newline": (
        bet(1_000, request_id="r\n"), INVALID, "FIELD_INVALID", {"field": "request_id"}),
    "a request id beyond ASCII": (
        bet(1_000, request_id="é"), INVALID, "FIELD_INVALID", {"field": "request_id"}),
    "an action while bets are taken": (act(decision="1-1-0"), STATE, "WRONG_PHASE", {}),
    "sitting out alone": (
        lambda table: SitOutRequest(table_id=table.table_id, request_id="r", round=1),
        STATE, "SIT_OUT_NOT_ALLOWED", {}),
    "a second seat": (
        lambda table: TakeSeatRequest(table_id=table.table_id, request_id="r"),
        STATE, "ALREADY_SEATED", {}),
    "being ready twice": (
        lambda table: SetReadyRequest(table_id=table.table_id, request_id="r"),
        STATE, "WRONG_PHASE", {}),
}  # fmt: skip

# What to send while a decision is open.
DECIDING: dict[str, tuple[Make, str, str, dict[str, str]]] = {
    "a bet in a running round": (bet(1_000), "ABORTED", "ROUND_CHANGED", {"round": "0"}),
    "no action": (act(0), INVALID, "FIELD_INVALID", {"field": "action"}),
    "an unknown action": (act(99), INVALID, "FIELD_INVALID", {"field": "action"}),
    "a negative action": (act(-1), INVALID, "FIELD_INVALID", {"field": "action"}),
    "no decision": (act(decision=""), INVALID, "FIELD_INVALID", {"field": "decision"}),
    "a decision of 65 letters": (
        act(decision="d" * 65), INVALID, "FIELD_INVALID", {"field": "decision"}),
    "a decision that is not open": (act(decision="1-9-9"), "ABORTED", "DECISION_CHANGED", {}),
    "closing one's table": (
        lambda table: CloseTableRequest(table_id=table.table_id, request_id="r"),
        STATE, "ROUND_RUNNING", {}),
}  # fmt: skip


async def check(player: Caller, table: Table, case: tuple[Make, str, str, dict[str, str]]) -> None:
    make, code, reason, metadata = case
    refusal = await player.refused(make(table))
    assert (refusal.code, refusal.reason) == (code, reason), refusal
    assert metadata.items() <= refusal.metadata.items()
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)


@pytest.mark.parametrize("case", BETTING)
async def test_before_the_deal(case: str, player: Caller) -> None:
    table = await player.open(
        "twenty-rounds", min_bet=1_000, bet_step=1_000, starting_stack=20_000, rounds=1
    )
    await check(player, table, BETTING[case])


@pytest.mark.parametrize("case", DECIDING)
async def test_in_a_running_round(case: str, player: Caller) -> None:
    table = await player.open("six-deck-h17")
    table = await player.deal_until_a_decision(table)
    make, code, reason, metadata = DECIDING[case]
    if case == "a bet in a running round":
        make = bet(1_000, round=table.round)
    await check(player, table, (make, code, reason, metadata))


async def test_unknown_options(player: Caller) -> None:
    for overrides, field in (
        (RuleSetOverrides(soft_17=99), "overrides.soft_17"),  # type: ignore[arg-type]
        (RuleSetOverrides(peek=0), "overrides.peek"),  # type: ignore[arg-type]
    ):
        request = OpenTableRequest(
            request_id=fresh_id(), rule_set_id="six-deck-h17", overrides=overrides
        )
        refusal = await player.refused(request)
        assert (refusal.code, refusal.reason) == (INVALID, "FIELD_INVALID")
        assert refusal.metadata == {"field": field}


async def test_a_request_with_nothing_in_it(player: Caller) -> None:
    for request, reason in (
        (OpenTableRequest(), "REQUEST_ID_MISSING"),
        (OpenTableRequest(request_id="r"), "FIELD_INVALID"),
    ):
        refusal = await player.refused(request)
        assert (refusal.code, refusal.reason) == (INVALID, reason)


async def test_a_request_that_is_too_large(player: Caller) -> None:
    table = await player.open("six-deck-h17")
    refusal = await player.refused(bet(request_id="r" * 300_000)(table))
    assert (refusal.code, refusal.reason) == ("RESOURCE_EXHAUSTED", "TOO_LARGE")
    assert refusal.metadata == {"limit": "262144"}
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)


async def test_many_pair_bets(player: Caller) -> None:
    table = await player.open("six-deck-h17")
    pair_bets = [PairBet(seat=one, stake=100) for one in range(5_000)]
    refusal = await player.refused(bet(100, pair_bets=pair_bets)(table))
    assert (refusal.code, refusal.reason) == (STATE, "PAIR_BET_NOT_ALLOWED")


async def test_the_retry_of_a_refusal_is_decided_anew(player: Caller) -> None:
    table = await player.deal_until_a_decision(await player.open("six-deck-h17"))
    request = act_request(table, Action.ACTION_STAND, "same")
    request.decision = "1-9-9"
    assert (await player.refused(request)).reason == "DECISION_CHANGED"
    request.decision = table.your.decision
    request.action = max(one.action for one in table.your.legal_actions)
    assert not (await player.call(request)).replayed


async def test_a_stack_past_what_json_can_hold_takes_no_more_bets(player: Caller) -> None:
    """2^53 - 1 minor units are the most that can be bet from; winning more is paid all the same."""
    most = 2**53 - 1
    while True:
        table = await player.open("six-deck-h17", starting_stack=most)
        table = await player.play_round(table, table.your.bet.max_stake)
        if table.seats[0].stack > most:
            break
    assert table.your.bet.max_stake == 0
    refusal = await player.refused(bet(100, round=2)(table))
    assert (refusal.code, refusal.reason) == (STATE, "STACK_LIMIT")
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)
