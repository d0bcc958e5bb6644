"""One fault on trial: a copy of the project with the fault in it, and what each stage finds."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from tests.mutants.faults import ROOT, Fault, put_in

COPIED = ("service", "tests")
NO_FAULT = Fault("(no fault)", ())
SECONDS = 1800
"""A stage that takes longer hangs."""


class Trial(msgspec.Struct, frozen=True):
    """A fault, what each stage that was tried has found, and what went wrong with the trial."""

    fault: Fault
    found: dict[str, list[str]]
    problem: str
    seconds: float

    @property
    def verdict(self) -> str:
        """Empty if all is as it should be: a fault was caught, or none was found where none is."""
        caught = any(self.found.values())
        if self.problem:
            return self.problem
        if self.fault.edits:
            return "" if caught else "survives"
        return "found where there is none" if caught else ""


def try_fault(fault: Fault, stages: Sequence[str]) -> Trial:
    """Put a fault in and run the stages, up to the first that finds it."""
    found: dict[str, list[str]] = {}
    problem = ""
    started = time.monotonic()
    with TemporaryDirectory(prefix="mutant-") as folder:
        copy = Path(folder)
        for name in COPIED:
            leave_out = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, copy / name, ignore=leave_out)
        try:
            put_in(fault, copy)
            for stage in stages:
                found[stage] = run_stage(stage, copy)
                if found[stage]:
                    break
        except (ValueError, subprocess.TimeoutExpired) as error:
            problem = str(error)
    return Trial(fault, found, problem, time.monotonic() - started)


def run_stage(stage: str, copy: Path) -> list[str]:
    """What a stage finds in a copy; raises ValueError if the copy does not even run."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutants.stages", stage],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["no word of it"])[-1]
        raise ValueError(f"the stage {stage} did not run: {why}")
    return msgspec.json.decode(done.stdout.splitlines()[-1], type=list[str])
