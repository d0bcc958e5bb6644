"""There is one version number, that of pyproject.toml; and the changelog has the form that it says
it has."""

import json
import re
import subprocess
import sys
import tomllib
from datetime import date
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text()
RELEASES = re.findall(r"^## (\d+)\.(\d+)\.(\d+) - (\S+)$", CHANGELOG, re.MULTILINE)
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_command_says_it() -> None:
    croupier = Path(sys.executable).with_name("croupier")
    said = subprocess.check_output([croupier, "--version"], text=True)
    assert said == f"croupier {VERSION}\n"


def test_the_api_says_it() -> None:
    document = json.loads((ROOT / "proto/croupier/v1/openapi.json").read_text())
    assert document["info"]["version"] == VERSION


def test_the_newest_release_of_the_changelog_has_it() -> None:
    assert ".".join(RELEASES[0][:3]) == VERSION


def test_the_changelog_is_in_order() -> None:
    headings = re.findall(r"^## .*$", CHANGELOG, re.MULTILINE)
    assert headings[0] == "## Unreleased"
    assert len(headings) == len(RELEASES) + 1
    dated = [(tuple(map(int, one[:3])), date.fromisoformat(one[3])) for one in RELEASES]
    for (newer, its_day), (older, day_before) in pairwise(dated):
        assert newer > older
        assert its_day >= day_before
    assert set(re.findall(r"^### (.*)$", CHANGELOG, re.MULTILINE)) <= KINDS
