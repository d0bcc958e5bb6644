"""The journal and the lists: whole, in order, each row once, and chained by hashes."""

import hashlib
from typing import Any

import pytest
from croupier.v1.history_service_pb2 import JournalRow, ListEventsRequest, ListRoundsRequest
from croupier.v1.table_pb2 import Phase
from croupier.v1.table_service_pb2 import CloseTableRequest, ListTablesRequest, TakeSeatRequest

from tests.contract.doors import Refusal
from tests.contract.player import Caller, bytes_of


def hash_of(previous: bytes, table_id: str, row: JournalRow) -> bytes:
    """The hash of a row as the documentation of the journal has it."""
    text = hashlib.sha256(previous)
    micros = row.record_time.seconds * 1_000_000 + row.record_time.nanos // 1_000
    for column in (
        table_id,
        str(row.version),
        str(row.round),
        row.actor,
        row.request_id,
        row.command,
        row.events,
        str(micros),
        str(row.engine),
    ):
        data = column.encode()
        text.update(len(data).to_bytes(8, "big") + data)
    return text.digest()


async def test_the_chain_of_hashes(player: Caller) -> None:
    table = await player.open("twenty-rounds", rounds=3)
    hashes = {table.version: table.hash}
    while table.phase != Phase.PHASE_FINISHED:
        table = await player.bet(table)
        hashes[table.version] = table.hash
        table = await player.stand(table)
        hashes[table.version] = table.hash
    rows = await player.journal(table.table_id)
    assert [row.version for row in rows] == list(range(1, table.version + 1))
    previous = bytes(32)
    for row in rows:
        previous = hash_of(previous, table.table_id, row)
        assert row.hash == previous.hex()
        assert hashes.get(row.version, row.hash) == row.hash
        assert row.actor == player.id
    assert rows[-1].hash == table.hash


async def test_pages_while_rounds_are_played(player: Caller) -> None:
    """25 rounds by pages of 10, and new ones between the pages: each one exactly once."""
    table = await player.open("six-deck-h17")
    for _ in range(25):
        table = await player.play_round(table)
    rounds: list[int] = []
    versions: list[int] = []
    more, after_rounds, after_events = True, "", ""
    sizes = []
    while more:
        page = await player.call(
            ListRoundsRequest(table_id=table.table_id, page_size=10, page_token=after_rounds)
        )
        sizes.append(len(page.rounds))
        rounds += [one.round for one in page.rounds]
        events = await player.call(
            ListEventsRequest(table_id=table.table_id, page_size=10, page_token=after_events)
        )
        versions += [row.version for row in events.rows]
        after_rounds, after_events = page.next_page_token, events.next_page_token
        more = bool(after_rounds)
        table = await player.play_round(table)
    assert sizes == [10, 10, 5]
    assert rounds == list(range(25, 0, -1))
    while after_events:
        events = await player.call(
            ListEventsRequest(table_id=table.table_id, page_size=10, page_token=after_events)
        )
        versions += [row.version for row in events.rows]
        after_events = events.next_page_token
    assert versions == list(range(1, table.version + 1))


async def test_pages_of_a_players_tables_and_rounds(player: Caller) -> None:
    opened = [
        (await player.play_round(await player.open("six-deck-h17"))).table_id for _ in range(7)
    ]
    for request, rows, key in (
        (ListTablesRequest(page_size=3), "tables", "table_id"),
        (ListRoundsRequest(page_size=3), "rounds", "table_id"),
    ):
        listed: list[str] = []
        more = True
        while more:
            page = await player.call(request)
            listed += [getattr(one, key) for one in getattr(page, rows)]
            request.page_token = page.next_page_token
            more = bool(request.page_token)
            if len(listed) == 3:
                await player.open("six-deck-h17")
        assert listed == opened[::-1], rows


async def test_a_round_of_two_seats_is_not_cut_by_a_page(player: Caller, stranger: Caller) -> None:
    table = await player.open("six-deck-h17", min_seats=2, max_seats=2, penetration_percent=50)
    for one in (player, stranger):
        await one.call(TakeSeatRequest(table_id=table.table_id, request_id="sit"))
    for _ in range(3):
        for one in (player, stranger):
            table = await one.bet(await one.see(table.table_id))
        while table.phase != Phase.PHASE_SETTLED:
            for one in (player, stranger):
                await one.stand(await one.see(table.table_id))
            table = await player.see(table.table_id)
    seats: list[tuple[int, list[int]]] = []
    request = ListRoundsRequest(table_id=table.table_id, page_size=1)
    while request.page_token or not seats:
        page = await player.call(request)
        seats += [(one.round, [seat.seat for seat in one.seats]) for one in page.rounds]
        request.page_token = page.next_page_token
    assert seats == [(3, [1, 2]), (2, [1, 2]), (1, [1, 2])]


async def test_a_token_of_another_list(player: Caller) -> None:
    for _ in range(2):
        table = await player.play_round(await player.open("six-deck-h17"))
    tables = await player.call(ListTablesRequest(page_size=1))
    with pytest.raises(Refusal) as refused:
        await player.call(
            ListEventsRequest(table_id=table.table_id, page_token=tables.next_page_token)
        )
    assert refused.value.reason == "PAGE_TOKEN_INVALID"


async def test_a_table_is_listed_and_closed(
    player: Caller, stranger: Caller, operator: Caller
) -> None:
    table = await player.play_round(await player.open("four-deck-vegas"))
    (listed,) = (await player.call(ListTablesRequest())).tables
    assert (listed.table_id, listed.rule_set_id, listed.phase, listed.version, listed.round) == (
        table.table_id,
        "four-deck-vegas",
        Phase.PHASE_SETTLED,
        table.version,
        1,
    )
    assert not (await stranger.call(ListTablesRequest())).tables
    first = (await operator.call(ListTablesRequest(page_size=1))).tables[0]
    assert first.table_id == table.table_id
    closed = await player.call(CloseTableRequest(table_id=table.table_id, request_id="close"))
    assert closed.table.phase == Phase.PHASE_FINISHED
    assert bytes_of(await player.see(table.table_id)) == bytes_of(closed.table)
    for caller in (player, operator):
        with pytest.raises(Refusal) as refused:
            await caller.call(CloseTableRequest(table_id=table.table_id, request_id="again"))
        assert refused.value.reason == "TABLE_FINISHED"


async def test_an_operator_closes_a_table_after_the_running_round(
    player: Caller, operator: Caller
) -> None:
    table = await player.deal_until_a_decision(await player.open("six-deck-h17"))
    close: Any = CloseTableRequest(table_id=table.table_id, request_id="close")
    closing = (await operator.call(close)).table
    assert closing.phase == table.phase
    table = await player.stand(await player.see(table.table_id))
    assert table.phase == Phase.PHASE_FINISHED
    assert (await operator.call(close)).replayed
