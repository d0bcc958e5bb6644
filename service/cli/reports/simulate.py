"""`croupier simulate`: the edge and the distributions of a rule set under a fixed strategy."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from service.audit.simulate.batches import simulate
from service.audit.simulate.check import compare, invariants
from service.audit.simulate.known import FRESH_SHOE, read_known
from service.audit.simulate.strategy import read_strategy
from service.cli.reports.simulate_tables import print_figures, print_findings, progress_bar
from service.errors import InputWrong
from service.rules.options import parse_options, with_options
from service.rules.presets import PRESETS
from service.rules.reasons import Refused
from service.rules.rule_set import RuleSet

HOLDS, DIFFERS = 0, 1
"""Exit statuses: all comparisons hold, some do not."""


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

    Known figures are for a fresh shoe every round, so `check` plays under these conditions. Raises
    InputWrong for a preset, or options, that one player can't play.
    """
    own = _options(options)
    conditions = FRESH_SHOE if fresh_shoe or check else {}
    rules = _rules(preset, own | conditions)
    plays = read_strategy(strategy, rules, policy)
    known = read_known(check, preset, own, policy) if check else None
    started = time.monotonic()
    with progress_bar(console) as bar:
        task = bar.add_task(preset, total=rounds)
        tally = simulate(
            rules, plays, seed, rounds, processes, lambda played: bar.advance(task, played)
        )
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


def _options(texts: Sequence[str]) -> dict[str, str]:
    try:
        return parse_options(texts)
    except Refused as refused:
        raise InputWrong(refused.message) from refused


def _rules(preset: str, options: Mapping[str, str]) -> RuleSet:
    if preset not in PRESETS:
        raise InputWrong(f"no preset {preset!r}: there are {', '.join(PRESETS)}")
    try:
        rules = with_options(PRESETS[preset], options)
    except Refused as refused:
        raise InputWrong(refused.message) from refused
    if rules.min_seats > 1:
        raise InputWrong(
            f"{preset}: a table of at least {rules.min_seats} players, and a simulation has one"
        )
    return rules
