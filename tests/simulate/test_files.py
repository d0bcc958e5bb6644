"""The files of a simulation: whatever a person wrote wrongly is said with the file's name, and is
no fault of the program; and a fault of the program is not taken for theirs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from service.audit.hands.marked_yaml import Unreadable
from service.audit.hands.reader import read_file
from service.audit.simulate.known import KnownError, read_cut_card_edge, read_known
from service.audit.simulate.strategy import StrategyError, read_strategy
from service.errors import FileTrouble, Mendable
from service.rules.presets import PRESETS

RULES = PRESETS["six-deck-h17"]
HERE = Path(__file__).parents[1] / "truth"


def strategy(path: Path) -> object:
    return read_strategy(path, RULES)


def known(path: Path) -> object:
    return read_known(path, "six-deck-h17", {}, "")


def variant(path: Path) -> object:
    return read_known(path, "twenty-rounds", {"soft_17": "hit"}, "")


def cut_card_edge(path: Path) -> object:
    return read_cut_card_edge(path, "six-deck-h17")


READERS: dict[Callable[[Path], object], type[Mendable]] = {
    strategy: StrategyError,
    known: KnownError,
    variant: KnownError,
    cut_card_edge: KnownError,
}

NO_YAML = {
    "no UTF-8": b"presets: \xff",
    "a control character": b"presets: \x00",
    "an open list": b"presets: [",
    "two documents": b"a: 1\n---\na: 1\n",
    "nothing": b"",
    "lists in lists": b"[" * 100_000,
    "mappings in mappings": b"{a: " * 100_000,
    "deep indentation": b"\n".join(b" " * n + b"a:" for n in range(1_500)),
    "a list as a key": b"? [a]\n: b",
    "what holds itself": b"&a {a: *a}",
    "a list": b"[presets, hard]",
    "a value": b"presets",
    "sections that are values": b"{presets: 1, variants_exact: 1, hard: 1, soft: 1, pairs: 1}",
    "sections that are lists": b"{presets: [], variants_exact: [], hard: [], soft: [], pairs: []}",
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", NO_YAML)
def test_what_is_no_such_file(name: str, reader: Callable[[Path], object], tmp_path: Path) -> None:
    path = tmp_path / "file.yaml"
    path.write_bytes(NO_YAML[name])
    with pytest.raises(READERS[reader], match=r"file\.yaml: "):
        reader(path)


@pytest.mark.parametrize("name", NO_YAML)
def test_what_is_no_hand_history(name: str, tmp_path: Path) -> None:
    path = tmp_path / "file.yaml"
    path.write_bytes(NO_YAML[name])
    with pytest.raises(Unreadable):
        read_file(path)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", ["none.yaml", "."])
def test_what_can_not_be_read(name: str, reader: Callable[[Path], object], tmp_path: Path) -> None:
    with pytest.raises(FileTrouble):
        reader(tmp_path / name)


@pytest.mark.parametrize(
    ("reader", "old", "new", "said"),
    [
        (strategy, "H17: DDDDDDDDDD", "H16: DDDDDDDDDD", "hard 11: there is no H17"),
        (strategy, '"9":  HDDDD', '"9":  HXDDD', "hard 9: 'HXDDDHHHHH' is not 10 letters"),
        (strategy, '"10":', '"1O":', "hard 1O: name a row"),
        (strategy, '"10":', '"10-":', "hard 10-: name a row"),
        (strategy, '"10": DDDDDDDDHH', '"10": [D]', "hard: Expected `str | object`"),
        (known, "  six-deck-h17:", "  six-deck-h16:", "no figures are known for six-deck-h17"),
        (known, "    fresh_shoe:", "    fresh_shoes:", "there is no fresh_shoe"),
        (known, "edge_exact:", "edge:", "fresh_shoe: Object missing required field `edge_exact`"),
        (known, "edge_exact: -", "edge_exact: no", "fresh_shoe: Expected `float`"),
        (known, "player_natural: 0.", "player_natural: -0.", "fresh_shoe: Expected `float` >= 0"),
        (known, "player_natural:", "naturals:", "unknown figures: naturals"),
        (known, "        A: {'17'", "        B: {'17'", "dealer's totals under B"),
        (known, "        A: {'17'", "        A: {'16'", "dealer's totals under A"),
        (variant, "with soft_17 hit", "with soft_17 hits", "unknown variants: twenty-rounds with"),
        (cut_card_edge, "edge_simulated:", "edge:", "cut_card_75_percent: Object missing"),
    ],
)
def test_what_stands_wrong_in_a_file(
    reader: Callable[[Path], object], old: str, new: str, said: str, tmp_path: Path
) -> None:
    text = (HERE / ("strategy.yaml" if reader is strategy else "truth.yaml")).read_text()
    assert old in text
    path = tmp_path / "file.yaml"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(READERS[reader]) as refusal:
        reader(path)
    assert str(refusal.value).startswith(f"{path}: {said}")


@pytest.mark.parametrize("fault", [KeyError, TypeError, AttributeError, ValueError])
@pytest.mark.parametrize(
    ("reader", "broken"),
    [
        (strategy, "service.audit.simulate.strategy.strategy_of"),
        (strategy, "service.audit.simulate.strategy._table"),
        (known, "service.audit.simulate.known._of_preset"),
        (variant, "service.audit.simulate.known.variants"),
        (cut_card_edge, "service.audit.simulate.known._of_preset"),
    ],
)
def test_a_fault_of_the_program_stays_one(
    reader: Callable[[Path], object],
    broken: str,
    fault: type[Exception],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise fault("a bug")

    monkeypatch.setattr(broken, fail)
    with pytest.raises(fault, match="a bug"):
        reader(HERE / ("strategy.yaml" if reader is strategy else "truth.yaml"))
