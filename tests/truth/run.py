"""`make truth`: two million rounds a preset against all that is known of it; and half a million of
each variant, and of each preset to the cut card, against its known edge.

Takes --rounds (of a preset; the others play a quarter) and --seed. Exit status 1 if anything
differs.
"""

import argparse
import sys
import time

from rich.console import Console
from rich.progress import track

from service.cli.reports.simulate_tables import print_findings
from tests.truth.runs import cut_card_runs, findings, presets, variant_runs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2_000_000)
    parser.add_argument("--seed", default="truth")
    asked = parser.parse_args()
    console = Console()
    runs = [(run, asked.rounds) for run in presets()]
    runs += [(run, max(asked.rounds // 4, 1)) for run in (*variant_runs(), *cut_card_runs())]
    failed = 0
    for run, rounds in track(runs, "presets and variants", console=console):
        started = time.monotonic()
        found = findings(run, rounds, asked.seed)
        speed = rounds / (time.monotonic() - started)
        console.print(f"{run}: {rounds} rounds, {speed:.0f} a second")
        print_findings(console, found)
        failed += any(not finding.holds for finding in found)
    console.print(f"{len(runs) - failed} of {len(runs)} agree with the known figures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
