"""What may catch a fault, in the order in which it is tried; each gives what it found.

`python -m tests.mutants.stages NAME`, run in a copy of the project, prints the findings as JSON. A
stage that passes prints an empty list; a copy that can't even run prints none.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from service.audit.hands.outcome import Verdict
from service.audit.hands.play import play_case
from service.audit.hands.reader import read_file
from service.rules.reasons import Refused
from tests.properties.random_tables import play_random_table
from tests.truth.runs import cut_card_runs, findings, presets

REFEREED_ROUNDS = 3_000
ROUNDS_A_TABLE = 15
CUT_CARD_ROUNDS = 5_000
"""Some hundred shoes, in which no card may come out more often than they have it."""
FRESH_SHOE_ROUNDS = 100_000


def hands() -> list[str]:
    """The hand histories that come out otherwise than written."""
    cases = [
        case for file in sorted(Path("tests/hands").glob("*.yaml")) for case in read_file(file)
    ]
    return [case.id for case in cases if play_case(case).verdict is Verdict.DIFFERS]


def referee() -> list[str]:
    """The first objection against random rounds."""
    random = Random("mutants")
    settled = 0
    while settled < REFEREED_ROUNDS:
        try:
            settled += play_random_table(random, ROUNDS_A_TABLE, probing=0.2).rounds
        except (AssertionError, Refused) as error:
            return [f"after {settled} rounds: {error}".splitlines()[0]]
    return []


def times() -> list[str]:
    """The tests that fail on time that is given back."""
    return _failed(["tests/deadlines/test_giving_back.py", "tests/referee/test_false_times.py"])


def shoes() -> list[str]:
    """The tests that fail on whole shoes: their packs, and the battery over their orders."""
    return _failed(["tests/fairness/test_shuffle.py", "tests/randomness/test_battery.py"])


def _failed(tests: list[str]) -> list[str]:
    failed: list[str] = []

    class Listener:
        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.failed:
                failed.append(report.nodeid.rpartition("::")[2])

    options = ["-q", "--noconftest", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=no"]
    options += ["-o", "asyncio_mode=auto"]
    status = pytest.main([*options, *tests], plugins=[Listener()])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise RuntimeError(f"these tests did not run: {status}: {tests}")
    return failed


def truth() -> list[str]:
    """The figures that are not the known ones, of the first run that has any."""
    runs = [(run, CUT_CARD_ROUNDS) for run in cut_card_runs()]
    runs += [(run, FRESH_SHOE_ROUNDS) for run in presets()]
    for run, rounds in runs:
        try:
            found = findings(run, rounds, "mutants", processes=1)
        except IndexError as error:  # the shoe ran out
            return [f"{run}: {error}"]
        wrong = [f"{run}: {one.what}" for one in found if not one.holds]
        if wrong:
            return wrong
    return []


STAGES: dict[str, Callable[[], list[str]]] = {
    "hands": hands,
    "referee": referee,
    "times": times,
    "truth": truth,
    "shoes": shoes,
}


if __name__ == "__main__":
    print(json.dumps(STAGES[sys.argv[1]]()))
