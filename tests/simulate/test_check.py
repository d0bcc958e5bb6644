from pathlib import Path

import pytest
from typer.testing import CliRunner

from service.audit.simulate.check import compare
from service.audit.simulate.known import Known, KnownError, read_cut_card_edge, read_known
from service.audit.simulate.tally import Outcome, Tally
from service.cli.app import app
from tests.truth.runs import STRATEGY, TRUTH

STAKE = 100


def tally_of(nets: dict[int, int]) -> Tally:
    tally = Tally()
    for net, times in nets.items():
        outcome = Outcome(net, STAKE, 1, 0, net > 100, False, False, False, net < 0, "7", "17")
        tally.outcomes[outcome] += times
        tally.rounds += times
    return tally


def failing(tally: Tally, known: Known) -> list[str]:
    return [finding.what for finding in compare(tally, known, STAKE) if not finding.holds]


def test_figures_within_four_errors_hold_and_others_do_not() -> None:
    tally = tally_of({-100: 5_000, 100: 5_000})  # the standard error of the edge is 0.01
    for expected, fails in ((0.0, []), (0.039, []), (-0.039, []), (0.041, ["edge"])):
        assert failing(tally, Known(edge_exact=expected)) == fails


def test_frequencies_are_compared() -> None:
    tally = tally_of({-100: 9_500, 150: 500})
    edge = (-100 * 9_500 + 150 * 500) / 10_000 / STAKE
    assert failing(tally, Known(edge, frequencies={"player_natural": 0.0475})) == []
    assert failing(tally, Known(edge, frequencies={"player_natural": 0.06})) == ["player_natural"]
    assert failing(tally, Known(edge, frequencies={"surrendered": 0.0})) == []
    assert failing(tally, Known(edge, frequencies={"surrendered": 0.05})) == ["surrendered"]
    assert failing(tally, Known(edge, rounds_ending_with_hands={2: 0.02})) == [
        "rounds ending with 2 hands"
    ]
    assert failing(tally, Known(edge, total_staked_per_round=1.1)) == ["total staked per round"]


def test_histograms_are_compared_with_merged_tails() -> None:
    tally = tally_of({-700: 10, -400: 90, 100: 900})
    edge = (-700 * 10 - 400 * 90 + 100 * 900) / 1_000 / STAKE
    assert failing(tally, Known(edge, net_histogram={-6.0: 0.04, -4.0: 0.06, 1.0: 0.9})) == []
    assert failing(tally, Known(edge, net_histogram={-4.0: 0.2, 1.0: 0.8})) == ["net histogram"]
    assert failing(tally, Known(edge, net_histogram={1.0: 1.0})) == ["net histogram"]


def test_the_dealers_totals_are_compared_by_upcard() -> None:
    tally = tally_of({-100: 500, 100: 500})
    always_17 = {"17": 1.0, "18": 0.0, "19": 0.0, "20": 0.0, "21": 0.0, "bust": 0.0}
    sometimes_18 = {**always_17, "17": 0.9, "18": 0.1}
    for shares, fails in ((always_17, []), (sometimes_18, ["dealer's totals under 7"])):
        known = Known(0.0, dealer_final_when_dealer_plays_out={"7": shares})
        assert failing(tally, known) == fails


def test_what_must_never_happen_has_no_tolerance() -> None:
    tally = tally_of({-100: 5_000, 100: 5_000})
    tally.violations["chips were made or lost"] = 1
    assert failing(tally, Known(0.0)) == ["chips were made or lost"]


def test_figures_are_those_of_the_preset_and_its_options() -> None:
    alone = read_known(TRUTH, "ranked-match", {}, "")
    assert alone == read_known(TRUTH, "twenty-rounds", {}, "")
    hit = read_known(TRUTH, "twenty-rounds", {"soft_17": "hit"}, "")
    assert (hit.edge_exact, hit.frequencies) == (-0.006181488, {})
    tens = read_known(TRUTH, "six-deck-h17", {"split_by": "value"}, "always_split_tens")
    assert tens.edge_exact == -0.064087282
    assert read_cut_card_edge(TRUTH, "twenty-rounds").edge_exact == -0.00425862
    with pytest.raises(KnownError, match="ranked-match"):
        read_cut_card_edge(TRUTH, "ranked-match")
    for preset, options in (("rotating-banker", {}), ("twenty-rounds", {"decks": "4"})):
        with pytest.raises(KnownError, match=f"no figures are known for {preset}"):
            read_known(TRUTH, preset, options, "")


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["--check", str(TRUTH)], 0, "comparisons hold"),
        ([], 0, "6 decks to the cut card"),
        (["--fresh-shoe", "--option", "decks=4"], 0, "a fresh shoe every round"),
        (["--check", str(TRUTH), "--option", "decks=4"], 2, "no figures are known"),
        (["--option", "decks=9"], 2, "decks 9: 1 to 8"),
        (["--option", "deck=4"], 2, "no option 'deck'"),
        (["--policy", "none"], 2, "stress_policy_none"),
    ],
)
def test_the_command(arguments: list[str], status: int, said: str) -> None:
    command = ["simulate", "six-deck-h17", "--rounds", "500", "--processes", "1"]
    result = CliRunner().invoke(app, [*command, "--strategy", str(STRATEGY), *arguments])
    assert result.exit_code == status
    assert said in " ".join(result.output.split())


def test_the_command_fails_where_the_figures_are_others(tmp_path: Path) -> None:
    changed = tmp_path / "truth.yaml"
    changed.write_text(TRUTH.read_text().replace("player_natural: 0.047493", "player_natural: 0.1"))
    command = ["simulate", "six-deck-h17", "--rounds", "1000", "--processes", "1"]
    result = CliRunner().invoke(
        app, [*command, "--strategy", str(STRATEGY), "--check", str(changed)]
    )
    assert result.exit_code == 1
    assert "player_natural" in result.output


def test_an_unknown_preset_is_named() -> None:
    result = CliRunner().invoke(app, ["simulate", "no-such", "--strategy", str(STRATEGY)])
    assert result.exit_code == 2
    assert "no preset 'no-such'" in result.output
