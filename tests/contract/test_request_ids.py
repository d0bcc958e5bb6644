"""Whose a request id is, what it stands for, and what it does not."""

from croupier.v1.rule_set_pb2 import RuleSetOverrides
from croupier.v1.table_pb2 import Action
from croupier.v1.table_service_pb2 import (
    LeaveSeatRequest,
    OpenTableRequest,
    PlaceBetRequest,
    TakeSeatRequest,
)

from tests.contract.player import (
    Caller,
    act_request,
    bet_request,
    bytes_of,
)
from tests.contract.story import Story, opening


async def test_with_other_content(player: Caller) -> None:
    request = opening()
    table = (await player.call(request)).table
    bet = bet_request(table, 200)
    table = await player.deal_until_a_decision((await player.call(bet)).table)
    other_stake = PlaceBetRequest()
    other_stake.CopyFrom(bet)
    other_stake.stake = 300
    other_round = PlaceBetRequest()
    other_round.CopyFrom(bet)
    other_round.round = 7
    for other, version in (
        (other_stake, "2"),
        (other_round, "2"),
        (act_request(table, Action.ACTION_STAND, bet.request_id), "2"),
        (LeaveSeatRequest(table_id=table.table_id, request_id=bet.request_id), "2"),
        (OpenTableRequest(request_id=request.request_id, rule_set_id="twenty-rounds"), "1"),
        (
            OpenTableRequest(
                request_id=request.request_id,
                rule_set_id="six-deck-h17",
                overrides=RuleSetOverrides(decks=8),
            ),
            "1",
        ),
    ):
        refusal = await player.refused(other)
        assert (refusal.code, refusal.reason) == ("INVALID_ARGUMENT", "REQUEST_ID_REUSED"), other
        assert refusal.metadata == {"version": version}
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)


async def test_by_another_player(player: Caller, stranger: Caller) -> None:
    request = opening()
    table = (await player.call(request)).table
    his = await stranger.call(request)
    assert (his.replayed, his.table.table_id == table.table_id) == (False, False)
    bet = bet_request(table)
    table = (await player.call(bet)).table
    refusal = await stranger.refused(bet)
    assert (refusal.code, refusal.reason) == ("NOT_FOUND", "TABLE_NOT_FOUND")
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)


async def test_the_ids_of_two_players_at_one_table_are_their_own(
    player: Caller, stranger: Caller
) -> None:
    table = await player.open("six-deck-h17", min_seats=2, max_seats=2, penetration_percent=50)
    for one in (player, stranger):
        seated = await one.call(TakeSeatRequest(table_id=table.table_id, request_id="sit"))
        assert not seated.replayed
    for one in (player, stranger):
        bet = bet_request(await one.see(table.table_id), 500, "bet")
        assert not (await one.call(bet)).replayed
        assert (await one.call(bet)).replayed


async def test_a_repetition_that_would_be_legal_again(story: Story) -> None:
    """Who sat down and left again could sit down: the same request still takes effect once."""
    table = await story.tell(opening(min_seats=2, max_seats=2, penetration_percent=50))
    for round in range(3):
        for kind, name in ((TakeSeatRequest, "sit"), (LeaveSeatRequest, "leave")):
            await story.tell(kind(table_id=table.table_id, request_id=f"{name}-{round}"))
            await story.repeat(story.caller)
    assert not (await story.caller.see(table.table_id)).seats


async def test_a_refusal_is_not_remembered(player: Caller) -> None:
    table = await player.open("six-deck-h17")
    bet = bet_request(table, 2_000_00)
    assert (await player.refused(bet)).reason == "STACK_TOO_SMALL"
    bet.stake = 100
    assert not (await player.call(bet)).replayed
