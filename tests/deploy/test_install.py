"""The first `make`: says within a second what is missing, and the next one heals what was cut off.

Installed is a project of one package, so that this takes seconds.
"""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAME = "a checkout"
"""A folder may have a blank in its name."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with our Makefile, and uv and hatchling alone to install."""
    folder = tmp_path / NAME
    (folder / "deploy").mkdir(parents=True)
    (folder / "service").mkdir()
    (folder / "service" / "__init__.py").write_text("")
    for name in ("Makefile", "deploy/install"):
        shutil.copy(ROOT / name, folder / name)
    lock = (ROOT / "requirements.lock").read_text()
    entries = re.findall(
        r"^[a-z0-9_.-]+==.*?(?=^[a-z0-9_.-]+==|\Z)", lock, re.MULTILINE | re.DOTALL
    )
    needed = (
        "uv",
        "hatchling",
        "packaging",
        "pathspec",
        "pluggy",
        "trove-classifiers",
        "tomlkit",
    )
    kept = [entry for entry in entries if entry.partition("==")[0] in needed]
    (folder / "requirements.lock").write_text("".join(kept))
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "small"\nversion = "1"\n'
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
        '[tool.hatch.build]\ndev-mode-dirs = ["."]\n'
        '[tool.hatch.build.targets.wheel]\npackages = ["service"]\n'
    )
    return folder


def make(folder: Path, python: str = sys.executable, **environment: str) -> "subprocess.Popen[str]":
    """Start `make install`."""
    return subprocess.Popen(
        ["make", "install", f"PYTHON={python}"],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def installed(folder: Path) -> None:
    """An install comes to its end, and what it made works; another one has nothing to do."""
    making = make(folder)
    said, _ = making.communicate(timeout=120)
    assert making.returncode == 0, said
    subprocess.run([folder / ".venv/bin/python", "-c", "import service"], check=True, cwd="/")
    subprocess.run([folder / ".venv/bin/uv", "--version"], check=True, capture_output=True)
    again, _ = make(folder).communicate(timeout=60)
    assert "Nothing to be done" in again


def test_an_install_that_is_cut_off_heals(checkout: Path) -> None:
    dice = random.Random(5)
    for number in (signal.SIGKILL, signal.SIGINT, signal.SIGKILL):
        making = make(checkout)
        time.sleep(dice.uniform(0.2, 4))
        os.killpg(making.pid, number)
        making.communicate(timeout=60)
    installed(checkout)


def test_what_was_harmed_heals(checkout: Path) -> None:
    installed(checkout)
    moved = checkout.with_name("moved")
    checkout.rename(moved)
    python = moved / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/nowhere/python3.11")
    installed(moved)


def stub(folder: Path, script: str) -> str:
    """A Python that is not as it should be."""
    path = folder / "python"
    path.write_text(f'#!/bin/sh\n{script}\nexec {sys.executable} "$@"\n')
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ('case "$2" in *version_info*) exit 1;; esac', "Python 3.11 or later"),
        ('case "$2" in *libc_ver*) exit 1;; esac', "glibc"),
        ('case "$2" in *ensurepip*) exit 1;; esac', "apt install python3-venv"),
        ('case "$2" in venv) exit 1;; esac', "could not make .venv"),
    ],
    ids=["too old", "musl", "without venv", "a venv that fails"],
)
def test_what_is_missing_is_told_within_a_second(checkout: Path, script: str, said: str) -> None:
    started = time.monotonic()
    making = make(checkout, stub(checkout, script))
    told, _ = making.communicate(timeout=60)
    assert time.monotonic() - started < 3
    assert making.returncode
    (line,) = [line for line in told.splitlines() if line.startswith("croupier: ")]
    assert said in line


def test_no_network_is_told(checkout: Path, tmp_path: Path) -> None:
    nowhere = "http://127.0.0.1:9"
    environment = {
        "PIP_INDEX_URL": nowhere,
        "UV_INDEX_URL": nowhere,
        "PIP_FIND_LINKS": "",
        "PIP_RETRIES": "0",
        "PIP_CACHE_DIR": str(tmp_path / "cache"),
        "PIP_NO_INDEX": "1",
    }
    making = make(checkout, **environment)
    told, _ = making.communicate(timeout=60)
    assert making.returncode
    assert "run make again" in told
