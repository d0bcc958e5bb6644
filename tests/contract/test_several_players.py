"""Play at tables for several players: who may do what, leaving, ranking, a bank that rotates."""

import pytest
from croupier.v1.table_pb2 import Action, FinishCause, Phase
from croupier.v1.table_service_pb2 import (
    ActRequest,
    PlaceBetRequest,
    TakeSeatRequest,
)

from tests.contract.conftest import guest
from tests.contract.doors import Door, Refusal
from tests.contract.player import Caller, bet_request, fresh_id
from tests.contract.several import (
    leave,
    move,
    play_round,
    seated,
    sit_out,
    states,
    take_seat,
)

MATCH, BANKER = "ranked-match", "rotating-banker"


@pytest.fixture
async def players(door: Door) -> list[Caller]:
    return [await guest(door) for _ in range(4)]


async def test_who_has_no_seat_takes_no_action(players: list[Caller], operator: Caller) -> None:
    ann, bob, cat, _ = players
    table = await seated([ann, bob], MATCH)
    for request in (
        PlaceBetRequest(table_id=table.table_id, request_id=fresh_id(), round=1, stake=1000),
        ActRequest(
            table_id=table.table_id,
            request_id=fresh_id(),
            decision="1-1-0",
            action=Action.ACTION_STAND,
        ),
    ):
        for caller, reason in ((cat, "NOT_SEATED"), (operator, "PERMISSION_DENIED")):
            with pytest.raises(Refusal) as refused:
                await caller.call(request)
            assert (refused.value.code, refused.value.reason) == ("PERMISSION_DENIED", reason)
    with pytest.raises(Refusal) as refused:
        await take_seat(operator, table.table_id)
    assert (refused.value.code, refused.value.reason) == ("PERMISSION_DENIED", "PERMISSION_DENIED")


async def test_sitting_out(players: list[Caller]) -> None:
    ann, bob, *_ = players
    table = await seated([ann, bob], MATCH)
    table = await sit_out(bob, await bob.see(table.table_id))
    assert states(table)[1] == (2, "SITTING_OUT")
    with pytest.raises(Refusal) as refused:
        await bob.call(bet_request(table, 1000))
    assert refused.value.reason == "ALREADY_BET"
    table = await play_round([ann], table.table_id)
    assert [bool(seat.hands) for seat in table.seats] == [True, False]
    assert table.seats[1].stack == 1_000_00


async def test_the_same_request_id_from_another_seat_is_another_command(
    players: list[Caller],
) -> None:
    ann, bob, cat, _ = players
    table = await seated([ann, bob, cat], MATCH)
    first = await ann.call(bet_request(table, 1000, "bet"))
    second = await bob.call(bet_request(table, 3000, "bet"))
    again = await ann.call(bet_request(table, 1000, "bet"))
    assert (first.replayed, second.replayed, again.replayed) == (False, False, True)
    assert [first.version, second.version, again.version] == [
        table.version + 1,
        table.version + 2,
        table.version + 1,
    ]
    assert [seat.stake for seat in second.table.seats] == [1000, 3000, 0]
    assert first.table == again.table
    with pytest.raises(Refusal) as refused:
        await bob.call(bet_request(table, 1000, "bet"))  # what ann sent, but he sent another
    assert refused.value.reason == "REQUEST_ID_REUSED"


async def test_a_match_to_its_standing(players: list[Caller]) -> None:
    ann, bob, cat, dan = players
    table = await seated(players, MATCH, rounds=3)
    assert (table.rounds_left, table.open_ended) == (3, False)
    table = await play_round(players, table.table_id)
    table = await leave(dan, table.table_id)
    for _ in range(2):
        assert not table.ranking
        table = await play_round([ann, bob, cat], table.table_id)
    assert (table.phase, table.finish_cause) == (
        Phase.PHASE_FINISHED,
        FinishCause.FINISH_CAUSE_ROUNDS_PLAYED,
    )
    standing = {one.player_id: one for one in table.ranking}
    stacks = {seat.player_id: seat.stack for seat in table.seats}
    for player in (ann, bob, cat):
        mine = standing[player.id]
        better = [one for one in table.ranking if one.stack > mine.stack and not one.forfeited]
        assert (mine.stack, mine.rank, mine.forfeited) == (
            stacks[player.id],
            len(better) + 1,
            False,
        )
    assert (standing[dan.id].rank, standing[dan.id].forfeited) == (4, True)
    assert (await dan.see(table.table_id)).ranking == table.ranking


async def test_a_rotating_bank_round_by_round(players: list[Caller]) -> None:
    """Whoever holds it neither bets nor acts for another, and no chip is lost or made."""
    table = await seated(players, BANKER, starting_stack=500_00)
    assert table.banker_seat == 1
    bankers = set()
    for _ in range(40):
        bankers.add(table.banker_seat)
        banker = players[table.banker_seat - 1]
        seen = await banker.see(table.table_id)
        assert not seen.your.HasField("bet")
        with pytest.raises(Refusal) as refused:
            await banker.call(
                PlaceBetRequest(
                    table_id=table.table_id,
                    request_id=fresh_id("bet"),
                    round=seen.round + (seen.phase == Phase.PHASE_SETTLED),
                    stake=1000,
                )
            )
        assert refused.value.reason == "BANKER_DOES_NOT_BET"
        table = await play_round(players, table.table_id)
        assert all(seat.stack >= 0 for seat in table.seats)
        assert sum(seat.stack for seat in table.seats) == 4 * 500_00
    assert len(bankers) > 1


async def test_the_actions_of_each_seat_are_its_own(players: list[Caller]) -> None:
    ann, bob, *_ = players
    table = await seated([ann, bob], MATCH)
    while table.phase != Phase.PHASE_TURNS:
        table = await move([ann, bob], table.table_id)
    seen = [await player.see(table.table_id) for player in (ann, bob)]
    (active,) = [one for one in seen if one.your.decision]
    (waits,) = [one for one in seen if not one.your.decision]
    assert active.your.seat == active.active_seat
    assert active.your.legal_actions
    assert not waits.your.legal_actions
    other = ann if waits is seen[0] else bob
    with pytest.raises(Refusal) as refused:
        await other.call(
            ActRequest(
                table_id=table.table_id,
                request_id=fresh_id(),
                decision=active.your.decision,
                action=Action.ACTION_STAND,
            )
        )
    assert refused.value.code in ("ABORTED", "FAILED_PRECONDITION")


async def test_a_returning_player_finds_his_stack(players: list[Caller]) -> None:
    ann, bob, cat, _ = players
    table = await seated([ann, bob, cat], BANKER)
    while True:
        table = await play_round([ann, bob, cat], table.table_id)
        stack = next(seat.stack for seat in table.seats if seat.player_id == cat.id)
        if stack != 5_000_00:
            break
    await leave(cat, table.table_id)
    request = TakeSeatRequest(table_id=table.table_id, request_id=fresh_id("back"))
    back = (await cat.call(request)).table
    assert next(seat.stack for seat in back.seats if seat.player_id == cat.id) == stack
