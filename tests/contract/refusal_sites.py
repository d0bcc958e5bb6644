"""Every place in the service where a refusal is made, read from its source."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import service
from service.rules.reasons import Reason

FOLDER = Path(service.__file__).parent
MADE_BY = ("Refused", "ApiError")

CHOSEN_BY = {
    "live/watcher.py": ("live/watch.py", "live/watcher.py"),
    "table/deciding/betting.py": ("table/deciding/legal_bets.py",),
    "table/deciding/decide.py": (
        "rules/doubling.py",
        "rules/hitting.py",
        "rules/insurance.py",
        "rules/splitting.py",
        "rules/surrender.py",
        "table/deciding/legal_actions.py",
    ),
}
"""Where the reason is a variable: the files that say which one it is."""


@dataclass(frozen=True)
class Site:
    """One such place: the reasons that it may give, and the keys that are written there (None for
    keys that are not written out)."""

    file: str
    line: int
    reasons: frozenset[Reason]
    keys: tuple[str | None, ...]

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def sites() -> Iterator[Site]:
    """All of them."""
    for path in sorted(FOLDER.rglob("*.py")):
        file = str(path.relative_to(FOLDER))
        for function in _functions(_tree(file)):
            yield from _sites_of(file, function)


def _sites_of(file: str, function: ast.AST) -> Iterator[Site]:
    calls = [
        (call, _named(call.args[0]) or case) for call, case in _refusals(function) if call.args
    ]
    told = {reason for _, reason in calls if reason}
    for call, reason in calls:
        reasons = {reason} if reason else _chosen(file) - told
        keys = tuple(keyword.arg for keyword in call.keywords)
        yield Site(file, call.lineno, frozenset(reasons), keys)


def _functions(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _refusals(
    node: ast.AST, case: Reason | None = None
) -> Iterator[tuple[ast.Call, Reason | None]]:
    """The refusals made in a function, each with the `case` that it stands in."""
    if isinstance(node, ast.match_case):
        pattern = node.pattern
        case = _named(pattern.value) if isinstance(pattern, ast.MatchValue) else None
    if isinstance(node, ast.Call) and _name(node.func) in MADE_BY:
        yield node, case
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _refusals(child, case)


def _chosen(file: str) -> set[Reason]:
    """The reasons that are named, outside refusals, in the files that choose one for this file."""
    assert file in CHOSEN_BY, f"{file}: name the files that choose the reason"
    found = set()
    for source in CHOSEN_BY[file]:
        tree = _tree(source)
        given = {id(call.args[0]) for call, _ in _all_refusals(tree) if call.args}
        found |= {
            reason
            for node in ast.walk(tree)
            if id(node) not in given and (reason := _named(node)) is not None
        }
    return found


def _all_refusals(tree: ast.AST) -> Iterator[tuple[ast.Call, Reason | None]]:
    for function in _functions(tree):
        yield from _refusals(function)


def _named(node: ast.AST) -> Reason | None:
    """The reason that is written there, as in `Reason.TABLE_FULL`."""
    if isinstance(node, ast.Attribute) and _name(node.value) == "Reason":
        return Reason.__members__.get(node.attr)
    return None


def _name(node: ast.AST) -> str:
    return getattr(node, "id", "") or getattr(node, "attr", "")


@cache
def _tree(file: str) -> ast.AST:
    return ast.parse((FOLDER / file).read_text())
