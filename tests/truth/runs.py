"""What is simulated and compared with the known figures of `truth.yaml`."""

from pathlib import Path
from typing import NamedTuple

import yaml

from service.audit.simulate.batches import simulate
from service.audit.simulate.check import Finding, compare
from service.audit.simulate.known import (
    ENDLESS,
    FRESH_SHOE,
    read_cut_card_edge,
    read_known,
    variants,
)
from service.audit.simulate.strategy import read_strategy
from service.rules.options import with_options
from service.rules.presets import PRESETS

HERE = Path(__file__).parent
STRATEGY = HERE / "strategy.yaml"
TRUTH = HERE / "truth.yaml"


class Run(NamedTuple):
    """What is played: with a fresh shoe every round, or each shoe to the cut card."""

    preset: str
    options: dict[str, str]
    policy: str
    cut_card: bool = False

    def __str__(self) -> str:
        options = [f"{name}={value}" for name, value in self.options.items()]
        parts = [self.preset, *options, self.policy, "to the cut card" * self.cut_card]
        return " ".join(filter(None, parts))


def presets() -> list[Run]:
    """The single-player presets, and the ranked match played alone."""
    return [Run(name, {}, "") for name in (*_presets(), "ranked-match")]


def cut_card_runs() -> list[Run]:
    """The single-player presets to the cut card."""
    return [Run(name, {}, "", cut_card=True) for name in _presets()]


def variant_runs() -> list[Run]:
    """The variants whose edge is known."""
    names: dict[str, float] = yaml.safe_load(TRUTH.read_text())["variants_exact"]
    return [Run(*variant) for variant in variants(names).values()]


def findings(run: Run, rounds: int, seed: str, processes: int = 0) -> list[Finding]:
    """Simulate a run, and compare all that is known of it."""
    rules = with_options(
        PRESETS[run.preset], run.options | (ENDLESS if run.cut_card else FRESH_SHOE)
    )
    strategy = read_strategy(STRATEGY, rules, run.policy)
    tally = simulate(rules, strategy, seed, rounds, processes)
    known = (
        read_cut_card_edge(TRUTH, run.preset)
        if run.cut_card
        else read_known(TRUTH, run.preset, run.options, run.policy)
    )
    return list(compare(tally, known, rules.min_bet))


def _presets() -> list[str]:
    return list(yaml.safe_load(TRUTH.read_text())["presets"])
