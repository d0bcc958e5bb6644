"""`croupier hands`: what it prints and how it exits."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from service.cli.app import app

HERE = Path(__file__).parent


@pytest.mark.parametrize("spoilt", ["", "net: 75}", "- id: O-R0-01"])
def test_exit_status(spoilt: str, tmp_path: Path) -> None:
    """0: all hold; 1: one differs; 2: a file can't be read."""
    expected = {"": 0, "net: 75}": 1, "- id: O-R0-01": 2}[spoilt]
    text = (HERE / "naturals.yaml").read_text()
    file = tmp_path / "naturals.yaml"
    file.write_text(text.replace(spoilt, spoilt.replace("75", "76").replace("id:", "di:"), 1))
    done = CliRunner().invoke(app, ["hands", str(file), str(HERE / "running_away.yaml")])
    assert done.exit_code == expected, done.output
    assert "holds    N-RB-08" in done.output


def test_time_is_over_for_an_open_decision_only(tmp_path: Path) -> None:
    file = tmp_path / "over.yaml"
    step = "{seat: 1, do: time_out, refused: true}"
    bets = "[{seat: 1, stack: 100, bet: 10}]"
    file.write_text(
        f"- {{id: over, preset: six-deck-h17, seats: {bets}, cards: AS 9D KH 8C, play: [{step}],\n"
        "   result: {seats: [{seat: 1, hands: [{cards: AS KH, total: 21, stake: 10,\n"
        "   result: natural, net: 15}], net: 15, stack: 115}],\n"
        "   dealer: {cards: 9D 8C, total: 17, soft: false}, cards_used: 4}}\n"
    )
    done = CliRunner().invoke(app, ["hands", str(file)])
    assert done.exit_code == 0, done.output


def test_the_hand_histories_of_the_documentation_hold(tmp_path: Path) -> None:
    page = (HERE.parents[1] / "docs/hand-histories.md").read_text()
    examples = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    file = tmp_path / "examples.yaml"
    file.write_text("".join(examples))
    done = CliRunner().invoke(app, ["hands", str(file)])
    assert "4 hold, 0 differ" in done.output
