"""`make bench`: actions a second over both doors, beside what PostgreSQL alone appends.

One serving process with its default settings, an embedded PostgreSQL (fsync on), load and database
on one machine. What is compared takes turns, round after round, and the ratios are taken within a
round; so a machine that is busy with something else for a while does not decide the comparison.
Takes --rounds and --seconds (of each measurement).
"""

import argparse
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tests.bench import h2load
from tests.bench.load import GRPC, REST, actions_a_second, answers_a_second, reads_a_second
from tests.bench.pgbench import Pgbench
from tests.bench.player import Player
from tests.bench.serving import Served, serve

CLIENTS = (1, 32)
TARGET = 0.25
"""What gRPC with 32 clients should reach of pgbench."""

Measurement = Callable[[], float]
Key = TypeVar("Key", bound=tuple[str, object])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=4.0)
    arguments = parser.parse_args()
    console = Console()
    with serve() as served, Progress(console=console) as progress:
        played = _take_turns(_plays(served, arguments.seconds), arguments.rounds, progress)
        reads = _reads(served, arguments.seconds) if h2load.is_installed() else {}
        read = _take_turns(reads, min(arguments.rounds, 3), progress)
    for clients in CLIENTS:
        group = {name: rates for (name, number), rates in played.items() if number == clients}
        console.print(_table(f"Accepted actions a second, {clients} at once", "pgbench", group))
    ratio = _ratio(played["gRPC", CLIENTS[-1]], played["pgbench", CLIENTS[-1]])
    console.print(f"gRPC with {CLIENTS[-1]} clients: {ratio:.2f} of pgbench (wanted: {TARGET})\n")
    for door in (GRPC, REST):
        group = {name: rates for (name, at), rates in read.items() if at == door.name}
        if group:
            title = f"Reads a second over {door.name}, {CLIENTS[-1]} at once"
            console.print(_table(title, "h2load", group))
    if not read:
        console.print(f"{h2load.INSTALL}: our load client is not compared with it.")


def _plays(served: Served, seconds: float) -> dict[tuple[str, int], Measurement]:
    """pgbench and both doors, at each number of clients."""
    # Prepared statements and kept tables are there before anything counts, and rows to learn from.
    for door in (GRPC, REST):
        actions_a_second(served, door, CLIENTS[-1], seconds)
    pgbench = Pgbench(served)
    plays: dict[tuple[str, int], Measurement] = {}
    for clients in CLIENTS:
        plays["pgbench", clients] = partial(pgbench.transactions_a_second, clients, seconds)
        for door in (GRPC, REST):
            plays[door.name, clients] = partial(actions_a_second, served, door, clients, seconds)
    return plays


def _reads(served: Served, seconds: float) -> dict[tuple[str, str], Measurement]:
    """h2load and our own client, at each door, on one table."""
    player, token = Player(GRPC.wire()), served.guest_token()
    answers_a_second(served, GRPC, [player], [token], 0.1)
    asked = (player.table_id, token, CLIENTS[-1], seconds)
    reads: dict[tuple[str, str], Measurement] = {}
    for door in (GRPC, REST):
        reads["h2load", door.name] = partial(h2load.reads_a_second, served, door, *asked)
        reads["our client", door.name] = partial(reads_a_second, served, door, *asked)
    return reads


def _take_turns(
    measurements: dict[Key, Measurement], rounds: int, progress: Progress
) -> dict[Key, list[float]]:
    """Measure everything once a round, so many rounds."""
    rates: dict[Key, list[float]] = {key: [] for key in measurements}
    task = progress.add_task("measuring", total=rounds * len(measurements))
    for _ in range(rounds):
        for key, measure in measurements.items():
            progress.update(task, description=" ".join(map(str, key)))
            rates[key].append(measure())
            progress.advance(task)
    return rates


def _ratio(rates: list[float], base: list[float]) -> float:
    """The median of the ratios, each within one round."""
    return median(one / other for one, other in zip(rates, base, strict=True))


def _table(title: str, base: str, group: dict[str, list[float]]) -> Table:
    table = Table("", "median", "least", "most", f"of {base}", title=title, title_justify="left")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, rates in group.items():
        figures = (median(rates), min(rates), max(rates))
        ratio = _ratio(rates, group[base])
        table.add_row(name, *(f"{figure:,.0f}" for figure in figures), f"{ratio:.2f}")
    return table


if __name__ == "__main__":
    main()
