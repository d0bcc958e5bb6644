"""`make mutants`: puts each fault into a copy of the project and sees that it is caught.

The hand histories are tried first, then the referee, then what costs more, each only if all before
it missed the fault. A copy without a fault goes through all of them, and nothing may be found in
it. Exit status 1 if a fault survives, if one can't be put in, or if something is found in none.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from tests.mutants.faults import Fault, read_faults
from tests.mutants.stages import STAGES
from tests.mutants.trial import NO_FAULT, Trial, try_fault

WIDTH = 150
LONGEST = 80
"""Characters: of a line where no terminal says how wide it is, and of a finding."""


def main() -> int:
    """Try the faults on all cores, print the table, and give the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="faults whose name holds this text")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    console = Console(width=max(Console().width, WIDTH))
    started = time.monotonic()

    def attempt(fault: Fault) -> Trial:
        return try_fault(fault, list(STAGES))

    faults = [NO_FAULT, *(fault for fault in read_faults() if asked.only in fault.fault)]
    with ThreadPoolExecutor(asked.processes) as pool:
        tried = track(pool.map(attempt, faults), "faults", len(faults), console=console)
        trials = list(tried)
    console.print(_table(trials))
    wrong = [trial for trial in trials if trial.verdict]
    for trial in wrong:
        console.print(f"{trial.fault.fault}: {trial.verdict}", style="red", markup=False)
    minutes = (time.monotonic() - started) / 60
    console.print(f"{len(faults) - 1} faults, {len(wrong)} wrong, in {minutes:.1f} minutes")
    return 1 if wrong else 0


def _table(trials: Sequence[Trial]) -> Table:
    table = Table("fault", "missed by", "caught by", "what was found", "seconds")
    for trial in trials:
        missed = [stage for stage, found in trial.found.items() if not found]
        caught = [(stage, found) for stage, found in trial.found.items() if found]
        stage, found = caught[0] if caught else ("", [])
        cells = (trial.fault.fault, ", ".join(missed), stage, _short(found), f"{trial.seconds:.0f}")
        table.add_row(*map(Text, cells))
    return table


def _short(found: Sequence[str]) -> str:
    """The first finding, and how many more there are."""
    more = f" and {len(found) - 1} more" if found[1:] else ""
    return "".join(found[:1])[:LONGEST] + more


if __name__ == "__main__":
    sys.exit(main())
