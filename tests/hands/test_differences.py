"""A hand history that is not what happened is shown to differ, and where."""

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from service.cli.reports.hands import report

TRUE = """\
- id: two-seats
  title: one seat insures and splits, the other stands
  preset: ranked-match
  seats:
  - {seat: 1, stack: 1000, bet: 10}
  - {seat: 2, stack: 1000, bet: 20}
  cards: 8S TS AD 8H 9H 6C TD 9S
  play:
  - {seat: 1, do: insure}
  - {seat: 2, do: hit, refused: true}
  - {seat: 1, do: split}
  - {seat: 1, do: stand, hand: 1}
  - {seat: 1, do: stand, hand: 2}
  - {seat: 2, do: stand}
  result:
    seats:
    - seat: 1
      hands:
      - {cards: 8S TD, total: 18, stake: 10, result: win, net: 10}
      - {cards: 8H 9S, total: 17, stake: 10, result: push, net: 0}
      insurance: -5
      net: 5
      stack: 1005
    - seat: 2
      hands:
      - {cards: TS 9H, total: 19, stake: 20, result: win, net: 20}
      net: 20
      stack: 1020
    dealer: {cards: AD 6C, total: 17, soft: true}
    cards_used: 8
- id: limits
  preset: twenty-rounds
  bets:
  - {stack: 1000, stake: 5, accepted: true}
  - {stack: 1000, stake: nan, accepted: false}
- id: two-rounds
  preset: twenty-rounds
  stack: 1000
  rounds:
  - {bet: 5, cards: AS 6D QH TC, stack_after: 1007.5}
  - {bet: 10, cards: TS 9D 9H 8C, play: [{seat: 1, do: stand}], stack_after: 1017.5}
"""

ROTATING = """\
- id: banker-hits
  preset: rotating-banker
  seats:
  - {seat: 1, stack: 1000, bet: 10}
  cards: TS 6D 8H AC TD
  play:
  - {seat: 1, do: stand}
  - {seat: dealer, do: hit}
  result:
    seats:
    - seat: 1
      hands:
      - {cards: TS 8H, total: 18, stake: 10, result: win, net: 10}
      net: 10
      stack: 1010
    dealer: {cards: 6D AC TD, total: 17, soft: false}
    banker: {net: -10, steps_down: true}
    cards_used: 5
"""

RIGHT_HAND = "      - {cards: 8H 9S, total: 17, stake: 10, result: push, net: 0}\n"
SEAT_2 = TRUE[TRUE.index("    - seat: 2\n") : TRUE.index("    dealer:")]


def played(text: str, folder: Path) -> tuple[int, str]:
    """The exit status and what is printed."""
    file = folder / "case.yaml"
    file.write_text(text)
    printed = StringIO()
    status = report([file], Console(file=printed, width=200))
    return status, printed.getvalue()


def test_what_happened_holds(tmp_path: Path) -> None:
    status, printed = played(TRUE, tmp_path)
    assert status == 0
    assert "3 hold, 0 differ" in printed


@pytest.mark.parametrize(
    ("written", "instead", "shown"),
    [
        ("8S TD, total: 18", "8S TD, total: 19", "seat 1, hand 1"),
        ("{cards: 8S TD,", "{cards: 8S KD,", "seat 1, hand 1"),
        ("total: 18, stake: 10", "total: 18, stake: 20", "seat 1, hand 1"),
        ("result: win, net: 10", "result: natural, net: 10", "seat 1, hand 1"),
        ("result: win, net: 10", "result: win, net: 15", "seat 1, hand 1"),
        ("insurance: -5", "insurance: 5", "seat 1"),
        ("      insurance: -5\n", "", "seat 1"),
        ("net: 5\n", "net: 5\n      pair_bets: 10\n", "seat 1"),
        ("net: 5\n", "net: -5\n", "seat 1"),
        ("stack: 1005", "stack: 1005.5", "seat 1"),
        ("AD 6C, total: 17", "AD 6C, total: 7", "dealer"),
        ("dealer: {cards: AD 6C", "dealer: {cards: 6C AD", "dealer"),
        ("soft: true", "soft: false", "dealer"),
        ("cards_used: 8", "cards_used: 9", "cards used"),
        (RIGHT_HAND, "", "seat 1, hand 2"),
        (SEAT_2, "", "seat 2, hand 1"),
        (SEAT_2, "", "seat 2 "),
        ("6C TD 9S", "6C TD 9S 2D", "9 named"),
        ("6C TD 9S", "6C TD", "8 needed"),
        ("  - {seat: 2, do: stand}\n", "", "waits for turns: seat 2, hand 1"),
        ("seat: 2, do: hit, refused: true", "seat: 2, do: hit", "line 10: seat 2, hit"),
        ("stand, hand: 1}", "stand, hand: 1, refused: true}", "line 12: seat 1, hand 1, stand"),
        ("do: insure}", "do: insure, refused: true}", "line 9: seat 1, insure"),
        ("stand, hand: 1}", "stand, hand: 2}", "DECISION_CHANGED"),
        ("stand, hand: 1}", "time_out, hand: 2}", "NOT_DUE"),
        ("bet: 20}", "bet: 15}", "STAKE_NOT_A_STEP"),
        ("bet: 20}", "bet: nan}", "STAKE_INVALID"),
        ("seat: 1, do: insure}", "seat: dealer, do: stand}", "NOT_SEATED"),
        ("stake: 5, accepted: true", "stake: 5, accepted: false", "line 34: 5 of 1000"),
        ("stake: nan, accepted: false", "stake: nan, accepted: true", "line 35: nan of 1000"),
        ("stack_after: 1007.5", "stack_after: 1007", "round 1 (line 40), stack"),
        ("TS 9D 9H 8C", "TS 9D 9H 8C 2D", "round 2 (line 41), cards"),
        (", play: [{seat: 1, do: stand}]", "", "round 2 (line 41), round"),
    ],
)  # fmt: skip
def test_what_did_not_happen_differs(
    written: str, instead: str, shown: str, tmp_path: Path
) -> None:
    assert written in TRUE
    status, printed = played(TRUE.replace(written, instead, 1), tmp_path)
    assert status == 1
    assert shown in printed
    assert "2 hold, 1 differ" in printed


@pytest.mark.parametrize(
    ("written", "instead", "shown"),
    [
        ("net: -10, steps", "net: -20, steps", "net -10"),
        ("steps_down: true", "steps_down: false", "steps down"),
        ("{net: -10, steps_down: true}", "{net: -20}", "net -10"),
        ("do: hit}", "do: stand}", "4 used"),
        ("  - {seat: dealer, do: hit}\n", "", "waits for banker: seat 2"),
    ],
)
def test_what_the_banker_did_not_do_differs(
    written: str, instead: str, shown: str, tmp_path: Path
) -> None:
    assert played(ROTATING, tmp_path)[0] == 0
    assert written in ROTATING
    status, printed = played(ROTATING.replace(written, instead, 1), tmp_path)
    assert status == 1
    assert shown in printed


def test_what_is_not_asserted_of_the_banker_does_not_differ(tmp_path: Path) -> None:
    banker = "    banker: {net: -10, steps_down: true}\n"
    assert banker in ROTATING
    assert played(ROTATING.replace(banker, ""), tmp_path)[0] == 0


def test_an_unreadable_file_does_not_hide_the_others(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(TRUE.replace("cards_used: 8", "cards_used: 9"))
    bad.write_text("- id: x\n  preset: none-such\n  bets: []\n")
    printed = StringIO()
    assert report([bad, good], Console(file=printed, width=200)) == 2
    assert f"{bad}:2: preset: 'none-such' is not among" in printed.getvalue()
    assert "2 hold, 1 differ" in printed.getvalue()
