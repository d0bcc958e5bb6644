"""Standard output that can't be written to: a line and the command's own status, no trace."""

import subprocess
import sys
from pathlib import Path

import pytest

CROUPIER = Path(sys.executable).parent / "croupier"
TESTS = Path(__file__).parents[1]

PRINTING = {
    "keys": (f"{CROUPIER} keys", 1),
    "help": (f"{CROUPIER} --help", 1),
    "version": (f"{CROUPIER} --version", 1),
    "help of a command": (f"{CROUPIER} verify --help", 1),
    "hands": (f"{CROUPIER} hands {TESTS}/hands/insurance.yaml", 2),
    "simulate": (
        f"{CROUPIER} simulate twenty-rounds --rounds 9 --strategy {TESTS}/truth/strategy.yaml",
        2,
    ),
}
SAID = {
    ">/dev/full": "No space left on device",
    ">&-": "Bad file descriptor",
    ">&- <&-": "Bad file descriptor",
}


@pytest.mark.parametrize("where", SAID)
@pytest.mark.parametrize("name", PRINTING)
def test_a_full_or_closed_output_is_said_in_a_line(name: str, where: str) -> None:
    command, status = PRINTING[name]
    done = shell(f"{command} {where}")
    assert done.stderr == f"croupier: standard output: {SAID[where]}\n"
    assert done.returncode == status


@pytest.mark.parametrize("name", PRINTING)
def test_a_reader_who_goes_is_no_fault(name: str) -> None:
    """As in `croupier hands … | head`; and it is not a status that a command gives itself."""
    done = shell(f"{PRINTING[name][0]} | true; exit ${{PIPESTATUS[0]}}")
    assert done.stderr == ""
    assert done.returncode == 141


def test_what_opens_a_file_does_not_become_a_closed_output(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "from service.cli.output import watch_standard_output\n"
        "watch_standard_output()\n"
        f"assert open({str(tmp_path / 'other')!r}, 'w').fileno() > 2\n"
    )
    assert shell(f"{sys.executable} {program} >&-").stderr == ""


@pytest.mark.parametrize("end", ["pass", "raise typer.Exit(1)"])
def test_what_nobody_flushed_fails_while_the_command_runs(end: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import typer\n"
        "from service.cli.endings import UNANSWERED, ending\n"
        "from service.cli.output import watch_standard_output\n"
        "watch_standard_output()\n"
        "with ending(UNANSWERED):\n"
        "    print('a little', end='')\n"
        f"    {end}\n"
    )
    done = shell(f"{sys.executable} {program} >/dev/full")
    assert done.stderr == "croupier: standard output: No space left on device\n"
    assert done.returncode == 2


def test_what_is_printed_arrives(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\n"
        "from service.cli.endings import ending\n"
        "from service.cli.output import watch_standard_output\n"
        "print('one')\n"
        "watch_standard_output()\n"
        "with ending():\n"
        "    sys.stdout.buffer.write(b'two\\n' * 100_000)\n"
        "    print('three', end='')\n"
    )
    done = shell(f"{sys.executable} {program}")
    assert done.stdout == "one\n" + "two\n" * 100_000 + "three"
    assert done.stderr == ""


def shell(command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
