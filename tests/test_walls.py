"""Walls that the import contracts draw: what a door may know of tables is a list, and whatever is
not on it is forbidden there."""

import tomllib
from pathlib import Path

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
