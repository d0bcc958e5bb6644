"""A fixed strategy: what a seat does with its cards against an upcard, read from a file.

The file has a row of ten letters for each hard total, soft total and pair, a column for each upcard
(2 to 9, ten, ace). H hit, S stand, D double else hit, d double else stand, R surrender else hit,
r surrender else stand, P split, p surrender else split, `.` no split: use the hard or soft row. The
pair row is looked up first, where a split is possible now. Rows may differ by the dealer's rule
(S17, H17) and by surrender; pairs change without double after split. Insurance is never taken.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from service.audit.simulate.yaml_file import read_sections, section
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

_Rows = dict[str, str | dict[str, str]]
"""A section of the file: rows by their names, each of letters or, where the rules matter, a few."""

_ROW = re.compile(r"([0-9]{1,2}|A|T)(?:-([0-9]{1,2}|A|T))?")


class StrategyError(Mendable):
    """A strategy file lacks a row, or has another form."""


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

    Raises StrategyError if the file has another form or lacks a row for some hand, FileTrouble if
    it can't be read.
    """
    sections = read_sections(path, StrategyError)
    try:
        return strategy_of(sections, rules, policy)
    except StrategyError as error:
        raise StrategyError(f"{path}: {error}") from error


def strategy_of(sections: dict[str, Any], rules: RuleSet, policy: str = "") -> Strategy:
    """The strategy for a rule set, from the sections of a file."""

    def rows(name: str) -> _Rows:
        return section(sections, name, _Rows, StrategyError)

    pairs = rows("pairs")
    if not rules.double_after_split:
        pairs |= rows("pairs_without_das_changes")
    if policy:
        pairs |= rows(f"stress_policy_{policy}")
    return Strategy(
        hard=_table("hard", rows("hard"), rules, range(4, 22)),
        soft=_table("soft", rows("soft"), rules, range(12, 22)),
        pairs=_table("pairs", pairs, rules, range(1, 11)),
    )


def _table(section_name: str, rows: _Rows, rules: RuleSet, keys: range) -> Table:
    table: Table = {}
    for name, row in rows.items():
        where = f"{section_name} {name}"
        letters = row if isinstance(row, str) else _of_variant(where, row, rules)
        if len(letters) != len(COLUMNS) or not _LETTERS.keys() >= set(letters):
            known = " ".join(_LETTERS)
            raise StrategyError(f"{where}: {letters!r} is not {len(COLUMNS)} letters of {known}")
        for key in _keys(where, name):
            for up, letter in zip(COLUMNS, letters, strict=True):
                table[key, up] = _LETTERS[letter]
    missing = [key for key in keys if (key, COLUMNS[0]) not in table]
    if missing:
        raise StrategyError(f"{section_name}: no row for {', '.join(map(str, missing))}")
    return table


def _of_variant(where: str, row: Mapping[str, str], rules: RuleSet) -> str:
    h17 = rules.soft_17 is Soft17.HIT
    if "otherwise" in row:
        special = h17 and rules.surrender is Surrender.LATE
        variant = "with_H17_and_surrender" if special else "otherwise"
    else:
        variant = "H17" if h17 else "S17"
    if variant not in row:
        raise StrategyError(f"{where}: there is no {variant}")
    return row[variant]


def _keys(where: str, name: str) -> range:
    """The totals, or card values, of a row's name: `13-14`, `A`, `T`, `8`."""
    found = _ROW.fullmatch(name)
    if not found:
        raise StrategyError(
            f"{where}: name a row by a total, by totals (13-14), or by a card (2 to 9, T, A)"
        )
    least, most = _pips(found[1]), _pips(found[2] or found[1])
    return range(least, most + 1)


def _pips(text: str) -> int:
    return {"A": 1, "T": 10}.get(text) or int(text)
