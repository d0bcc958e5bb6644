"""The long run: random tables until so many rounds have been settled, on all cores.

`python -m tests.properties.run --rounds 100000`. It stops at the first disagreement, exits 1 and
names the table, which `--table N` plays again.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from itertools import count
from multiprocessing import get_context
from random import Random

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

from tests.properties.random_tables import Settled, play_random_table

ROUNDS_A_TABLE = 15
TABLES_A_TASK = 25
PROBING = 0.2


def play_table(number: int) -> Settled:
    """Play the table of that number; the rounds that it settled."""
    try:
        return play_random_table(Random(number), ROUNDS_A_TABLE, PROBING)
    except Exception as error:
        again = f"table {number} (again with: --table {number})"
        raise RuntimeError(again) from error


def play_tables(first: int) -> Settled:
    """Play the tables of one task; the rounds that they settled."""
    tables = [play_table(number) for number in range(first, first + TABLES_A_TASK)]
    return Settled(sum(one.rounds for one in tables), sum(one.rotating for one in tables))


def play_all(first: int, processes: int) -> Iterator[Settled]:
    """The settled rounds of one task after another, without end."""
    tasks = count(first, TABLES_A_TASK)
    if processes == 1:
        yield from map(play_tables, tasks)
        return
    with get_context("spawn").Pool(processes) as pool:
        while True:
            batch = [next(tasks) for _ in range(8 * processes)]
            yield from pool.imap_unordered(play_tables, batch)


def main() -> int:
    """Play, show how far it has come, and say whether all agreed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first table")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--table", type=int, help="play this one table again")
    asked = parser.parse_args()
    if asked.table is not None:
        print(f"{play_table(asked.table).rounds} rounds, no objection")
        return 0
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    settled = rotating = 0
    with Progress(*columns) as progress:
        bar = progress.add_task("rounds refereed", total=asked.rounds)
        for task in play_all(asked.seed, asked.processes):
            settled += task.rounds
            rotating += task.rotating
            progress.update(bar, completed=min(settled, asked.rounds))
            if settled >= asked.rounds:
                break
    print(
        f"{settled} rounds on random rule sets and shoes, {rotating} of them with a rotating"
        " banker: engine and referee agree"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
