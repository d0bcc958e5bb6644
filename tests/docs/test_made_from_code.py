"""What pages have from the code is up to date, and the files and folders that they name exist."""

import re
from pathlib import Path

import pytest

from docs.generator.__main__ import PARTS, out_of_date, with_parts
from docs.generator.rooms import all_arrows, shortest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob(".github/**/*.md")])
ROOMS = r"`((?:service|db|docs|deploy|proto|tests)/[\w./*-]+)"


def test_the_parts_that_are_made_are_up_to_date() -> None:
    assert out_of_date() == []


def test_a_part_that_was_changed_by_hand_is_made_anew() -> None:
    page = (ROOT / "docs/architecture.md").read_text()
    changed = page.replace("    rest[", "    table[", 1)
    assert changed != page
    assert with_parts(changed, PARTS["architecture.md"]) == page


def test_a_page_without_a_place_for_its_part_is_an_error() -> None:
    with pytest.raises(ValueError, match="no place for the part 'rooms'"):
        with_parts("# A page\n", PARTS["architecture.md"])


def test_arrows_that_a_longer_way_replaces_are_left_out() -> None:
    ways = {("a", "b"), ("b", "c"), ("a", "c"), ("c", "d"), ("a", "d"), ("b", "d")}
    assert shortest(ways) == {("a", "b"), ("b", "c"), ("c", "d")}


def test_the_picture_has_every_room() -> None:
    rooms = {file.parent for file in (ROOT / "service").glob("*/__init__.py")}
    rooms |= {ROOT / "db", ROOT / "service" / "errors.py"}
    drawn = {ROOT / room for arrow in shortest(all_arrows()) for room in arrow}
    assert drawn == rooms


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_names_is_there(page: Path) -> None:
    text = page.read_text()
    links = re.findall(r"\]\((?!https?:)([^)#\s]+)", text)
    missing = [link for link in links if not (page.parent / link).exists()]
    named = [name.rstrip(".") for name in re.findall(ROOMS, text)]
    missing += [name for name in named if not [*ROOT.glob(name)]]
    assert missing == []
