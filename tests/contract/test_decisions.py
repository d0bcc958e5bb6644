"""Overtaken commands: a decision or a round that is no longer open can't be answered."""

import asyncio
from typing import Any

import pytest
from croupier.v1.table_pb2 import Action, Phase

from tests.contract.doors import Refusal
from tests.contract.player import Caller, act_request, bet_request, bytes_of


async def outcomes(calls: list[Any]) -> tuple[list[Any], list[Refusal]]:
    """What was accepted, and what was refused."""
    results = await asyncio.gather(*calls, return_exceptions=True)
    refusals = [one for one in results if isinstance(one, Refusal)]
    accepted = [one for one in results if not isinstance(one, BaseException)]
    assert len(accepted) + len(refusals) == len(results), results
    return accepted, refusals


def cards(table: Any) -> int:
    return sum(len(hand.cards) for seat in table.seats for hand in seat.hands)


async def test_a_double_click_draws_one_card(player: Caller) -> None:
    table = await player.open("six-deck-h17")
    for _ in range(5):
        table = await player.deal_until_a_decision(table)
        while Action.ACTION_DECLINE in [one.action for one in table.your.legal_actions]:
            table = await player.act(table, Action.ACTION_DECLINE)
        if not table.your.decision:
            continue
        accepted, refusals = await outcomes(
            [player.call(act_request(table, Action.ACTION_HIT)) for _ in range(2)]
        )
        assert len(accepted) == 1
        assert cards(accepted[0].table) == cards(table) + 1
        assert accepted[0].version == table.version + 1
        assert {(one.code, one.reason) for one in refusals} <= {("ABORTED", "DECISION_CHANGED")}
        table = await player.stand(accepted[0].table)


async def test_a_stale_decision_is_aborted(player: Caller) -> None:
    table = await player.open("six-deck-h17")
    stale = []
    for _ in range(4):
        table = await player.deal_until_a_decision(table)
        stale.append(table)
        table = await player.stand(table)
    table = await player.deal_until_a_decision(table)
    for old in stale:
        for action in (Action.ACTION_HIT, Action.ACTION_STAND, Action.ACTION_DECLINE):
            with pytest.raises(Refusal) as refused:
                await player.act(old, action)
            assert (refused.value.code, refused.value.reason) == ("ABORTED", "DECISION_CHANGED")
            assert refused.value.metadata == {"decision": table.your.decision}
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)


async def test_a_bet_for_another_round_is_aborted(player: Caller) -> None:
    first = await player.open("six-deck-h17")
    table = await player.play_round(first)
    for number in (1, 3, 2**31 - 1):
        request = bet_request(table)
        request.round = number
        with pytest.raises(Refusal) as refused:
            await player.call(request)
        assert (refused.value.code, refused.value.reason) == ("ABORTED", "ROUND_CHANGED")
        assert refused.value.metadata == {"round": "2"}
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)


async def test_of_20_bets_at_once_one_is_accepted(player: Caller) -> None:
    table = await player.open("six-deck-h17")
    accepted, refusals = await outcomes([player.call(bet_request(table)) for _ in range(20)])
    assert len(accepted) == 1
    assert {(one.code, one.reason) for one in refusals} == {("ABORTED", "ROUND_CHANGED")}
    seen = await player.see(table.table_id)
    assert bytes_of(seen) == bytes_of(accepted[0].table)
    assert seen.version == 2
    assert seen.phase != Phase.PHASE_BETTING
