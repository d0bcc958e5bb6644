"""Sitting down at tables for several players: seats, the start, tables to join, join codes."""

from typing import Any

import pytest
from croupier.v1.table_pb2 import Phase
from croupier.v1.table_service_pb2 import (
    ListTablesRequest,
    OpenTableRequest,
    OpenTableResponse,
    TableSummary,
)

from tests.contract.conftest import guest
from tests.contract.doors import Door, Refusal
from tests.contract.player import Caller, fresh_id
from tests.contract.several import (
    leave,
    seated,
    set_ready,
    states,
    take_seat,
)

MATCH, BANKER = "ranked-match", "rotating-banker"


@pytest.fixture
async def players(door: Door) -> list[Caller]:
    return [await guest(door) for _ in range(4)]


async def test_a_table_starts_when_all_who_sit_are_ready(players: list[Caller]) -> None:
    ann, bob, cat, _ = players
    table = await ann.open(MATCH)
    assert (table.phase, len(table.seats), table.HasField("your")) == (
        Phase.PHASE_WAITING,
        0,
        False,
    )
    table_id = table.table_id
    table = await take_seat(ann, table_id, 3)
    assert (table.your.seat, states(table)) == (3, [(3, "SEATED")])
    assert (await take_seat(bob, table_id)).your.seat == 1
    table = await set_ready(bob, table_id)
    assert states(table) == [(1, "READY"), (3, "SEATED")]
    table = await leave(bob, table_id)
    assert states(table) == [(3, "SEATED")]
    await take_seat(cat, table_id, 2)
    await set_ready(cat, table_id)
    table = await set_ready(ann, table_id)
    assert table.phase == Phase.PHASE_BETTING
    assert table.HasField("deadline")
    assert (await cat.see(table_id)).your.bet.round == 1
    with pytest.raises(Refusal) as refused:
        await take_seat(bob, table_id)
    assert (refused.value.code, refused.value.reason) == ("FAILED_PRECONDITION", "TABLE_STARTED")


async def test_a_full_table_starts_at_once(players: list[Caller]) -> None:
    table = await seated(players, MATCH)
    assert table.phase == Phase.PHASE_BETTING
    assert [seat.player_id for seat in table.seats] == [player.id for player in players]


async def test_one_seat_a_player_and_one_player_a_seat(players: list[Caller]) -> None:
    ann, bob, *_ = players
    table_id = (await ann.open(MATCH)).table_id
    await take_seat(ann, table_id, 2)
    for player, seat, reason in (
        (ann, 0, "ALREADY_SEATED"),
        (ann, 3, "ALREADY_SEATED"),
        (bob, 2, "SEAT_OCCUPIED"),
    ):
        with pytest.raises(Refusal) as refused:
            await take_seat(player, table_id, seat)
        assert (refused.value.code, refused.value.reason) == ("FAILED_PRECONDITION", reason)
    for seat in (-1, 5):
        with pytest.raises(Refusal) as refused:
            await take_seat(bob, table_id, seat)
        assert refused.value.code == "INVALID_ARGUMENT"
    elsewhere = await ann.open(MATCH)
    assert (await take_seat(ann, elsewhere.table_id)).your.seat == 1


async def to_join(caller: Caller, size: int = 100, **wanted: Any) -> list[TableSummary]:
    """Every table of the list, page by page."""
    found: list[TableSummary] = []
    token = ""
    while True:
        request = ListTablesRequest(page_size=size, page_token=token, **wanted)
        response = await caller.call(request)
        assert len(response.tables) <= size
        found += response.tables
        token = response.next_page_token
        if not token:
            return found


async def test_the_list_of_tables_to_join(players: list[Caller], operator: Caller) -> None:
    ann, bob, cat, _ = players
    three = [await ann.open(MATCH, min_seats=2, max_seats=seats) for seats in (2, 3, 4)]
    bank = await ann.open(BANKER)
    full = await seated([ann, bob], MATCH, max_seats=2)
    ids = [table.table_id for table in (*three, bank, full)]
    await take_seat(bob, ids[0])

    async def found(size: int = 100, **wanted: Any) -> list[tuple[str, int]]:
        listed = await to_join(cat, size, **wanted)
        return [(one.table_id, one.free_seats) for one in listed if one.table_id in ids]

    joinable = [(ids[3], 6), (ids[2], 4), (ids[1], 3), (ids[0], 1)]
    assert await found(free_seats=1) == joinable  # the latest first, without the full one
    assert await found(3, free_seats=1) == joinable
    assert await found(free_seats=4) == joinable[:2]
    assert await found(free_seats=1, rule_set_id=BANKER) == joinable[:1]
    assert await found(free_seats=1, rule_set_id=MATCH, phase=Phase.PHASE_WAITING) == joinable[1:]
    assert await found(free_seats=1, phase=Phase.PHASE_SETTLED) == []
    assert await found() == []  # cat's own
    assert [one.table_id for one in await to_join(bob)] == [ids[4], ids[0]]
    assert {one.table_id for one in await to_join(operator)} >= set(ids)
    wrong: list[dict[str, Any]] = [{"free_seats": -1}, {"phase": 99}, {"phase": -1}]
    for wanted in wrong:
        with pytest.raises(Refusal) as refused:
            await to_join(cat, **wanted)
        assert (refused.value.code, refused.value.metadata["field"]) == (
            "INVALID_ARGUMENT",
            *wanted,
        )


async def test_a_private_table_is_joined_with_its_code(
    players: list[Caller], operator: Caller
) -> None:
    ann, bob, cat, _ = players
    request = OpenTableRequest(request_id=fresh_id("open"), rule_set_id=MATCH, is_private=True)
    opened: OpenTableResponse = await ann.call(request)
    table_id, code = opened.table.table_id, opened.join_code
    assert (opened.table.is_private, len(code)) == (True, 13)
    assert (await ann.call(request)).join_code == code
    for wrong in ("", "WRONG", "ÄÖÜ", code[:-1], f"{code}A"):
        with pytest.raises(Refusal) as refused:
            await take_seat(bob, table_id, join_code=wrong)
        assert (refused.value.code, refused.value.reason) == (
            "NOT_FOUND",
            "TABLE_NOT_FOUND",
        )
    other = await cat.call(
        OpenTableRequest(request_id=fresh_id("open"), rule_set_id=MATCH, is_private=True)
    )
    assert other.join_code != code
    assert states(await take_seat(bob, table_id, join_code=code)) == [(1, "SEATED")]
    assert (await take_seat(cat, table_id, join_code=code.lower())).your.seat == 2
    assert (await take_seat(ann, table_id)).your.seat == 3  # it is her table
    assert table_id not in {one.table_id for one in await to_join(cat, free_seats=1)}
    assert table_id in {one.table_id for one in await to_join(cat)}
    public = await ann.call(OpenTableRequest(request_id=fresh_id("open"), rule_set_id=MATCH))
    assert (public.join_code, public.table.is_private) == ("", False)
