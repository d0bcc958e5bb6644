"""Ranked matches while players vanish and serving processes die.

Four client processes, one for each seat number, play over REST against two serving processes on one
database; one of those is killed and started again every few seconds. Every match must end with a
standing that a replay confirms, and nobody may wait longer than a deadline and a second.
"""

import asyncio
import json
import os
import sys
from contextlib import suppress
from typing import Any

import msgspec

from tests.soak.figures import Figures, progress, quantile
from tests.soak.match_player import Orders
from tests.soak.replay import journal, objections, ranking, ranks_follow_stacks, replay
from tests.soak.serving import Soak, load, soaking

SEATS = 4
GRACE = 1.0
"""How long after a deadline the table may take to move on, in seconds."""


class Played:
    """What the client processes have told so far."""

    def __init__(self) -> None:
        self.reports: list[dict[str, Any]] = []
        self.broken: list[str] = []


async def run_client(orders: Orders, played: Played) -> None:
    """One client process, from its orders to its last report."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.soak.match_player",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        limit=1_000_000,
    )
    assert process.stdin
    assert process.stdout
    try:
        process.stdin.write(msgspec.json.encode(orders))
        process.stdin.close()
        async for line in process.stdout:
            played.reports.append(json.loads(line))
        if status := await process.wait():
            played.broken.append(f"the client of seat {orders.seat} ended with {status}")
    finally:
        with suppress(ProcessLookupError):
            process.kill()


async def kill_now_and_then(soak: Soak, seconds: float, kills: list[int]) -> None:
    """Kill a serving process, start it again, and so on in turn."""
    number = 0
    while True:
        await asyncio.sleep(seconds)
        await asyncio.to_thread(soak.kill, number)
        kills.append(number)
        await asyncio.to_thread(soak.start, number)
        number = 1 - number


async def show_progress(played: Played, matches: int, kills: list[int]) -> None:
    while True:
        await asyncio.sleep(5)
        done = len({one["match"] for one in played.reports if one["ranking"]})
        progress(f"matches: {done} of {matches} over, {len(kills)} kills, {load()}")


async def play(soak: Soak, matches: int, at_once: int, rounds: int, kill_every: float) -> Figures:
    """Play the matches, and say what came of them."""
    played, kills = Played(), list[int]()
    orders = Orders(
        seat=1,
        seats=SEATS,
        addresses=[rest for _, rest in soak.addresses],
        secret=soak.keys.token_secret,
        sealing_keys=soak.keys.sealing_keys,
        matches=matches,
        at_once=at_once,
        rounds=rounds,
        seconds=1,
        seed=1,
        vanish_one_in=10,
    )
    beside = [
        asyncio.create_task(kill_now_and_then(soak, kill_every, kills)),
        asyncio.create_task(show_progress(played, matches, kills)),
    ]
    clients = [
        run_client(msgspec.structs.replace(orders, seat=seat), played)
        for seat in range(1, SEATS + 1)
    ]
    started = asyncio.get_running_loop().time()
    await asyncio.gather(*clients)
    await wait_for_the_rest(soak, matches)
    seconds = asyncio.get_running_loop().time() - started
    for task in beside:
        task.cancel()
    await asyncio.gather(*beside, return_exceptions=True)
    progress("matches: all played, now replayed")
    figures = Figures()
    figures.add("matches, rounds each", f"{matches}, {rounds} in {seconds:.0f} s ({load()})")
    figures.add("kills of a serving process", str(len(kills)))
    judge(soak, played, matches, figures)
    return figures


async def wait_for_the_rest(soak: Soak, matches: int) -> None:
    """Matches that everybody vanished from end by their clocks."""
    async with asyncio.timeout(120):
        while soak.unfinished() or len(soak.journal_tables()) < matches:  # noqa: ASYNC110
            await asyncio.sleep(0.5)


def judge(soak: Soak, played: Played, matches: int, figures: Figures) -> None:
    """Replay every journal and hold what the clients saw against it."""
    told: dict[str, list[Any]] = {}
    for report in played.reports:
        if report["ranking"] is not None:
            told.setdefault(report["table"], []).append(report["ranking"])
    wrong, late = list(played.broken), list[float]()
    tables = soak.journal_tables()
    for table in tables:
        rows = journal(soak.owner, table)
        replayed = replay(rows)
        late += replayed.late_seconds
        expected = [list(one) for one in ranking(replayed.end)]
        if not replayed.end.finish or not ranks_follow_stacks(replayed.end):
            wrong.append(f"{table}: {replayed.end.finish} {expected}")
        if any(one != expected for one in told.get(table, [])):
            wrong.append(f"{table}: clients saw {told[table]}, a replay gives {expected}")
        wrong += [f"{table}: {one}" for one in objections(rows)]
    for line in wrong[:10]:
        progress(line)
    waits = [report["worst_wait"] for report in played.reports]
    vanished = sum(report["vanished"] for report in played.reports)
    figures.require(
        "matches with a standing", str(len(tables)), str(matches), len(tables) == matches
    )
    figures.require("standings that differ, objections", str(len(wrong)), "0", not wrong)
    figures.add("players who vanished", f"{vanished} of {len(played.reports)}")
    figures.require(
        "time-outs after their deadline, journal",
        f"{len(late)}, median {quantile(late, 0.5):.2f} s, worst {max(late, default=0):.2f} s",
        f"at most {GRACE} s",
        max(late, default=0) <= GRACE,
        timed=True,
    )
    figures.require(
        "change seen after a deadline, by clients",
        f"median of the worst {quantile(waits, 0.5):.2f} s, worst {max(waits, default=0):.2f} s",
        f"at most {GRACE} s",
        max(waits, default=0) <= GRACE,
        timed=True,
    )
    log = soak.log.read_text()
    faults = log.count("a call failed") + log.count("Traceback")
    figures.require("faults in the services' logs", str(faults), "0", not faults)


def run(matches: int, at_once: int, rounds: int, kill_every: float) -> Figures:
    """The whole test."""
    with soaking(2) as soak:
        return asyncio.run(play(soak, matches, at_once, rounds, kill_every))
