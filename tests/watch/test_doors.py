"""Watching through both doors, on one database that two processes change."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import NamedTuple

import pytest
from croupier.v1.table_service_pb2 import WatchTableResponse
from msgspec.structs import replace

from service.live import watcher
from tests.contract.doors import Refusal
from tests.contract.player import Caller, bytes_of
from tests.contract.several import move, moves, seated
from tests.watch.serving import Serving, serving, watch

BANKER = "rotating-banker"


class Two(NamedTuple):
    """The process where the watchers are, another one, and the door that they use."""

    here: Serving
    there: Serving
    door: str

    def players(self, where: Serving) -> list[Caller]:
        return [where.caller(self.door, player) for player in ("ann", "bob")]

    def spectator(self) -> Caller:
        return self.here.caller(self.door, "eve")


@pytest.fixture(params=["grpc", "rest"])
async def two(request: pytest.FixtureRequest, database: str) -> AsyncIterator[Two]:
    async with serving(database) as here, serving(database) as there:
        yield Two(here, there, request.param)


@pytest.fixture(params=["grpc", "rest"])
async def alone(request: pytest.FixtureRequest, database: str) -> AsyncIterator[Two]:
    """One process does for both, where it does not matter who makes the changes."""
    async with serving(database) as here:
        yield Two(here, here, request.param)


Stream = AsyncGenerator[WatchTableResponse, None]


async def take(stream: Stream, count: int) -> list[WatchTableResponse]:
    """So many changes, heartbeats left out."""
    responses: list[WatchTableResponse] = []
    async with asyncio.timeout(10):
        while len(responses) < count:
            response = await anext(stream)
            if response.HasField("table"):
                assert response.version == response.table.version
                assert response.hash == response.table.hash
                responses.append(response)
    return responses


async def refusal(stream: Stream) -> Refusal:
    """What a stream ends with."""
    try:
        async with asyncio.timeout(10):
            while True:
                await anext(stream)
    except Refusal as refused:
        return refused


async def test_changes_of_either_process_once_and_in_order_as_each_may_see_them(two: Two) -> None:
    here, there = two.players(two.here), two.players(two.there)
    table = (await seated(here, BANKER)).table_id
    watchers = [*here, two.spectator()]
    streams = [watch(each, table) for each in watchers]
    first = [(await take(stream, 1))[0] for stream in streams]
    start = first[0].version
    expected = [[bytes_of(each.table)] for each in first]
    for number in range(16):
        seen = await move(there if number % 3 else here, table)
        for each, shown in zip(watchers, expected, strict=True):
            shown.append(bytes_of(await each.see(table)))
    for stream, shown in zip(streams, expected, strict=True):
        got = await take(stream, 16)
        assert [one.version for one in got] == list(range(start + 1, seen.version + 1))
        assert [bytes_of(one.table) for one in got] == shown[1:]
        await stream.aclose()


async def test_hidden_cards_are_seen_by_their_owners_only(alone: Two) -> None:
    players = alone.players(alone.here)
    table = (
        await seated(players, BANKER, soft_17="SOFT17_STAND", peek="PEEK_NONE", insurance=1)
    ).table_id
    streams = [watch(each, table) for each in (*players, alone.spectator())]
    while True:
        await move(players, table)
        version = (await players[0].see(table)).version
        shown = [(await take(stream, 1))[0] for stream in streams]
        while shown[0].version < version:
            shown = [(await take(stream, 1))[0] for stream in streams]
        banker, punter, spectator = (one.table for one in shown)
        if punter.your.decision:
            break
    hands = {"??" in seen.seats[1].hands[0].cards for seen in (banker, spectator)}
    assert hands == {True}
    assert "??" not in punter.seats[1].hands[0].cards
    assert "??" not in banker.dealer.cards
    assert "??" in punter.dealer.cards
    assert "??" in spectator.dealer.cards
    assert not spectator.HasField("your")
    for stream in streams:
        await stream.aclose()


async def test_it_goes_on_after_the_last_version(two: Two) -> None:
    """Twice: with `after_version`, and over REST with `Last-Event-ID`."""
    players = two.players(two.there)
    table = (await seated(players, BANKER)).table_id
    stream = watch(two.spectator(), table)
    (first,) = await take(stream, 1)
    got = [first.version]
    for header in (False, two.door == "rest"):
        seen = await move(players, table)
        got += [one.version for one in await take(stream, 1)]
        await stream.aclose()
        seen = await moves(players, table, 8)  # a round or two that nobody watches
        stream = watch(two.spectator(), table, got[-1], header=header)
        assert not (await anext(stream)).HasField("table")
        got += [one.version for one in await take(stream, seen.version - got[-1])]
    seen = await move(players, table)
    got += [one.version for one in await take(stream, 1)]
    assert got == list(range(first.version, seen.version + 1))
    await stream.aclose()


async def test_what_cannot_be_watched(alone: Two) -> None:
    table = (await seated(alone.players(alone.here), BANKER)).table_id
    nowhere = await refusal(watch(alone.spectator(), "nowhere"))
    assert (nowhere.code, nowhere.reason) == ("NOT_FOUND", "TABLE_NOT_FOUND")
    for after in (-1, 1000):
        refused = await refusal(watch(alone.spectator(), table, after))
        assert (refused.code, refused.reason) == ("INVALID_ARGUMENT", "FIELD_INVALID")
        assert refused.metadata["field"] == "after_version"
    stranger = Caller(alone.here.doors[alone.door], "no token")
    assert (await refusal(watch(stranger, table))).code == "UNAUTHENTICATED"


async def test_it_ends_with_the_token(database: str) -> None:
    """At both doors at once, because tokens are good for whole seconds: it ends within two."""
    async with serving(database) as here:
        players = [here.caller("grpc", player) for player in ("ann", "bob")]
        table = (await seated(players, BANKER)).table_id
        streams = [watch(here.caller(door, "eve", seconds=2), table) for door in here.doors]
        for stream in streams:
            (first,) = await take(stream, 1)
        for stream in streams:
            ended = await refusal(stream)
            assert (ended.code, ended.reason) == ("UNAUTHENTICATED", "UNAUTHENTICATED")
            assert f"watch again after version {first.version}" in ended.message


async def test_it_ends_when_the_server_stops_and_goes_on_at_another(two: Two) -> None:
    players = two.players(two.there)
    table = (await seated(players, BANKER)).table_id
    stream = watch(two.spectator(), table)
    (first,) = await take(stream, 1)
    two.here.service.end_streams()
    ended = await refusal(stream)
    assert (ended.code, ended.reason) == ("UNAVAILABLE", "UNAVAILABLE")
    seen = await move(players, table)
    async with aclosing(watch(two.there.caller(two.door, "eve"), table, first.version)) as resumed:
        assert [one.version for one in await take(resumed, 1)] == [seen.version]
    assert seen.version == first.version + 1


async def test_a_heartbeat_comes_while_nothing_changes(
    alone: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher, "HEARTBEAT_SECONDS", 0.05)
    players = alone.players(alone.here)
    table = (await seated(players, BANKER)).table_id
    stream = watch(alone.spectator(), table)
    await take(stream, 1)
    async with asyncio.timeout(5):
        beats = [await anext(stream) for _ in range(3)]
    assert not any(beat.HasField("table") for beat in beats)
    seen = await move(players, table)
    assert [one.version for one in await take(stream, 1)] == [seen.version]
    await stream.aclose()


async def test_a_watcher_who_goes_leaves_nothing_behind(alone: Two) -> None:
    table = (await seated(alone.players(alone.here), BANKER)).table_id
    streams = [watch(alone.spectator(), table) for _ in range(5)]
    for stream in streams:
        await take(stream, 1)
    tables = alone.here.service._watch._tables
    assert len(tables[table].watchers) == 5
    for stream in streams:
        await stream.aclose()
    async with asyncio.timeout(5):
        while tables:  # noqa: ASYNC110 - the server's own tasks end in their own time
            await asyncio.sleep(0.01)


async def test_one_who_stops_reading_holds_up_nobody_and_is_told_to_resume(alone: Two) -> None:
    """Changes that never were are published until he is behind: so it takes no time."""
    table = (await seated(alone.players(alone.here), BANKER)).table_id
    slow, quick = watch(alone.spectator(), table), watch(alone.spectator(), table)
    for stream in (slow, quick):
        (first,) = await take(stream, 1)
    watching = alone.here.service._watch
    watched = watching._tables[table]
    engine = watched.table
    quick_versions = [first.version]
    async with asyncio.timeout(20):
        while not any(one._end for one in watched.watchers):
            for _ in range(16):
                head = replace(engine.head, version=engine.head.version + 1)
                engine = replace(engine, head=head)
                watching.publish(engine)
            quick_versions += [one.version for one in await take(quick, 16)]
    assert quick_versions == list(range(first.version, engine.head.version + 1))
    got = [first.version]
    try:
        async for response in slow:
            got.append(response.version)  # noqa: PERF401 - what came before the end counts
    except Refusal as refused:
        ended = refused
    assert (ended.code, ended.reason) == ("ABORTED", "WATCH_BEHIND")
    assert got == list(range(first.version, got[-1] + 1))
    assert got[-1] < engine.head.version
    assert ended.metadata["after_version"] == str(got[-1])
    await quick.aclose()
