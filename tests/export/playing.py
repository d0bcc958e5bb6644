"""Rounds that were played through the real write path, and lie a day back."""

import asyncio
import time

import psycopg

from db.connections import connect
from tests.verify.playing import Playing

DAY = 24 * 3600 * 1_000_000


def play(conninfo: str, owner: str, rounds: int) -> list[str]:
    """Play so many rounds at a table for one and at one for four; the tables."""
    tables = asyncio.run(_play(conninfo, rounds))
    # Play runs ahead of the clock, and what is yet to come is in no file.
    with psycopg.connect(owner, autocommit=True) as database:
        for relation in ("journal", "table_head", "round_summary", "round_void"):
            database.execute(f"UPDATE {relation} SET at = at - %s".encode(), [DAY])
    return tables


async def _play(conninfo: str, rounds: int) -> list[str]:
    async with connect(conninfo, size=2) as connected:
        playing = Playing(connected, time.time_ns() // 1000, seed=5)
        tables = []
        for preset, players in (("six-deck-h17", 1), ("rotating-banker", 4)):
            tables.append(await playing.open(preset, players, {}))
            await playing.play(tables[-1], rounds // 2)
            await playing.void(tables[-1], 3)
            await playing.play(tables[-1], rounds)
        return tables
