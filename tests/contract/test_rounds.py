"""A round from bet to settlement, and what a table shows on the way."""

import pytest
from croupier.v1.history_service_pb2 import GetRoundRequest, ListEventsRequest, ListRoundsRequest
from croupier.v1.rule_set_pb2 import Soft17
from croupier.v1.table_pb2 import Action, FinishCause, Phase, Result
from croupier.v1.table_service_pb2 import LeaveSeatRequest, TakeSeatRequest

from tests.contract.doors import Refusal
from tests.contract.player import Caller, bet_request, bytes_of

SINGLE_PLAYER = ["six-deck-h17", "twenty-rounds", "four-deck-vegas"]


@pytest.mark.parametrize("preset", SINGLE_PLAYER)
async def test_a_round_from_bet_to_settlement(player: Caller, preset: str) -> None:
    table = await player.open(preset)
    assert (table.phase, table.round, table.version) == (Phase.PHASE_BETTING, 1, 1)
    assert [seat.player_id for seat in table.seats] == [player.id]
    assert (table.rule_set.rule_set_id, table.rule_set.preset) == (preset, True)
    stack = table.seats[0].stack
    least = table.your.bet.min_stake
    table = await player.bet(table, 2 * least)
    assert len(table.shoe.commitment) == 64
    assert all(len(hand.cards) == 2 for hand in table.seats[0].hands)
    if table.your.decision:
        assert list(table.dealer.cards).count("??") == 1
        assert table.seats[0].stack == stack - 2 * least
    table = await player.stand(table)
    (seat,) = table.seats
    (hand,) = seat.hands
    assert (table.phase, table.version > 1) == (Phase.PHASE_SETTLED, True)
    assert hand.result != Result.RESULT_UNSPECIFIED
    assert "??" not in table.dealer.cards
    assert (seat.stack, seat.net) == (stack + hand.net, hand.returned - hand.stake)
    assert (table.your.bet.round, table.your.bet.last_stake) == (2, 2 * least)
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)


async def test_the_legal_actions_are_the_ones_that_are_taken(player: Caller) -> None:
    table = await player.deal_until_a_decision(await player.open("six-deck-h17"))
    while table.your.decision:
        legal = {one.action for one in table.your.legal_actions}
        for action in set(Action.values()) - legal - {Action.ACTION_UNSPECIFIED}:
            with pytest.raises(Refusal) as refused:
                await player.act(table, action)
            assert refused.value.code == "FAILED_PRECONDITION"
            told = refused.value.metadata
            if refused.value.reason == "WRONG_PHASE":
                assert told == {"phase": "INSURANCE"}
            else:
                names = [Action.Name(one).removeprefix("ACTION_") for one in sorted(legal)]
                assert told == {"legal_actions": ",".join(names)}
        before = table
        table = await player.act(table, max(legal & {1, 2, 7}))
        assert table.version == before.version + 1


async def test_opening_with_overrides(player: Caller) -> None:
    table = await player.open(
        "twenty-rounds", soft_17=Soft17.SOFT17_HIT, rounds=2, starting_stack=2_000_00, decks=8
    )
    assert not table.rule_set.preset
    assert (table.rule_set.decks, table.rounds_left) == (8, 2)
    assert table.seats[0].stack == 2_000_00
    for _ in range(2):
        assert table.phase != Phase.PHASE_FINISHED
        table = await player.play_round(table)
    assert (table.phase, table.finish_cause) == (
        Phase.PHASE_FINISHED,
        FinishCause.FINISH_CAUSE_ROUNDS_PLAYED,
    )
    for number, told in (
        (2, ("ABORTED", "ROUND_CHANGED")),
        (3, ("FAILED_PRECONDITION", "TABLE_FINISHED")),
    ):
        request = bet_request(table, 500)
        request.round = number
        refusal = await player.refused(request)
        assert (refusal.code, refusal.reason) == told


@pytest.mark.parametrize("preset", ["ranked-match", "rotating-banker"])
async def test_a_table_for_several_waits_for_players(player: Caller, preset: str) -> None:
    table = await player.open(preset)
    assert (table.phase, list(table.seats)) == (Phase.PHASE_WAITING, [])


async def test_a_round_that_runs_has_no_summary_yet(player: Caller) -> None:
    table = await player.deal_until_a_decision(await player.open("six-deck-h17"))
    running = await player.call(GetRoundRequest(table_id=table.table_id, round=table.round))
    assert not running.HasField("round")
    assert bytes_of(running.table) == bytes_of(table)
    table = await player.stand(table)
    settled = await player.call(GetRoundRequest(table_id=table.table_id, round=table.round))
    (seat,) = settled.round.seats
    assert (seat.player_id, seat.net, settled.round.version) == (
        player.id,
        table.seats[0].net,
        table.version,
    )
    await player.bet(table)
    again = await player.call(GetRoundRequest(table_id=table.table_id, round=table.round))
    assert bytes_of(again.table) == bytes_of(settled.table) == bytes_of(table)
    for number in (table.round + 2, 0, -1):
        with pytest.raises(Refusal) as refused:
            await player.call(GetRoundRequest(table_id=table.table_id, round=number))
        assert refused.value.reason == ("ROUND_NOT_FOUND" if number > 0 else "FIELD_INVALID")


async def test_the_events_of_one_round(player: Caller) -> None:
    table = await player.open("six-deck-h17")
    for _ in range(3):
        table = await player.play_round(table)
    rows = await player.journal(table.table_id)
    assert {row.round for row in rows} == {1, 2, 3}
    second = await player.call(ListEventsRequest(table_id=table.table_id, round=2))
    assert list(second.rows) == [row for row in rows if row.round == 2]
    assert '"type":"RoundOpened"' in second.rows[0].events
    assert '"type":"RoundSettled"' in second.rows[-1].events
    empty = await player.call(ListEventsRequest(table_id=table.table_id, round=9))
    assert not empty.rows


async def test_the_rounds_of_a_table_and_of_a_player(player: Caller, stranger: Caller) -> None:
    tables = [await player.play_round(await player.open(preset)) for preset in SINGLE_PLAYER]
    tables[0] = await player.play_round(tables[0])
    spectator = await stranger.invited_by(player, tables[0])
    of_table = await spectator.call(ListRoundsRequest(table_id=tables[0].table_id))
    assert [one.round for one in of_table.rounds] == [2, 1]
    mine = await player.call(ListRoundsRequest())
    assert [one.table_id for one in mine.rounds] == [
        tables[index].table_id for index in (0, 2, 1, 0)
    ]
    assert not (await stranger.call(ListRoundsRequest())).rounds


async def test_two_players_at_one_table(player: Caller, stranger: Caller) -> None:
    table = await player.open("six-deck-h17", min_seats=2, max_seats=2, penetration_percent=50)
    assert (table.phase, list(table.seats)) == (Phase.PHASE_WAITING, [])
    for number, one in enumerate((player, stranger), start=1):
        await one.call(
            TakeSeatRequest(table_id=table.table_id, request_id=f"sit-{one.id}", seat=number)
        )
    table = await player.bet(await player.see(table.table_id), 500)
    assert table.phase == Phase.PHASE_BETTING
    table = await stranger.bet(await stranger.see(table.table_id), 300)
    assert [seat.stake for seat in table.seats] == [500, 300]
    while table.phase != Phase.PHASE_SETTLED:
        for one in (player, stranger):
            await one.stand(await one.see(table.table_id))
        table = await player.see(table.table_id)
    rounds = await player.call(ListRoundsRequest(table_id=table.table_id))
    assert [[seat.seat for seat in one.seats] for one in rounds.rounds] == [[1, 2]]
    request = LeaveSeatRequest(table_id=table.table_id, request_id=f"leave-{stranger.id}")
    left = (await stranger.call(request)).table
    assert (left.phase, left.round) == (Phase.PHASE_BETTING, 2)
    assert [seat.player_id for seat in left.seats] == [player.id]
