"""What is simulated and compared with the known figures of `truth.yaml`."""

from pathlib import Path
from typing import Any

import yaml

from service.audit.simulate.batches import simulate
from service.audit.simulate.check import Finding, compare
from service.audit.simulate.known import FRESH_SHOE, read_known, variants
from service.audit.simulate.strategy import read_strategy
from service.rules.options import with_options
from service.rules.presets import PRESETS

HERE = Path(__file__).parent
STRATEGY = HERE / "strategy.yaml"
TRUTH = HERE / "truth.yaml"

Run = tuple[str, dict[str, str], str]
"""Preset, options, stress policy."""


def presets() -> list[Run]:
    """The single-player presets, and the ranked match played alone."""
    names: dict[str, Any] = yaml.safe_load(TRUTH.read_text())["presets"]
    return [(name, {}, "") for name in (*names, "ranked-match")]


def variant_runs() -> list[Run]:
    """The variants whose edge is known."""
    names: dict[str, float] = yaml.safe_load(TRUTH.read_text())["variants_exact"]
    return list(variants(names).values())


def title(run: Run) -> str:
    """How a run is named in a report."""
    preset, options, policy = run
    return " ".join([preset, *(f"{name}={value}" for name, value in options.items()), policy])


def findings(run: Run, rounds: int, seed: str, processes: int = 0) -> list[Finding]:
    """Simulate a run with a fresh shoe every round, and compare all that is known of it."""
    preset, options, policy = run
    rules = with_options(PRESETS[preset], options | FRESH_SHOE)
    strategy = read_strategy(STRATEGY, rules, policy)
    tally = simulate(rules, strategy, seed, rounds, processes)
    return list(compare(tally, read_known(TRUTH, preset, options, policy), rules.min_bet))
