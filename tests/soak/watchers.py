"""Thousands of watchers in one process: every change once and in order, soon, at little cost.

The changes come from the process that is watched, from another one, and after a kill of either.
"""

import asyncio
import os
import sys
from itertools import pairwise
from pathlib import Path

import msgspec
import psycopg

from tests.soak.figures import Figures, progress, quantile
from tests.soak.serving import Soak, load, resident_kilobytes, soaking
from tests.soak.stalled import stall
from tests.soak.watch_client import Orders, Report
from tests.soak.watched_games import Games, channel_to

CLIENTS = 4
KILOBYTES = 256
POLLS = """
SELECT coalesce(sum(calls), 0) FROM pg_stat_statements WHERE query LIKE '%seen (id, known)%'
"""
NOW = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"


class Clients:
    """The client processes, which hold the watchers."""

    def __init__(self, soak: Soak, tables: list[str], watchers: int) -> None:
        self._soak = soak
        self._processes: list[asyncio.subprocess.Process] = []
        places = [tables[number % len(tables)] for number in range(watchers)]
        self.orders = [
            Orders(
                name=str(client),
                door="grpc" if client % 2 else "rest",
                addresses=[each[0 if client % 2 else 1] for each in soak.addresses],
                secret=soak.keys.token_secret,
                sealing_keys=soak.keys.sealing_keys,
                tables=places[client::CLIENTS],
                report=str(soak.folder / f"watchers-{client}.json"),
            )
            for client in range(CLIENTS)
        ]

    async def begin(self) -> None:
        """Start them, and wait until every watcher has got the table as it stands."""
        for orders in self.orders:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "tests.soak.watch_client",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=dict(os.environ),
            )
            assert process.stdin
            process.stdin.write(msgspec.json.encode(orders) + b"\n")
            self._processes.append(process)
        for process in self._processes:
            assert process.stdout
            if not await process.stdout.readline():
                raise AssertionError("a client process did not begin")

    async def end(self) -> list[Report]:
        """What their watchers got."""
        for process in self._processes:
            await process.communicate(b"end\n")
        return [read_report(one) for one in self.orders]

    def kill(self) -> None:
        """End them, whatever has become of the test."""
        for process in self._processes:
            if process.returncode is None:
                process.kill()


def read_report(orders: Orders) -> Report:
    return msgspec.json.decode(Path(orders.report).read_bytes(), type=Report)


def ask(soak: Soak, query: str) -> int:
    with psycopg.connect(soak.owner) as connection:
        (answer,) = connection.execute(query.encode()).fetchone() or (0,)
        return int(answer)


async def play(soak: Soak, tables: int, watchers: int, seconds: float) -> Figures:
    """The whole course, and what was measured on the way."""
    figures, games = Figures(), Games(soak, "watched", tables)
    here, there = (channel_to(grpc) for grpc, _ in soak.addresses)
    await games.open(here)
    await games.play(here, 3)  # so that what every process needs once is there
    watched = soak.processes[0]
    assert watched
    before = resident_kilobytes(watched)
    clients = Clients(soak, games.ids, watchers)
    try:
        await clients.begin()
        progress(f"watchers: {watchers} have begun, {load()}")
        polls, began = ask(soak, POLLS), asyncio.get_running_loop().time()
        marks = [ask(soak, NOW)]
        await games.play(here, seconds)
        marks.append(ask(soak, NOW))
        polls_a_second = (ask(soak, POLLS) - polls) / (asyncio.get_running_loop().time() - began)
        grown = resident_kilobytes(watched) - before
        busy = load()
        progress(f"watchers: {seconds:.0f} s of changes here, now those of another process, {busy}")
        await games.play(there, seconds / 2)
        marks.append(ask(soak, NOW))
        progress("watchers: the other process is killed, and comes back")
        await asyncio.to_thread(soak.kill, 1)
        await asyncio.to_thread(soak.start, 1)
        await games.play(there, seconds / 4)
        progress("watchers: the watched process is killed, and comes back")
        await asyncio.to_thread(soak.kill, 0)
        await games.play(there, seconds / 4)
        await asyncio.to_thread(soak.start, 0)
        await games.play(here, seconds / 4)
        await asyncio.sleep(3)
        reports = await clients.end()
    finally:
        clients.kill()
    await asyncio.gather(here.close(), there.close())
    figures.add("watchers, tables, seconds", f"{watchers}, {tables}, {seconds:.0f} ({busy})")
    judge(soak, clients.orders, reports, marks, figures)
    figures.require(
        "growth of the process",
        f"{grown / watchers:.0f} kB a watcher",
        f"at most {KILOBYTES} kB",
        grown / watchers <= KILOBYTES,
        timed=True,
    )
    figures.require(
        "polling queries",
        f"{polls_a_second:.1f} a second",
        "at most 10",
        polls_a_second <= 10,
    )
    return figures


def judge(
    soak: Soak, orders: list[Orders], reports: list[Report], marks: list[int], figures: Figures
) -> None:
    """Whether each watcher got every version once and in order, and how soon after its row."""
    with psycopg.connect(soak.owner) as connection:
        rows = connection.execute("SELECT table_id, version, at FROM journal").fetchall()
    made = {(table, version): at for table, version, at in rows}
    last = {table: version for table, version, _ in sorted(rows)}
    wrong, got = 0, 0
    latencies: dict[str, list[float]] = {"here": [], "there": []}
    for order, report in zip(orders, reports, strict=True):
        for table, versions, times in zip(order.tables, report.versions, report.times, strict=True):
            got += len(versions)
            in_order = all(after == before + 1 for before, after in pairwise(versions))
            wrong += not (in_order and versions[-1] == last[table])
            for version, received in zip(versions[1:], times[1:], strict=True):
                at = made[table, version]
                if marks[0] < at < marks[2]:
                    where = "here" if at < marks[1] else "there"
                    latencies[where].append(received - at / 1_000_000)
    figures.require("watchers with a gap or a change twice", str(wrong), "0", not wrong)
    figures.add("changes received", str(got))
    figures.add("streams taken up again", str(sum(report.resumed for report in reports)))
    for where, name in (("here", "of this process"), ("there", "of another process")):
        figures.require(
            f"decided until received, {name}",
            ", ".join(
                f"{part:.0%} {1000 * quantile(latencies[where], part):.0f} ms"
                for part in (0.5, 0.95, 0.99)
            ),
            "median at most 100 ms",
            quantile(latencies[where], 0.5) <= 0.1,
            timed=True,
        )


def run(tables: int, watchers: int, seconds: float, stalled: int) -> Figures:
    """The whole test."""
    with soaking(2) as soak:
        figures = asyncio.run(play(soak, tables, watchers, seconds))
        if stalled:
            asyncio.run(stall(soak, stalled, figures))
        return figures
