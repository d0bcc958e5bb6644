import asyncio
import time
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from db.connections import connect
from tests.database import Databases
from tests.verify.playing import Playing

TABLES: dict[str, tuple[str, int, int, dict[str, str]]] = {
    "six-deck": ("six-deck-h17", 1, 40, {"penetration": "0.25"}),
    "twenty": ("twenty-rounds", 1, 20, {}),
    "rotating": ("rotating-banker", 4, 30, {"decks": "4", "penetration": "0.25"}),
    "ranked": ("ranked-match", 3, 10, {}),
    "vegas": ("four-deck-vegas", 1, 30, {"penetration": "0.25"}),
    "fresh": ("six-deck-h17", 1, 15, {"penetration": "0", "peek": "none"}),
}


class Played(NamedTuple):
    """A database that was played on, and its tables by the names above."""

    database: str
    tables: dict[str, str]


@pytest.fixture(scope="session")
def played(databases: Databases) -> Iterator[Played]:
    """Rounds of all presets, with time-outs, leavers and voids; nobody is connected any more."""
    database = databases.create()
    tables = asyncio.run(_play(databases.runtime_conninfo(database)))
    yield Played(database, tables)
    databases.drop(database)


async def _play(database: str) -> dict[str, str]:
    async with connect(database, size=2) as connected:
        playing = Playing(connected, time.time_ns() // 1000, seed=12)
        tables = {}
        for name, (preset, players, rounds, options) in TABLES.items():
            table_id = tables[name] = await playing.open(preset, players, options)
            await playing.play(table_id, rounds // 2)
            await playing.void(table_id, 2)
            await playing.play(table_id, rounds)
            await playing.start_round(table_id)
        await playing.void(tables["rotating"], playing.engine(tables["rotating"]).state.round)
        return tables


@pytest.fixture
def copy(databases: Databases, played: Played) -> Iterator[Played]:
    """A copy of that database, to be tampered with."""
    database = databases.create(played.database)
    yield Played(database, played.tables)
    databases.drop(database)
