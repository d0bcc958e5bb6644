"""The lists of files in CONTRIBUTING.md: they are no longer than was promised, and each of their
items begins with something that is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "CONTRIBUTING.md"
MOST = {"option of rule sets": 4, "rule": 4, "RPC": 3, "event": 8}
"""How many files a change may touch that people have to write, besides its tests."""


def items(page: str, what: str) -> list[str]:
    """The numbered items under "Add a ..."."""
    found = re.search(rf"^## Add an? {what}\n(.*?)(?=^## )", page, re.MULTILINE | re.DOTALL)
    assert found, f"nothing says how to add: {what}"
    return re.findall(r"^\d+\. (.*(?:\n   .*)*)", found[1], re.MULTILINE)


def missing_from(page: str, what: str) -> list[str]:
    """What the items name and is not there."""
    listed = items(page, what)
    about = [re.match(r"\[[^]]+\]\([^)]+\)|If needed", one) for one in listed]
    assert all(about), "an item begins with the file or folder that it is about"
    links = [link for one in listed for link in re.findall(r"\]\(([^)#]+)\)", one)]
    return [link for link in links if not (ROOT / link).exists()]


def test_there_is_a_list_for_each_thing_that_is_added_often() -> None:
    assert set(re.findall(r"^## Add an? (.*)$", PAGE.read_text(), re.MULTILINE)) == set(MOST)


@pytest.mark.parametrize("what", MOST)
def test_a_list_is_as_short_as_was_promised(what: str) -> None:
    assert 0 < len(items(PAGE.read_text(), what)) <= MOST[what]


@pytest.mark.parametrize("what", MOST)
def test_a_list_names_what_is_there(what: str) -> None:
    assert missing_from(PAGE.read_text(), what) == []


@pytest.mark.parametrize("what", MOST)
def test_a_file_that_is_gone_is_found(what: str) -> None:
    page = PAGE.read_text()
    first = items(page, what)[0]
    gone = re.sub(r"\]\(([^)]+)\)", r"](\1-gone)", first, count=1)
    assert missing_from(page.replace(first, gone), what) != []
