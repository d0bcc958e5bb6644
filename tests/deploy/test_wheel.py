"""What the wheel puts where, and what of it may lie beside other programs."""

import subprocess
import sys
from email import message_from_string
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run([*build, "--directory", str(folder)], cwd=ROOT, check=True, capture_output=True)
    (file,) = folder.glob("*.whl")
    return ZipFile(file)


def test_the_wheel_takes_no_common_name(wheel: ZipFile) -> None:
    top = {name.split("/")[0] for name in wheel.namelist()}
    assert {name for name in top if not name.endswith(".dist-info")} == {
        "croupier",
        "croupier_server",
    }


def test_the_wheel_has_every_file_of_the_packages(wheel: ZipFile) -> None:
    tracked = subprocess.check_output(
        ["git", "ls-files", "service", "db", "proto/croupier", "deploy/launcher"],
        cwd=ROOT,
        text=True,
    ).splitlines()
    assert tracked
    homes = {
        "service/": "croupier_server/service/",
        "db/": "croupier_server/db/",
        "proto/croupier/": "croupier/",
        "deploy/launcher/": "",
    }
    expected = {
        home + name.removeprefix(folder)
        for name in tracked
        for folder, home in homes.items()
        if name.startswith(folder)
    }
    assert len(expected) == len(tracked)
    assert expected <= set(wheel.namelist())


def test_what_programs_may_import_ships_its_types(wheel: ZipFile) -> None:
    assert {"croupier/v1/py.typed", "croupier_server/py.typed"} <= set(wheel.namelist())


def test_the_wheel_has_the_version_and_the_licence(wheel: ZipFile) -> None:
    (name,) = (one for one in wheel.namelist() if one.endswith(".dist-info/METADATA"))
    metadata = message_from_string(wheel.read(name).decode())
    assert name.startswith(f"croupier-{metadata['Version']}.")
    assert metadata["License-Expression"] == "MIT"
    assert metadata["License-File"] == "LICENSE"
