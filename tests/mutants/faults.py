"""The faults, and how one is put into a copy of the service."""

from pathlib import Path

import msgspec
import yaml

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Text of a file that is replaced; it stands there exactly once."""

    file: str
    replace: str
    by: str


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fault, by what it makes of the game; `of` is the entry of the list that demands it."""

    fault: str
    edits: tuple[Edit, ...]
    of: str = ""


def read_faults() -> tuple[Fault, ...]:
    """All faults, in the order of their file."""
    written = yaml.safe_load((HERE / "faults.yaml").read_text())
    return msgspec.convert(written, tuple[Fault, ...])


def demanded() -> list[str]:
    """What the list of faults that must be found names."""
    truth = yaml.safe_load((ROOT / "tests/truth/truth.yaml").read_text())
    return msgspec.convert(truth["faults_that_must_be_found"], list[str])


def faulty(text: str, edit: Edit) -> str:
    """The text of a file with the fault in it; ValueError where the edit does not apply."""
    times = text.count(edit.replace)
    if times != 1:
        raise ValueError(f"{edit.file} has {times} times: {edit.replace}")
    return text.replace(edit.replace, edit.by)


def put_in(fault: Fault, copy: Path) -> None:
    """Put a fault into a copy of the project."""
    for edit in fault.edits:
        file = copy / edit.file
        file.write_text(faulty(file.read_text(), edit))
