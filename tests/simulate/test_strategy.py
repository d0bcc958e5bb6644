from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace

from service.audit.simulate.strategy import StrategyError, read_strategy
from service.rules.hand import Action
from service.rules.presets import PRESETS
from service.rules.rule_set import RuleSet, Soft17, Surrender

FILE = Path(__file__).parents[1] / "truth" / "strategy.yaml"
H17 = PRESETS["six-deck-h17"]
S17 = PRESETS["four-deck-vegas"]
NO_DAS = replace(H17, double_after_split=False)
ALL = tuple(Action)
LATER = (Action.HIT, Action.STAND)


def action(
    rules: RuleSet, cards: str, upcard: str, legal: Iterable[Action] = ALL, policy: str = ""
) -> Action:
    strategy = read_strategy(FILE, rules, policy)
    return strategy.action(cards.split(), upcard, set(legal).__contains__)


@pytest.mark.parametrize(
    ("rules", "cards", "upcard", "expected"),
    [
        (H17, "TS 6H", "7D", Action.HIT),
        (H17, "TS 6H", "6D", Action.STAND),
        (H17, "TS 6H", "KD", Action.SURRENDER),
        (H17, "9S 6H", "AD", Action.SURRENDER),
        (S17, "9S 6H", "AD", Action.HIT),
        (H17, "6S 5H", "AD", Action.DOUBLE),
        (S17, "6S 5H", "AD", Action.HIT),
        (H17, "TS 7H", "AD", Action.SURRENDER),
        (H17, "AS 7H", "2D", Action.DOUBLE),
        (S17, "AS 7H", "2D", Action.STAND),
        (H17, "AS 8H", "6D", Action.DOUBLE),
        (H17, "AS AH", "TD", Action.SPLIT),
        (H17, "8S 8H", "AD", Action.SURRENDER),
        (S17, "8S 8H", "AD", Action.SPLIT),
        (replace(H17, surrender=Surrender.NONE), "8S 8H", "AD", Action.SPLIT),
        (replace(S17, soft_17=Soft17.HIT), "8S 8H", "AD", Action.SURRENDER),
        (H17, "9S 9H", "7D", Action.STAND),
        (H17, "TS KH", "6D", Action.STAND),
        (H17, "2S 2H", "2D", Action.SPLIT),
        (NO_DAS, "2S 2H", "2D", Action.HIT),
        (H17, "4S 4H", "5D", Action.SPLIT),
        (NO_DAS, "4S 4H", "5D", Action.HIT),
        (H17, "5S 5H", "9D", Action.DOUBLE),
        (H17, "2S 3H TS 6D", "TD", Action.STAND),
    ],
)
def test_what_is_played(rules: RuleSet, cards: str, upcard: str, expected: Action) -> None:
    assert action(rules, cards, upcard) is expected


@pytest.mark.parametrize(
    ("cards", "upcard", "legal", "expected"),
    [
        ("6S 2H 3D", "6D", LATER, Action.HIT),  # double else hit
        ("AS 3H 4D", "3D", LATER, Action.STAND),  # double else stand
        ("TS 2H 4D", "TD", LATER, Action.HIT),  # surrender else hit
        ("TS 3H 4D", "AD", LATER, Action.STAND),  # surrender else stand
        ("8S 8H", "6D", LATER, Action.STAND),  # no split: the hard row
        ("AS AH", "6D", LATER, Action.HIT),  # no split: soft 12
        ("8S 8H", "AD", (*LATER, Action.SPLIT), Action.SPLIT),  # surrender else split
        ("AS AH", "6D", (Action.STAND, Action.SPLIT), Action.SPLIT),
        ("AS 4H", "2D", (Action.STAND, Action.SPLIT), Action.STAND),  # nothing wished is legal
    ],
)
def test_what_is_played_where_not_all_is_legal(
    cards: str, upcard: str, legal: tuple[Action, ...], expected: Action
) -> None:
    assert action(H17, cards, upcard, legal) is expected


def test_a_stress_policy_changes_its_rows_only() -> None:
    assert action(H17, "TS KH", "AD", policy="always_split_tens") is Action.SPLIT
    assert action(H17, "9S 9H", "7D", policy="always_split_tens") is Action.STAND


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"9":  HDDDDHHHHH', '"9":  HDDDDHHHH'),
        ('"9":  HDDDDHHHHH', '"9":  HDDDDHHHHX'),
        ('"9":  HDDDDHHHHH', ""),
        ("hard:", "harder:"),
        ("H17: DDDDDDDDDD", "H16: DDDDDDDDDD"),
        ("hard:", "hard: ["),
    ],
)
def test_a_file_that_leaves_a_hand_open_is_refused(tmp_path: Path, old: str, new: str) -> None:
    text = FILE.read_text()
    assert old in text
    broken = tmp_path / "strategy.yaml"
    broken.write_text(text.replace(old, new, 1))
    with pytest.raises(StrategyError, match=r"strategy\.yaml"):
        read_strategy(broken, H17)


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(StrategyError, match="there is no stress_policy_no_such"):
        read_strategy(FILE, H17, "no_such")
