"""Two processes on one database, and no client: tables move on in time, and once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import psycopg
from croupier.v1.table_service_pb2 import SetReadyRequest, TakeSeatRequest

from tests.contract.player import Caller, fresh_id
from tests.watch.serving import serving

TABLES, ROUNDS = 5, 2
PROMISED = 1.0
"""How long after its deadline a table moves on, at most, in seconds."""
LOOK, NOTICEABLE = 0.02, 0.1
# A row, when it was made, and the deadline that its round's betting had: the settlement before.
TIME_OUTS = """
SELECT table_id, round, at - lag(at) OVER (PARTITION BY table_id ORDER BY version) - 1000000
FROM journal WHERE version > 1
"""


@asynccontextmanager
async def hold_ups(conninfo: str) -> AsyncIterator[list[float]]:
    """How often and how long a busy machine kept a look at the database from its answer.

    On one that has nothing else to do there is none.
    """
    seconds: list[float] = []

    async def look_on() -> None:
        async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as looker:
            while True:
                before = asyncio.get_running_loop().time()
                await asyncio.sleep(LOOK)
                await looker.execute("SELECT")
                took = asyncio.get_running_loop().time() - before - LOOK
                if took > NOTICEABLE:
                    seconds.append(took)

    looking = asyncio.create_task(look_on())
    try:
        yield seconds
    finally:
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking


async def open_match(players: list[Caller]) -> None:
    """A match whose players say that they are ready, and then nothing more."""
    table = await players[0].open("ranked-match", rounds=ROUNDS, bet_seconds=1)
    for player in players:
        request_id = fresh_id("seat")
        await player.call(TakeSeatRequest(table_id=table.table_id, request_id=request_id))
    for player in players:
        request_id = fresh_id("ready")
        await player.call(SetReadyRequest(table_id=table.table_id, request_id=request_id))


async def test_none_waits_long_and_nothing_comes_twice(database: str, owner_database: str) -> None:
    async with (
        serving(database) as one,
        serving(database),
        hold_ups(owner_database) as held_up,
    ):
        for number in range(TABLES):
            await open_match([one.caller("grpc", f"{name}-{number}") for name in ("ann", "bob")])
        await asyncio.sleep(ROUNDS + 0.5)
        with psycopg.connect(owner_database, autocommit=True) as looker:
            async with asyncio.timeout(15):
                while looker.execute(  # noqa: ASYNC110 - the database is waited for
                    "SELECT FROM table_head WHERE phase <> 'finished'"
                ).rowcount:
                    await asyncio.sleep(0.1)
            rows = looker.execute(TIME_OUTS).fetchall()
            actors = looker.execute("SELECT actor FROM journal ORDER BY table_id, version")
            assert [actor for (actor,) in actors].count("table") == TABLES * ROUNDS
    late = [waited / 1_000_000 for _, _, waited in rows if waited is not None and waited > 0]
    assert len(late) == TABLES * ROUNDS
    assert max(late) <= PROMISED + sum(held_up)
