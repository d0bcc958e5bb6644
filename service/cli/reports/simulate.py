"""`croupier simulate`: the edge and the distributions of a rule set under a fixed strategy."""

import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from service.audit.simulate.batches import simulate
from service.audit.simulate.check import compare, invariants
from service.audit.simulate.known import FRESH_SHOE, KnownError, read_known
from service.audit.simulate.strategy import StrategyError, read_strategy
from service.cli.reports.simulate_tables import print_figures, print_findings, progress_bar
from service.rules.options import parse_options, with_options
from service.rules.presets import PRESETS
from service.rules.reasons import Reason, Refused
from service.rules.rule_set import RuleSet

HOLDS, DIFFERS, UNUSABLE = 0, 1, 2
"""Exit statuses: all comparisons hold, some do not, the request makes no sense."""


def run_simulation(
    console: Console,
    preset: str,
    *,
    rounds: int,
    strategy: Path,
    seed: str,
    options: Sequence[str] = (),
    policy: str = "",
    fresh_shoe: bool = False,
    check: Path | None = None,
    processes: int = 0,
) -> int:
    """Simulate, print the figures, compare them if `check` names known ones; the exit status.

    Known figures are for a fresh shoe every round, so `check` plays under these conditions.
    """
    try:
        own = parse_options(options)
        conditions = FRESH_SHOE if fresh_shoe or check else {}
        rules = with_options(_preset(preset), own | conditions)
        plays = read_strategy(strategy, rules, policy)
        known = read_known(check, preset, own, policy) if check else None
        started = time.monotonic()
        with progress_bar(console) as bar:
            task = bar.add_task(preset, total=rounds)
            tally = simulate(
                rules, plays, seed, rounds, processes, lambda played: bar.advance(task, played)
            )
    except (Refused, StrategyError, KnownError) as error:
        console.print(f"[red]{error}[/red]")
        return UNUSABLE
    shoe = "a fresh shoe every round" if conditions else f"{rules.decks} decks to the cut card"
    seconds = time.monotonic() - started
    print_figures(
        console,
        f"{preset}: {rounds} rounds, {shoe}, seed {seed}, {tally.events} events,"
        f" {rounds / seconds:.0f} rounds a second",
        tally,
        rules.min_bet,
    )
    findings = list(compare(tally, known, rules.min_bet) if known else invariants(tally))
    print_findings(console, findings)
    return HOLDS if all(finding.holds for finding in findings) else DIFFERS


def _preset(name: str) -> RuleSet:
    if name not in PRESETS:
        known = ", ".join(PRESETS)
        raise Refused(
            Reason.RULE_SET_NOT_FOUND, f"no preset {name!r}: there are {known}", rule_set_id=name
        )
    return PRESETS[name]
