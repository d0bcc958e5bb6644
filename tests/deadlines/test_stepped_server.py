"""A real PostgreSQL whose clock is set while it runs, and a service that stops for some seconds."""

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest
from croupier.v1.history_service_pb2 import GetRoundRequest
from croupier.v1.story_pb2 import StepKind
from croupier.v1.table_pb2 import AnnouncementKind, Table
from croupier.v1.table_service_pb2 import SetReadyRequest, TakeSeatRequest

from db.audit_reader import PostgresAuditReader
from db.catalog import DATABASE_TIME
from db.connections import connect
from db.embedded import server
from db.embedded.server import EmbeddedPostgres
from db.embedded.server_programs import programs_for_server
from db.migrate import migrate
from service.audit.verify.verifier import Verifier
from tests.contract.player import Caller, fresh_id
from tests.watch.serving import Serving, serving

FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")
GIVEN_BACK = AnnouncementKind.ANNOUNCEMENT_KIND_TIME_GIVEN_BACK
LIMIT = 30
AN_HOUR = 3600
PATIENCE = 10.0
AWAY = 3.5


class SetServer(NamedTuple):
    """A server whose clock is `offset` from the machine's: a file that it reads at each look."""

    conninfo: str
    offset: Path

    def set(self, seconds: int) -> None:
        """Set its clock."""
        changed = self.offset.with_suffix(".new")
        changed.write_text(f"{seconds:+d}")
        changed.chmod(0o644)
        changed.rename(self.offset)

    def clock(self) -> float:
        """What its clock shows, in seconds."""
        with psycopg.connect(self.conninfo) as connection:
            ((now,),) = connection.execute(DATABASE_TIME).fetchall()
        return int(now) / 1_000_000


WRAPPER = """#!/bin/sh
export LD_PRELOAD={library} FAKETIME_TIMESTAMP_FILE={offset} FAKETIME_NO_CACHE=1
export FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_DISABLE_SHM=1
exec {program} "$@"
"""


@contextmanager
def running_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[SetServer]:
    """An embedded server of its own, whose server program alone has the library before it."""
    with tempfile.TemporaryDirectory(prefix="croupier-faketime-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        offset = folder / "offset"
        SetServer("", offset).set(0)

        def wrapped(data: Path) -> Path:
            programs = programs_for_server(data)
            wrappers = folder / "programs"
            wrappers.mkdir()
            (wrappers / "initdb").write_text(f'#!/bin/sh\nexec {programs / "initdb"} "$@"\n')
            (wrappers / "postgres").write_text(
                WRAPPER.format(library=FAKETIME, offset=offset, program=programs / "postgres")
            )
            for wrapper in wrappers.iterdir():
                wrapper.chmod(0o755)
            return wrappers

        monkeypatch.setattr(server, "programs_for_server", wrapped)
        with EmbeddedPostgres(folder / "data", settings={"fsync": "off"}) as running:
            migrate(running.conninfo())
            yield SetServer(running.conninfo(), offset)


async def open_match(service: Serving) -> tuple[Caller, str]:
    """A match of two, whose first bets have `LIMIT` seconds."""
    ann, bob = service.caller("grpc", "ann"), service.caller("rest", "bob")
    table = await ann.open("ranked-match", rounds=5, bet_seconds=LIMIT)
    for player in (ann, bob):
        await player.call(TakeSeatRequest(table_id=table.table_id, request_id=fresh_id("seat")))
    for player in (ann, bob):
        await player.call(SetReadyRequest(table_id=table.table_id, request_id=fresh_id("ready")))
    return ann, table.table_id


async def until_given_back(player: Caller, table_id: str, after: int) -> Table:
    """The table, once it has given time back in a later row than that."""
    async with asyncio.timeout(PATIENCE):
        while True:
            table = await player.see(table_id)
            if table.version > after:
                assert [news.kind for news in table.announcements] == [GIVEN_BACK]
                return table
            await asyncio.sleep(0.05)


async def until_shown_within_the_limit(player: Caller, table_id: str, stepped: SetServer) -> Table:
    """The table, once its deadline is shown by the clock that was set back."""
    async with asyncio.timeout(PATIENCE):
        while True:
            table = await player.see(table_id)
            if left(table, stepped) <= LIMIT + 2:
                return table
            await asyncio.sleep(0.05)


def left(table: Table, stepped: SetServer) -> float:
    """How many seconds the open decisions have, as a client sees it whose clock is the server's."""
    return table.deadline.ToNanoseconds() / 1e9 - stepped.clock()


@pytest.mark.skipif(not FAKETIME.exists(), reason=f"no {FAKETIME}: install Debian's faketime")
async def test_deadlines_survive_a_clock_that_is_set_and_an_outage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with running_server(monkeypatch) as stepped:
        async with serving(stepped.conninfo) as service:
            ann, table_id = await open_match(service)
            before = await ann.see(table_id)
            assert LIMIT - 5 < left(before, stepped) <= LIMIT
            stepped.set(AN_HOUR)
            forward = await until_given_back(ann, table_id, before.version)
            assert forward.version == before.version + 1
            assert LIMIT - 10 < left(forward, stepped) <= LIMIT + 1
            stepped.set(0)
            back = await until_shown_within_the_limit(ann, table_id, stepped)
            assert back.version == forward.version  # the time line goes on: nothing to write
            assert left(back, stepped) > LIMIT - 20
        await asyncio.sleep(AWAY)
        async with serving(stepped.conninfo) as service:
            ann = service.caller("grpc", "ann")
            # After an hour ahead the time line stood still while nobody served.
            again = await ann.see(table_id)
            assert again.version == back.version
            assert left(again, stepped) > LIMIT - 20
        async with connect(stepped.conninfo, size=1) as database:
            verdict = await Verifier(PostgresAuditReader(database)).verify_table(table_id)
        assert verdict
        assert verdict.fault is None


async def test_an_outage_of_some_seconds_is_given_back(database: str) -> None:
    stepped = SetServer(database, Path())
    async with serving(database) as service:
        ann, table_id = await open_match(service)
        before = await ann.see(table_id)
    await asyncio.sleep(AWAY)
    async with serving(database) as service:
        ann = service.caller("rest", "ann")
        after = await until_given_back(ann, table_id, before.version)
        moved = (after.deadline.ToNanoseconds() - before.deadline.ToNanoseconds()) / 1e9
        assert AWAY - 0.5 < moved < AWAY + 5
        assert left(after, stepped) <= LIMIT
        told = await ann.call(GetRoundRequest(table_id=table_id, round=1))
        kinds = [step.kind for step in told.story.steps]
        assert kinds.count(StepKind.STEP_KIND_TIME_GIVEN_BACK) == 1
    async with connect(database, size=1) as connections:
        verdict = await Verifier(PostgresAuditReader(connections)).verify_table(table_id)
    assert verdict
    assert verdict.fault is None
