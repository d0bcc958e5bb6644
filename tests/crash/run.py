"""`make crash`: kill the service at each named point, then let two processes contend for decisions.

Takes --kills (of each point) and --contests. Exit status 1 if anything is lost or doubled.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from tests.crash.contests import contend
from tests.crash.crash_run import CrashRun, Kill, Point
from tests.crash.grpc_player import channels_to
from tests.crash.report import kills_table
from tests.crash.shared_database import SharedDatabase
from tests.database import Databases, run_server


def kill(times: int, seed: str, console: Console) -> dict[Point, list[Kill]]:
    """Kill the service so many times at each point."""
    kills: dict[Point, list[Kill]] = {}
    with Progress(console=console) as progress:
        for point in Point:
            task = progress.add_task(point, total=times)
            kills[point] = []
            with CrashRun(point, seed) as run:
                for _ in range(times):
                    kills[point].append(run.kill())
                    progress.advance(task)
                shoes = run.finish()
            progress.console.print(f"{point}: every card is that of its shoe ({shoes} shoes)")
    return kills


def contests(times: int, seed: str) -> dict[str, int]:
    """Let two processes contend for so many decisions."""

    async def run(shared: SharedDatabase) -> dict[str, int]:
        with shared.two() as servers:
            async with channels_to(servers) as channels:
                return await contend(channels, times, seed)

    with run_server() as server, tempfile.TemporaryDirectory() as folder:
        databases = Databases(server, "crash")
        name = databases.create()
        shared = SharedDatabase(
            databases.runtime_conninfo(name), databases.conninfo(name), Path(folder)
        )
        try:
            return asyncio.run(run(shared))
        finally:
            databases.drop(name)
            databases.drop(databases.template)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=25)
    parser.add_argument("--contests", type=int, default=200)
    parser.add_argument("--seed", default="crash")
    asked = parser.parse_args()
    console = Console()
    console.print(kills_table(kill(asked.kills, asked.seed, console)))
    found = contests(asked.contests, asked.seed)
    console.print(f"{asked.contests} decisions answered at two processes at once:")
    for what, times in sorted(found.items()):
        console.print(f"  {what}: {times}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
