"""The feed, downloads, stories and filters, at both doors."""

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

import grpc
import pytest
from croupier.v1.export_service_pb2 import (
    ExportEventsRequest,
    ExportEventsResponse,
    ExportFormat,
    ExportRoundsRequest,
    ExportRoundsResponse,
    ReadFeedRequest,
)
from croupier.v1.history_service_pb2 import GetRoundRequest, ListRoundsRequest
from croupier.v1.story_pb2 import Cause, StepKind
from croupier.v1.table_pb2 import Action, Table
from google.protobuf import json_format
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc import status_pb2

from tests.contract.doors import METHODS, PATHS, SECONDS, GrpcDoor, Refusal, RestDoor, refusal_of
from tests.contract.player import Caller

NAMES = {ExportRoundsRequest: ExportRoundsResponse, ExportEventsRequest: ExportEventsResponse}


async def download(caller: Caller, request: Any) -> tuple[str, bytes]:
    """A file: its type, and all of its bytes."""
    door = caller.door
    method = METHODS[request.DESCRIPTOR.full_name]
    rpc = f"/{method.containing_service.full_name}/{method.name}"
    if isinstance(door, GrpcDoor):
        stream: Any = door.channel.unary_stream(
            rpc, response_deserializer=NAMES[type(request)].FromString
        )
        metadata = (
            ("authorization", f"Bearer {caller.token}"),
            ("croupier-join-code", caller.code),
        )
        try:
            pieces = [
                piece
                async for piece in stream(
                    request.SerializeToString(), metadata=metadata, timeout=SECONDS
                )
            ]
        except grpc.aio.AioRpcError as error:
            details: Any = dict(error.trailing_metadata() or ())["grpc-status-details-bin"]
            raise refusal_of(status_pb2.Status.FromString(details)) from error
        (content_type,) = {piece.content_type for piece in pieces}
        return content_type, b"".join(piece.data for piece in pieces)
    assert isinstance(door, RestDoor)
    return await rest_download(caller, door, PATHS[rpc][1], parameters(request))


def parameters(request: Any) -> dict[str, str]:
    values = {"tableId": request.table_id}
    if request.format:
        known = request.format in ExportFormat.values()
        values["format"] = ExportFormat.Name(request.format) if known else str(request.format)
    for name, field in (("startTime", "start_time"), ("endTime", "end_time")):
        if request.HasField(field):
            values[name] = getattr(request, field).ToJsonString()
    return {name: value for name, value in values.items() if value}


async def rest_download(
    caller: Caller, door: RestDoor, path: str, values: dict[str, str]
) -> tuple[str, bytes]:
    headers = {"authorization": f"Bearer {caller.token}", "croupier-join-code": caller.code}
    response = await door.client.get(path, params=values, headers=headers)
    if not response.is_success:
        raise refusal_of(json_format.ParseDict(response.json(), status_pb2.Status()))
    assert response.headers["content-disposition"] == "attachment"
    return response.headers["content-type"], response.content


def lines(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.decode().splitlines()]


async def settled(operator: Caller, table: Table) -> None:
    """Wait until the horizon has passed the newest row of a table."""
    cursor = ""
    while True:
        page = await operator.call(ReadFeedRequest(cursor=cursor, page_size=1000))
        cursor = page.next_cursor
        for row in page.rows:
            if (row.table_id, row.row.version) == (table.table_id, table.version):
                return


async def feed_of(operator: Caller, table_id: str, page_size: int) -> Sequence[Any]:
    """The rows of a table in the feed, from its beginning to the newest."""
    rows: list[Any] = []
    request = ReadFeedRequest(page_size=page_size)
    while True:
        page = await operator.call(request)
        rows += [one.row for one in page.rows if one.table_id == table_id]
        request.cursor = page.next_cursor
        if len(page.rows) < page_size:
            return rows


async def test_the_feed_is_the_journal_of_each_table(player: Caller, operator: Caller) -> None:
    table = await player.play_round(await player.open("six-deck-h17"))
    table = await player.play_round(table)
    await settled(operator, table)
    assert list(await feed_of(operator, table.table_id, 7)) == await player.journal(table.table_id)


async def test_a_feed_that_is_read_to_its_end_goes_on(player: Caller, operator: Caller) -> None:
    table = await player.play_round(await player.open("six-deck-h17"))
    await settled(operator, table)
    request = ReadFeedRequest(page_size=1000)
    while len((page := await operator.call(request)).rows) == 1000:
        request.cursor = page.next_cursor
    last = page.rows[-1].row.record_time if page.rows else page.horizon_time
    assert last.ToMicroseconds() <= page.horizon_time.ToMicroseconds()
    table = await player.play_round(table)
    await settled(operator, table)
    request.cursor = page.next_cursor
    versions = [
        one.row.version
        for one in (await operator.call(request)).rows
        if one.table_id == table.table_id
    ]
    assert versions[-1] == table.version
    assert versions == list(range(versions[0], table.version + 1))


async def test_the_feed_is_for_operators_and_of_their_own_tables(
    player: Caller, operator: Caller, rival: Caller
) -> None:
    table = await player.play_round(await player.open("six-deck-h17"))
    await settled(operator, table)
    assert not (await rival.call(ReadFeedRequest())).rows
    assert (await player.refused(ReadFeedRequest())).reason == "PERMISSION_DENIED"
    refused = await operator.refused(ReadFeedRequest(cursor="nonsense"))
    assert (refused.reason, refused.metadata) == ("PAGE_TOKEN_INVALID", {"field": "cursor"})
    later = Timestamp(seconds=table.version + 10**10)
    assert not (await operator.call(ReadFeedRequest(start_time=later))).rows


async def test_a_download_of_events(player: Caller, operator: Caller) -> None:
    table = await player.play_round(await player.open("six-deck-h17"))
    await settled(operator, table)
    kind, data = await download(
        operator,
        ExportEventsRequest(format=ExportFormat.EXPORT_FORMAT_JSONL, table_id=table.table_id),
    )
    assert kind == "application/jsonl"
    events = lines(data)
    journal = await player.journal(table.table_id)
    assert [one["event"] for one in events] == [
        event for row in journal for event in json.loads(row.events)
    ]
    request = ExportEventsRequest(table_id=table.table_id, start_time=journal[1].record_time)
    _, data = await download(operator, request)
    later = list(csv.DictReader(io.StringIO(data.decode(), newline="")))
    assert {int(row["version"]) for row in later} == set(range(2, table.version + 1))


async def test_a_download_of_rounds_has_a_players_own_only(
    player: Caller, stranger: Caller, operator: Caller
) -> None:
    table = await player.play_round(await player.open("six-deck-h17"))
    theirs = await stranger.play_round(await stranger.open("six-deck-h17"))
    await settled(operator, table)
    await settled(operator, theirs)
    kind, data = await download(player, ExportRoundsRequest())
    assert kind == "text/csv; charset=utf-8; header=present"
    (row,) = csv.DictReader(io.StringIO(data.decode(), newline=""))
    assert (row["table_id"], row["player_id"]) == (table.table_id, player.id)
    invited = await player.invited_by(stranger, theirs)
    _, data = await download(invited, ExportRoundsRequest(table_id=theirs.table_id))
    assert len(data.splitlines()) == 1
    _, data = await download(operator, ExportRoundsRequest(format=ExportFormat.EXPORT_FORMAT_JSONL))
    assert {table.table_id, theirs.table_id} <= {row["table_id"] for row in lines(data)}


async def test_a_download_as_parquet(player: Caller, operator: Caller) -> None:
    table = await player.play_round(await player.open("six-deck-h17"))
    await settled(operator, table)
    kind, data = await download(
        player, ExportRoundsRequest(format=ExportFormat.EXPORT_FORMAT_PARQUET)
    )
    assert kind == "application/vnd.apache.parquet"
    assert data[:4] == data[-4:] == b"PAR1"


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (ExportRoundsRequest(format=99), "FIELD_INVALID"),  # type: ignore[arg-type]
        (ExportRoundsRequest(table_id="nowhere"), "TABLE_NOT_FOUND"),
        (ExportRoundsRequest(table_id="no id"), "FIELD_INVALID"),
        (ExportEventsRequest(), "PERMISSION_DENIED"),
    ],
    ids=["format", "table", "id", "a player"],
)
async def test_a_download_that_is_refused(player: Caller, request_: Any, reason: str) -> None:
    with pytest.raises(Refusal) as refused:
        await download(player, request_)
    assert refused.value.reason == reason


@pytest.mark.parametrize("moment", [Timestamp(seconds=10**12), Timestamp(nanos=-1)])
async def test_what_is_no_time(player: Caller, moment: Timestamp) -> None:
    if isinstance(player.door, RestDoor):
        request = player.door.send("GET", "/v1/rounds", player.token, params={"startTime": "noon"})
    else:
        request = player.call(ListRoundsRequest(start_time=moment))
    with pytest.raises(Refusal) as refused:
        await request
    assert refused.value.reason == "FIELD_INVALID"
    assert refused.value.metadata["field"] in {"start_time", "startTime"}


async def test_rounds_by_player_rule_set_and_time(
    player: Caller, stranger: Caller, operator: Caller
) -> None:
    first = await player.play_round(await player.open("six-deck-h17"))
    second = await player.play_round(await player.open("four-deck-vegas"))

    async def found(caller: Caller, **wanted: Any) -> list[str]:
        page = await caller.call(ListRoundsRequest(**wanted))
        return [one.table_id for one in page.rounds]

    both = [second.table_id, first.table_id]
    assert await found(player) == both
    assert await found(player, player_id=player.id) == both
    assert await found(operator, player_id=player.id) == both
    assert await found(player, rule_set_id="four-deck-vegas") == both[:1]
    assert await found(player, player_id=player.id, table_id=first.table_id) == both[1:]
    spectator = await stranger.invited_by(player, first)
    assert await found(spectator, player_id=stranger.id, table_id=first.table_id) == []
    refused = await stranger.refused(ListRoundsRequest(player_id=player.id))
    assert refused.reason == "PERMISSION_DENIED"
    time = (await player.call(ListRoundsRequest(page_size=1))).rounds[0].settle_time
    assert await found(player, start_time=time) == both[:1]
    assert await found(player, end_time=time) == both[1:]


async def test_a_round_as_a_story(player: Caller, operator: Caller) -> None:
    table = await player.open("six-deck-h17", starting_stack=100_000)
    table = await player.deal_until_a_turn(table, 1_000)
    running = await player.call(GetRoundRequest(table_id=table.table_id, round=table.round))
    cards = [step.card for step in running.story.steps if step.card]
    assert cards.count("??") == 1
    assert "??" in table.dealer.cards
    settled_table = await player.stand(table)
    told = await player.call(GetRoundRequest(table_id=table.table_id, round=table.round))
    story = told.story
    assert list(story.steps)[: len(running.story.steps)] == list(running.story.steps)
    (seat,) = story.seats
    assert seat.player_id == player.id
    assert seat.stack_after == settled_table.seats[0].stack
    assert (seat.staked, seat.returned, seat.net) == (
        told.round.seats[0].staked,
        told.round.seats[0].returned,
        told.round.seats[0].net,
    )
    stand = [step for step in story.steps if step.action == Action.ACTION_STAND]
    assert [(step.kind, step.cause, step.actor) for step in stand] == [
        (StepKind.STEP_KIND_DECISION, Cause.CAUSE_PLAYER, player.id)
    ]
    assert [step.position for step in story.steps if step.HasField("position")]
    request = GetRoundRequest(table_id=table.table_id, round=table.round)
    assert (await operator.call(request)).story == story
