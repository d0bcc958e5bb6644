"""An operator voids rounds, through both doors; players, lists and repeated calls see it."""

from typing import Any

from croupier.v1.history_service_pb2 import (
    GetRoundRequest,
    ListRoundsRequest,
    RoundSummary,
    VoidRoundRequest,
)
from croupier.v1.table_pb2 import AnnouncementKind, Phase, Table
from croupier.v1.table_service_pb2 import CloseTableRequest

from tests.contract.player import Caller, bytes_of, fresh_id, table_of

REASON = "the dealer's sleeve ♠"
VOIDED = AnnouncementKind.ANNOUNCEMENT_KIND_ROUND_VOIDED


def void(table: Table, round: int, reason: str = REASON, request_id: str = "") -> VoidRoundRequest:
    return VoidRoundRequest(
        table_id=table.table_id,
        round=round,
        request_id=request_id or fresh_id("void"),
        reason=reason,
    )


def news(table: Table) -> list[tuple[int, str]]:
    """The voids that a table announces."""
    return [(one.round, one.reason) for one in table.announcements if one.kind == VOIDED]


async def summaries(caller: Caller, table: Table) -> list[RoundSummary]:
    """The rounds of a table, newest first."""
    response = await caller.call(ListRoundsRequest(table_id=table.table_id))
    return list(response.rounds)


async def test_a_running_round(player: Caller, operator: Caller) -> None:
    table = await player.open("six-deck-h17")
    table = await player.deal_until_a_decision(table, 10_000)
    stack = table.seats[0].stack + 10_000
    voided = table_of(await operator.call(void(table, table.round)))
    assert (voided.phase, voided.round) == (Phase.PHASE_SETTLED, table.round)
    assert voided.receipt.version == voided.version
    seen = await player.see(table.table_id)
    assert seen.void_reason == REASON
    assert news(seen) == [(table.round, REASON)]
    assert seen.seats[0].stack == stack
    assert "??" in seen.dealer.cards
    assert not seen.your.decision
    newest = (await summaries(player, table))[0]
    assert (newest.round, newest.voided.reason) == (table.round, REASON)
    assert [(seat.staked, seat.net) for seat in newest.seats] == [(10_000, 0)]
    after = await player.play_round(seen)
    assert after.round == table.round + 1
    assert not after.void_reason


async def test_a_settled_round(player: Caller, operator: Caller) -> None:
    table = await player.open("six-deck-h17")
    net = 0
    while not net:
        table = await player.play_round(table, 10_000)
        net = table.seats[0].net
    await player.play_round(table, 10_000)
    stack = (await player.see(table.table_id)).seats[0].stack
    voided = table_of(await operator.call(void(table, table.round)))
    assert (voided.phase, voided.round) == (Phase.PHASE_BETTING, table.round + 2)
    assert voided.seats[0].stack == stack - net
    assert voided.receipt.version == voided.version
    assert news(await player.see(table.table_id)) == [(table.round, REASON)]
    told = await player.call(GetRoundRequest(table_id=table.table_id, round=table.round))
    assert (told.round.seats[0].net, told.round.voided.reason) == (net, REASON)
    assert told.table.void_reason == REASON
    assert told.round.voided.version == voided.version
    assert told.round.voided.record_time.seconds > 0
    others = [one.HasField("voided") for one in await summaries(player, table)]
    assert others.count(True) == 1


async def test_a_finished_table(player: Caller, operator: Caller) -> None:
    table = await player.open("twenty-rounds", rounds=1)
    table = await player.play_round(table, 10_000)
    assert table.phase == Phase.PHASE_FINISHED
    voided = table_of(await operator.call(void(table, 1)))
    assert voided.phase == Phase.PHASE_FINISHED
    assert voided.void_reason == REASON
    assert [one.stack for one in voided.ranking] == [100_000]


async def test_a_call_that_is_repeated_voids_once(player: Caller, operator: Caller) -> None:
    table = await player.open("six-deck-h17")
    settled = await player.play_round(table, 10_000)
    running = await player.deal_until_a_decision(settled, 10_000)
    for round in (running.round, settled.round):
        request = void(table, round)
        first = await operator.call(request)
        again = await operator.call(request)
        assert (first.replayed, again.replayed) == (False, True)
        again.replayed = False
        assert bytes_of(again) == bytes_of(first)
        refusal = await operator.refused(void(table, round, "another reason", request.request_id))
        assert (refusal.code, refusal.reason) == ("INVALID_ARGUMENT", "REQUEST_ID_REUSED")
        refusal = await operator.refused(void(table, round))
        assert (refusal.code, refusal.reason) == ("FAILED_PRECONDITION", "ROUND_VOIDED")


async def refusal_of(caller: Caller, request: Any) -> tuple[str, str]:
    refusal = await caller.refused(request)
    return refusal.code, refusal.reason


async def test_who_may_void_what(
    player: Caller, stranger: Caller, operator: Caller, rival: Caller
) -> None:
    table = await player.open("six-deck-h17")
    table = await player.play_round(table)
    request = void(table, 1)
    assert await refusal_of(player, request) == ("PERMISSION_DENIED", "PERMISSION_DENIED")
    assert await refusal_of(stranger, request) == ("PERMISSION_DENIED", "PERMISSION_DENIED")
    assert await refusal_of(rival, request) == ("NOT_FOUND", "TABLE_NOT_FOUND")
    assert await refusal_of(operator, void(table, 9)) == ("NOT_FOUND", "ROUND_NOT_FOUND")
    assert await refusal_of(operator, void(table, 0)) == ("INVALID_ARGUMENT", "FIELD_INVALID")
    assert await refusal_of(operator, void(table, -1)) == ("INVALID_ARGUMENT", "FIELD_INVALID")
    assert await refusal_of(operator, void(table, 2)) == ("FAILED_PRECONDITION", "WRONG_PHASE")
    for reason in ("", "a\nb", "x" * 201):
        wrong = void(table, 1, reason)
        assert await refusal_of(operator, wrong) == ("INVALID_ARGUMENT", "FIELD_INVALID")
    nameless = void(table, 1)
    nameless.request_id = ""
    assert await refusal_of(operator, nameless) == ("INVALID_ARGUMENT", "REQUEST_ID_MISSING")
    running = await player.deal_until_a_decision(table)
    assert await refusal_of(operator, request) == ("FAILED_PRECONDITION", "ROUND_RUNNING")
    assert (await player.see(table.table_id)).version == running.version


async def test_a_table_is_voided_after_it_was_closed(player: Caller, operator: Caller) -> None:
    table = await player.open("six-deck-h17")
    table = await player.play_round(table, 10_000)
    await operator.call(CloseTableRequest(table_id=table.table_id, request_id=fresh_id("close")))
    voided = table_of(await operator.call(void(table, table.round)))
    assert voided.seats[0].stack == 100_000
