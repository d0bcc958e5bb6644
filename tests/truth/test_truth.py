"""A smaller share of `make truth`, on fixed seeds: the same rounds every time."""

import pytest

from service.audit.simulate.batches import simulate
from service.audit.simulate.check import compare
from service.audit.simulate.known import FRESH_SHOE, read_known
from service.audit.simulate.strategy import read_strategy
from service.rules.options import with_options
from service.rules.presets import PRESETS
from tests.truth.runs import STRATEGY, TRUTH, Run, cut_card_runs, findings, presets, variant_runs

PRESETS_ALONE = [run for run in presets() if run.preset != "ranked-match"]
EDGES = [Run("ranked-match", {}, ""), *variant_runs(), *cut_card_runs()]


@pytest.mark.parametrize("run", PRESETS_ALONE, ids=str)
def test_a_preset_has_the_known_figures(run: Run) -> None:
    wrong = [one for one in findings(run, 20_000, "small", processes=1) if not one.holds]
    assert wrong == []


@pytest.mark.parametrize("run", EDGES, ids=str)
def test_a_variant_and_a_shoe_to_the_cut_card_have_the_known_edge(run: Run) -> None:
    wrong = [one for one in findings(run, 4_000, "small", processes=1) if not one.holds]
    assert wrong == []


def test_other_rules_are_seen() -> None:
    """A dealer who stands on soft 17 does not pass for one who hits it."""
    known = read_known(TRUTH, "six-deck-h17", {}, "")
    rules = with_options(PRESETS["six-deck-h17"], {"soft_17": "stand", **FRESH_SHOE})
    tally = simulate(rules, read_strategy(STRATEGY, rules), "small", 6_000, processes=1)
    wrong = {one.what for one in compare(tally, known, rules.min_bet) if not one.holds}
    assert "dealer's totals under A" in wrong
