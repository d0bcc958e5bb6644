"""Walls that the import contracts draw: what a door may know of tables is a list, and whatever is
not on it is forbidden there."""

import ast
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OF_TABLES = ("table", "live", "shoes")
SHOWN = {
    "service.table.causes",
    "service.table.commands",
    "service.table.phase",
    "service.table.showing.shown",
    "service.table.showing.story",
    "service.live.lookup",
    "service.live.shown_tables",
    "service.shoes.proofs",
}
"""Plain data, and the two ways to it."""


def modules() -> set[str]:
    return {
        ".".join(file.relative_to(ROOT).with_suffix("").parts)
        for room in OF_TABLES
        for file in (ROOT / "service" / room).rglob("*.py")
        if file.name != "__init__.py"
    }


def forbidden() -> set[str]:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    (wall,) = [
        one for one in contracts["contracts"] if one["name"].startswith("Of tables the doors")
    ]
    assert wall["source_modules"] == ["service.api", "service.rest"]
    return set(wall["forbidden_modules"])


def test_every_part_of_a_table_is_shown_or_forbidden_at_the_doors() -> None:
    walls = forbidden()
    for module in modules():
        parts = module.split(".")
        walled = any(".".join(parts[:length]) in walls for length in range(2, len(parts) + 1))
        assert walled != (module in SHOWN), f"say of {module} whether the doors may import it"


def ways_round(tree: ast.AST) -> list[int]:
    """The lines that reach private attributes by a way that the linter does not see: class
    patterns, `vars`, and the dictionaries of attributes and globals."""
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.MatchClass(kwd_attrs=names) if any(name.startswith("_") for name in names):
                found.append(node.lineno)
            case ast.Name(id="vars") | ast.Attribute(attr="__dict__" | "__globals__"):
                found.append(node.lineno)
    return found


@pytest.mark.parametrize(
    "plant",
    [
        "match tables:\n    case Shown(_reader=reader): pass",
        "vars(tables)",
        "tables.__dict__",
        "tables.get.__globals__",
    ],
)
def test_a_way_round_is_found(plant: str) -> None:
    assert ways_round(ast.parse(plant))


def test_the_doors_reach_nothing_private() -> None:
    for door in ("api", "rest"):
        for file in (ROOT / "service" / door).rglob("*.py"):
            assert not ways_round(ast.parse(file.read_text())), file
