"""A file that can't be read is refused with the line and the reason."""

from pathlib import Path

import pytest

from service.audit.hands.marked_yaml import Unreadable
from service.audit.hands.reader import read_file

GOOD = """\
- id: good
  title: a natural
  source: the rules of play
  preset: six-deck-h17
  options: {soft_17: stand}
  seats:
  - {seat: 1, stack: 1000, bet: 10}
  cards: AS 9D KH 8C
  play: []
  result:
    seats:
    - seat: 1
      hands:
      - {cards: AS KH, total: 21, stake: 10, result: natural, net: 15}
      net: 15
      stack: 1015
    dealer: {cards: 9D 8C, total: 17, soft: false}
    cards_used: 4
"""
X = "id: x, preset: six-deck-h17"


def fault(text: str | bytes, folder: Path) -> Unreadable:
    file = folder / "case.yaml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(Unreadable) as unreadable:
        read_file(file)
    return unreadable.value


def test_the_good_file_is_good(tmp_path: Path) -> None:
    file = tmp_path / "good.yaml"
    file.write_text(GOOD)
    assert [case.id for case in read_file(file)] == ["good"]


@pytest.mark.parametrize(
    ("written", "instead", "line", "why"),
    [
        ("  title:", "  tilte:", 2, "unknown key 'tilte'"),
        ("net: 15}", "net: 15, nett: 15}", 14, "a hand: unknown key 'nett'"),
        ("      net: 15\n", "", 12, "the result of a seat: 'net' is missing"),
        ("  cards: AS 9D KH 8C\n", "", 1, "'cards' is missing"),
        ("  preset: six-deck-h17\n", "", 1, "'preset' is missing"),
        ("six-deck-h17", "seven-deck", 4, "'seven-deck' is not among six-deck-h17"),
        ("soft_17: stand", "soft17: stand", 5, "no option 'soft17'"),
        ("soft_17: stand", "soft_17: choose", 5, "soft_17: choose needs a rotating banker"),
        ("{soft_17: stand}", "stand", 5, "options: keys and values are needed"),
        ("{soft_17: stand}", "{soft_17: [stand]}", 5, "one value is needed"),
        ("seat: 1, stack", "seat: 2, stack", 7, "'2' is not a whole number from 1 to 1"),
        ("bet: 10}\n", "bet: 10}\n  - {seat: 1, stack: 5, bet: 5}\n", 8, "seat 1 is listed twice"),
        (":\n  - {seat: 1, stack: 1000, bet: 10}\n", ": []\n", 6, "0 seats at a table of 1 to 1"),
        ("stack: 1000", "stack: -1000", 7, "stack: '-1000' is not a number of chips"),
        ("stack: 1000", "stack: .inf", 7, "stack: '.inf' is not a number of chips"),
        ("bet: 10}", "bet: 10, pair_bets: {x: 1}}", 7, "'x' is not a seat"),
        ("AS 9D KH 8C", "AS 9D KH 1C", 8, "'1C' is not a card"),
        ("play: []", "play: {}", 9, "play: a list is needed"),
        ("play: []", "play: [{seat: 1, do: hits}]", 9, "'hits' is not among hit, stand"),
        ("play: []", "play: [{seat: 9, do: hit}]", 9, "'9' is not a whole number from 1 to 7"),
        ("play: []", "play: [{seat: banker, do: hit}]", 9, "'banker' is not a whole number"),
        ("play: []", "play: [{seat: 1, do: hit, hand: 0}]", 9, "'0' is not a whole number"),
        ("play: []", "play: [{seat: 1, do: hit, refused: maybe}]", 9, "'maybe' is not among true"),
        ("play: []", "play: [{seat: 1, do: hit, do: hit}]", 9, "'do' is here twice"),
        ("total: 21", "total: twenty", 14, "'twenty' is not a whole number"),
        ("total: 21", "total: " + "9" * 5000, 14, "is not a whole number from 2 to 1000"),
        ("stake: 10,", "stake: x,", 14, "stake: 'x' is not a number of chips"),
        ("result: natural", "result: won", 14, "'won' is not among natural, win"),
        ("net: 15}", "net: --15}", 14, "net: '-15' is not a number of chips"),
        ("soft: false", "soft: 0", 17, "'0' is not among true, false"),
        ("cards_used: 4\n", "cards_used: 4.0\n", 18, "'4.0' is not a whole number"),
        ("    cards_used: 4\n", "    banker: {nett: 1}\n    cards_used: 4\n", 18, "unknown key"),
        ("play: []", "play: []\n  bets: []", 7, "unknown key 'seats'"),
        ("- id: good", "- id: [good", 2, "this is not YAML"),
        ("title: a natural", "title: a: natural", 2, "this is not YAML"),
        ("title: a natural", "title: \x07", 2, "this is not YAML"),
    ],
)  # fmt: skip
def test_a_fault_names_its_line(
    written: str, instead: str, line: int, why: str, tmp_path: Path
) -> None:
    assert written in GOOD
    error = fault(GOOD.replace(written, instead, 1), tmp_path)
    assert (error.line, why in error.why) == (line, True), str(error)


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 0, "the file is empty"),
        ("[]", 0, "no hand history"),
        ("id: good\n", 1, "a list is needed"),
        (GOOD + GOOD, 19, "the id 'good' is already used on line 1"),
        (GOOD + "---\n" + GOOD, 19, "but found another document"),
        (GOOD.encode() + b"\xff\n", 19, "this is not UTF-8"),
        (f"- {{{X}, bets: [{{stack: 1, stake: 1}}]}}", 1, "'accepted' is missing"),
        (f"- {{{X}, rounds: []}}", 1, "'stack' is missing"),
        (f"- {{{X}, stack: 1, rounds: [\n{{bet: 1}}]}}", 2, "'cards' is missing"),
    ],
)  # fmt: skip
def test_a_file_that_is_none(text: str | bytes, line: int, why: str, tmp_path: Path) -> None:
    error = fault(text, tmp_path)
    assert error.line == line
    assert why in error.why


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="No such file"):
        read_file(tmp_path / "none.yaml")
    with pytest.raises(Unreadable, match="directory"):
        read_file(tmp_path)
