"""`make` lists every target there is."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text()


def test_help_shows_every_target() -> None:
    (declared,) = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    rules = re.findall(r"^([a-z][\w-]*):", MAKEFILE, re.MULTILINE)
    assert sorted(declared.split()) == sorted(rules)
    said = subprocess.check_output(["make", "--no-print-directory"], cwd=ROOT, text=True)
    assert re.findall(r"^  make (\S+) +\S", said, re.MULTILINE) == rules


def test_the_readme_names_targets_that_exist() -> None:
    named = set(re.findall(r"`make ([a-z]+)`", (ROOT / "README.md").read_text()))
    assert named
    assert named <= set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))
