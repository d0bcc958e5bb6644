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


def main() -> int:
    """Try the faults on all cores, print the table, and give the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="faults whose name holds this text")
    parser.add_argument("--every-stage", action="store_true", help="go on after the first catch")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    console = Console()
    started = time.monotonic()

    def attempt(fault: Fault) -> Trial:
        return try_fault(fault, list(STAGES), every_stage=asked.every_stage)

    faults = [NO_FAULT, *(fault for fault in read_faults() if asked.only in fault.fault)]
    with ThreadPoolExecutor(asked.processes) as pool:
        tried = track(pool.map(attempt, faults), "faults", len(faults), console=console)
        trials = list(tried)
    console.print(_table(trials), soft_wrap=False)
    wrong = [trial for trial in trials if trial.verdict]
    for trial in wrong:
        console.print(f"{trial.fault.fault}: {trial.verdict}", style="red", markup=False)
    minutes = (time.monotonic() - started) / 60
    console.print(f"{len(faults) - 1} faults, {len(wrong)} wrong, in {minutes:.1f} minutes")
    return 1 if wrong else 0


def _table(trials: Sequence[Trial]) -> Table:
    table = Table("fault", *STAGES, "seconds", title="what caught what", title_justify="left")
    for trial in trials:
        cells = [_cell(trial.found.get(stage)) for stage in STAGES]
        table.add_row(Text(trial.fault.fault), *cells, f"{trial.seconds:.0f}")
    return table


def _cell(found: list[str] | None) -> Text:
    """The first finding of a stage and how many there are more; empty where it was not tried."""
    if found is None:
        return Text()
    if not found:
        return Text("-")
    more = f" and {len(found) - 1} more" if found[1:] else ""
    return Text(found[0][:60] + more)


if __name__ == "__main__":
    sys.exit(main())
