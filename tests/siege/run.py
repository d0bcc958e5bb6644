"""`make siege`: what a player notices, and what a process holds, while anybody attacks.

One serving process with its default settings and an embedded PostgreSQL. Before each attack the
player's calls are timed in quiet, then under it. An attacker has no token and sends at most 50 MB a
minute. Takes --seconds (of each attack), --quiet, and names of attacks. Exit status 1 if a call
failed, or the slowest hundredth took more than five times its quiet time, or memory passed 400 MB.
"""

import argparse
import asyncio
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.bench.serving import Served, serve
from tests.siege.attacks import ATTACKS
from tests.siege.victim import Service, Victim, seated

SLOWER = 5.0
"""How many times its quiet value the slowest hundredth may take."""
NOTICED_MS = 10.0
"""What a quiet value counts at least: below it the ratio is that of two noises."""
MOST_MEGABYTES = 400


@dataclass(frozen=True)
class Siege:
    """An attack, and how it went for who was served meanwhile."""

    name: str
    quiet: dict[str, Service]
    attacked: dict[str, Service]
    megabytes: float
    attacker: dict[str, int]

    def faults(self) -> list[str]:
        """What a player must not notice."""
        faults = []
        for door, service in self.attacked.items():
            allowed = SLOWER * max(self.quiet[door].at(0.99), NOTICED_MS / SLOWER)
            if service.failures:
                faults.append(f"{len(service.failures)} calls over {door} failed")
            elif service.at(0.99) > allowed:
                faults.append(f"{door}: {service.at(0.99):.0f} ms, more than {allowed:.0f}")
        if self.megabytes > MOST_MEGABYTES:
            faults.append(f"{self.megabytes:.0f} MB")
        return faults


async def besiege(served: Served, victim: Victim, name: str, seconds: float, quiet: float) -> Siege:
    """Time the player's calls in quiet, then under an attack."""
    attack = ATTACKS[name]
    address = served.rest if attack.door == "rest" else served.grpc
    before = await victim.play(quiet)
    attacker = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.siege.attacker", name, address, str(seconds)),
        stdout=asyncio.subprocess.PIPE,
    )
    most = asyncio.create_task(_most_megabytes(served.process))
    attacked = await victim.play(seconds)
    told, _ = await attacker.communicate()
    most.cancel()
    [megabytes] = await asyncio.gather(most)
    return Siege(name, before, attacked, megabytes, json.loads(told))


async def _most_megabytes(process: int) -> float:
    """The most memory that the process and its children hold at any time, until cancelled."""
    most = 0.0
    try:
        while True:
            most = max(most, *(_resident(one) for one in _family(process)))
            await asyncio.sleep(0.1)
    except asyncio.CancelledError:
        return most


def _family(process: int) -> list[int]:
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *map(int, children)]


def _resident(process: int) -> float:
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except FileNotFoundError:
        return 0.0
    return pages * 4096 / 1e6


def _row(siege: Siege) -> tuple[str, ...]:
    figures = [
        f"{siege.quiet[door].at(share):.1f} → {siege.attacked[door].at(share):.1f}"
        for door in ("grpc", "rest")
        for share in (0.5, 0.99)
    ]
    sent = f"{siege.attacker['sent'] / 1e6:.1f}"
    return (
        siege.name,
        *figures,
        f"{siege.megabytes:.0f}",
        sent,
        f"{siege.attacker['connections']:,}",
        "; ".join(siege.faults()) or "holds",
    )


async def _besiege_all(names: list[str], seconds: float, quiet: float, console: Console) -> bool:
    table = Table(title="Milliseconds in quiet → under attack; MB", title_justify="left")
    for column in ("attack", "gRPC p50", "gRPC p99", "REST p50", "REST p99"):
        table.add_column(column)
    for column in ("most MB", "sent MB", "connections", ""):
        table.add_column(column)
    held = True
    for name in names:
        # A service of its own each, so that what one attack leaves behind is not the next one's.
        with serve() as served:
            async with seated(served) as victim:
                await victim.play(1.0)
                siege = await besiege(served, victim, name, seconds, quiet)
        held = held and not siege.faults()
        console.print(" | ".join(_row(siege)))
        table.add_row(*_row(siege))
    console.print(table)
    return held


def main() -> int:
    """Attack, and print what was noticed."""
    parser = argparse.ArgumentParser(prog="make siege")
    parser.add_argument("names", nargs="*", metavar="attack", help=f"of: {', '.join(ATTACKS)}")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--quiet", type=float, default=5.0)
    asked = parser.parse_args()
    names = asked.names or list(ATTACKS)
    held = asyncio.run(_besiege_all(names, asked.seconds, asked.quiet, Console(width=170)))
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
