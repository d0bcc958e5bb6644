"""How commands end: what can be mended in one line, a fault of the program with its trace and a
status of its own."""

import os
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

from service.cli.app import COMMANDS, app
from service.cli.endings import CAN_BE_MENDED, FAULT_OF_THE_PROGRAM, UNANSWERED
from service.errors import NotAllowed, RecordWrong, Signal

CROUPIER = Path(sys.executable).parent / "croupier"
STRATEGY = Path(__file__).parents[1] / "truth" / "strategy.yaml"

SIMULATE = ["simulate", "twenty-rounds", "--strategy", str(STRATEGY)]

NOWHERE = "host=/nowhere dbname=none"


def run(
    arguments: list[str], tmp_path: Path, **environment: str
) -> "subprocess.CompletedProcess[str]":
    clean = {name: value for name, value in os.environ.items() if not name.startswith("CROUPIER_")}
    return subprocess.run(
        [CROUPIER, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
        env={**clean, "CROUPIER_DATA_FOLDER": str(tmp_path / "data"), **environment},
    )


INPUTS: Mapping[str, tuple[list[str], dict[str, str], str]] = {
    "a setting that is not a number": (
        ["serve"],
        {"CROUPIER_PROCESSES": "many"},
        "CROUPIER_PROCESSES: input should be a valid integer",
    ),
    "several settings at once": (
        ["serve"],
        {"CROUPIER_FLUSHES": "0", "CROUPIER_DRAIN_SECONDS": "-1"},
        "CROUPIER_FLUSHES: input should be greater than or equal to 1; CROUPIER_DRAIN_SECONDS:",
    ),
    "a level that does not exist": (
        ["serve"],
        {"CROUPIER_LOG_LEVEL": "loud"},
        "CROUPIER_LOG_LEVEL: write debug",
    ),
    "an address that is none": (["serve"], {"CROUPIER_REST_ADDRESS": "8080"}, "this is no address"),
    "keys that are none": (["serve"], {"CROUPIER_SEALING_KEYS": "k1:xyz"}, "sealing key"),
    "a short secret": (["serve"], {"CROUPIER_TOKEN_SECRET": "short"}, "at least 32"),
    "a database that is away": (["serve"], {"CROUPIER_DATABASE_URL": NOWHERE}, "CROUPIER_"),
    "a folder that can't be made": (["serve"], {"CROUPIER_DATA_FOLDER": "/proc/x"}, "/proc/x"),
    "no connection string": (
        ["migrate", "no=thing"],
        {},
        "DATABASE is not a connection",
    ),
    "no such database": (["migrate", NOWHERE], {}, "/nowhere"),
    "no data to look into": (["verify"], {}, "has no data"),
    "no such evidence": (["verify", "--receipt", "none.json", "--keys", "k.json"], {}, "k.json"),
    "no such digest": (["digest", "--check", "none", "--keys", "k.json"], {}, "k.json"),
    "no such receipt": (["receipt", "none.json", "--keys", "k.json"], {}, "No such file"),
    "no such preset": (["simulate", "none", "--strategy", str(STRATEGY)], {}, "no preset 'none'"),
    "no such strategy": (["simulate", "twenty-rounds", "--strategy", "none"], {}, "No such file"),
    "a preset for several": (
        ["simulate", "rotating-banker", "--strategy", str(STRATEGY)],
        {},
        "at least 2 players, and a simulation has one",
    ),
    "no option": ([*SIMULATE, "--option", "soft_17"], {}, "is not an option: write NAME=VALUE"),
    "no such option": ([*SIMULATE, "--option", "deck=4"], {}, "no option 'deck'"),
    "a value that is none": ([*SIMULATE, "--option", "decks=9"], {}, "decks"),
    "options that don't fit": ([*SIMULATE, "--option", "decks=1"], {}, "the shoe could run out"),
    "no such policy": ([*SIMULATE, "--policy", "none"], {}, "there is no stress_policy_none"),
    "no known figures": ([*SIMULATE, "--check", str(STRATEGY)], {}, "there is no presets"),
    "a path that is too long": (["export", "rounds", "--out", "x" * 300], {}, "has no data"),
    "a folder's name too long": (["verify"], {"CROUPIER_DATA_FOLDER": "x" * 300}, "too long"),
    "no such format": (["export", "rounds", "--format", "xlsx"], {}, "'xlsx' is not a format"),
}
"""What a person can give wrong: arguments, settings, files, addresses, a database."""

OWN_STATUS = {"verify": UNANSWERED, "simulate": UNANSWERED, "hands": UNANSWERED}


@pytest.mark.parametrize("name", INPUTS)
def test_what_a_person_can_mend_is_said_in_a_line(name: str, tmp_path: Path) -> None:
    arguments, environment, said = INPUTS[name]
    done = run(arguments, tmp_path, **environment)
    assert done.returncode == OWN_STATUS.get(arguments[0], CAN_BE_MENDED), done.stderr
    told = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    assert "Traceback" not in done.stderr
    assert said in " ".join(told)
    (line,) = told
    assert line.startswith("croupier: ")


def test_the_page_for_operators_has_the_statuses_of_every_command() -> None:
    page = (Path(__file__).parents[2] / "docs" / "operators.md").read_text()
    table = page.partition("## Exit statuses")[2].partition("\n## ")[0]
    commands = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    listed = re.findall(r"`(\w+)`", " ".join(commands))
    names = [command.__name__ for command in COMMANDS]
    groups = [str(group.name) for group in app.registered_groups]
    assert sorted(listed) == sorted(names + groups)


def test_no_value_of_a_setting_is_shown(tmp_path: Path) -> None:
    done = run(["serve"], tmp_path, CROUPIER_CONNECTIONS="postgresql://croupier:sesame@db/croupier")
    assert done.returncode == CAN_BE_MENDED
    assert "CROUPIER_CONNECTIONS" in done.stderr
    assert "sesame" not in done.stderr


@pytest.fixture
def enterable() -> Iterator[Path]:
    """A folder that `nobody` may enter, as whom the embedded server runs for root."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.parametrize("processes", ["1", "2"])
@pytest.mark.parametrize("door", ["GRPC", "REST"])
def test_an_address_that_is_taken(door: str, processes: str, enterable: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = f"127.0.0.1:{other.getsockname()[1]}"
        addresses = {"CROUPIER_GRPC_ADDRESS": "127.0.0.1:0", "CROUPIER_REST_ADDRESS": "127.0.0.1:0"}
        addresses[f"CROUPIER_{door}_ADDRESS"] = taken
        done = run(["serve"], enterable, CROUPIER_PROCESSES=processes, **addresses)
    assert done.returncode == CAN_BE_MENDED, done.stderr
    assert "Traceback" not in done.stderr
    assert f"{taken} can't be used" in done.stderr


OURS = [NotAllowed, RecordWrong, Signal]
"""What no argument brings about, though it was raised on purpose."""


@pytest.mark.parametrize("fault", [ValueError, OSError, KeyError, TypeError, RuntimeError, *OURS])
@pytest.mark.parametrize(
    ("arguments", "broken"),
    [
        (["serve"], "service.server.serve.serve"),
        (["verify", "--database", "x"], "service.cli.verify.look_into"),
        (["digest", "--check", "x"], "service.cli.evidence.public_keys"),
        (["receipt", "x"], "service.cli.evidence.public_keys"),
        (["export", "rounds", "--database", "x"], "service.cli.export.look_into"),
        (["export", "events", "--database", "x"], "service.cli.export.look_into"),
        (["hands", "x"], "service.cli.reports.hands.report"),
        (["simulate", "x", "--strategy", "x"], "service.cli.reports.simulate.run_simulation"),
        (["keys"], "service.keys.key_file.Keys.fresh"),
        (["migrate", "dbname=x"], "db.migrate.migrate"),
    ],
    ids=lambda value: "-".join(value[:2]) if isinstance(value, list) else "",
)
def test_a_fault_of_the_program_is_shown_whole_and_has_its_own_status(
    arguments: list[str], broken: str, fault: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise fault("a bug")

    monkeypatch.setattr(broken, fail)
    if arguments[0] == "migrate":
        monkeypatch.setattr("db.reach.require_sessions", lambda _: None)
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == FAULT_OF_THE_PROGRAM
    assert "Traceback" in result.output
    assert "a bug" in result.output


def test_every_command_ends_so() -> None:
    assert all(hasattr(command, "__wrapped__") for command in COMMANDS)
    groups = [group.typer_instance for group in app.registered_groups]
    for group in groups:
        assert group is not None
        for each in group.registered_commands:
            assert hasattr(each.callback, "__wrapped__")
