"""A fixed strategy: what a seat does with its cards against an upcard, read from a file.

The file has a row of ten letters for each hard total, soft total and pair, a column for each upcard
(2 to 9, ten, ace). H hit, S stand, D double else hit, d double else stand, R surrender else hit,
r surrender else stand, P split, p surrender else split, `.` no split: use the hard or soft row. The
pair row is looked up first, where a split is possible now. Rows may differ by the dealer's rule
(S17, H17) and by surrender; pairs change without double after split. Insurance is never taken.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml

from service.errors import Mendable
from service.rules.cards import PIPS
from service.rules.hand import Action
from service.rules.rule_set import RuleSet, Soft17, Surrender
from service.rules.totals import total

COLUMNS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)
"""The upcards by their values, in the order of a row's letters."""

_LETTERS: dict[str, tuple[Action, ...]] = {
    "H": (Action.HIT,),
    "S": (Action.STAND,),
    "D": (Action.DOUBLE, Action.HIT),
    "d": (Action.DOUBLE,),
    "R": (Action.SURRENDER, Action.HIT),
    "r": (Action.SURRENDER,),
    "P": (Action.SPLIT,),
    "p": (Action.SURRENDER, Action.SPLIT),
    ".": (),
}
"""The actions of each letter, best first; a hand that can do none of them stands."""

Wishes = tuple[Action, ...]
Table = dict[tuple[int, int], Wishes]
"""The letter by total (for a pair: the value of one card) and value of the upcard."""


class StrategyError(Mendable):
    """A strategy file can't be read."""


class Strategy(msgspec.Struct, frozen=True):
    """A strategy for one rule set."""

    hard: Table
    soft: Table
    pairs: Table

    def action(self, cards: Sequence[str], upcard: str, may: Callable[[Action], bool]) -> Action:
        """The action for an open hand; `may` says whether an action is legal now."""
        up = PIPS[upcard]
        count, soft = total(cards)
        wishes = (self.soft if soft else self.hard)[count, up]
        if len(cards) == 2 and PIPS[cards[0]] == PIPS[cards[1]]:
            split = self.pairs[PIPS[cards[0]], up]
            if split and may(Action.SPLIT):
                wishes = split
        for action in wishes:
            if may(action):
                return action
        return Action.STAND


def read_strategy(path: Path, rules: RuleSet, policy: str = "") -> Strategy:
    """The strategy of a file for a rule set, with the rows of a stress policy if one is named.

    Raises StrategyError if the file can't be read or lacks a row for some hand.
    """
    try:
        rows = yaml.safe_load(path.read_text())
        return strategy_of(rows, rules, policy)
    except (OSError, yaml.YAMLError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise StrategyError(f"{path}: {type(error).__name__}: {error}") from error


def strategy_of(rows: Mapping[str, Any], rules: RuleSet, policy: str = "") -> Strategy:
    """The strategy for a rule set, from the rows of a file."""
    pairs = dict(rows["pairs"])
    if not rules.double_after_split:
        pairs |= rows["pairs_without_das_changes"]
    if policy:
        pairs |= rows[f"stress_policy_{policy}"]
    return Strategy(
        hard=_table(rows["hard"], rules, range(4, 22)),
        soft=_table(rows["soft"], rules, range(12, 22)),
        pairs=_table(pairs, rules, range(1, 11)),
    )


def _table(rows: Mapping[str, Any], rules: RuleSet, keys: range) -> Table:
    table: Table = {}
    for name, row in rows.items():
        letters = row if isinstance(row, str) else row[_variant(row, rules)]
        for key in _keys(name):
            for up, letter in zip(COLUMNS, letters, strict=True):
                table[key, up] = _LETTERS[letter]
    missing = [key for key in keys if (key, COLUMNS[0]) not in table]
    if missing:
        raise ValueError(f"no row for {missing}")
    return table


def _variant(row: Mapping[str, str], rules: RuleSet) -> str:
    h17 = rules.soft_17 is Soft17.HIT
    if "otherwise" in row:
        special = h17 and rules.surrender is Surrender.LATE
        return "with_H17_and_surrender" if special else "otherwise"
    return "H17" if h17 else "S17"


def _keys(name: str) -> range:
    """The totals, or card values, of a row's name: `13-14`, `A`, `T`, `8`."""
    least, _, most = name.replace("A", "1").replace("T", "10").partition("-")
    return range(int(least), int(most or least) + 1)
