"""Every hand history of this folder holds."""

from pathlib import Path

import pytest

from service.audit.hands.case import Case
from service.audit.hands.outcome import Verdict
from service.audit.hands.play import play_case
from service.audit.hands.reader import read_file

FILES = sorted(Path(__file__).parent.glob("*.yaml"))
CASES = [
    pytest.param(case, id=f"{file.stem}-{case.id}") for file in FILES for case in read_file(file)
]


@pytest.mark.parametrize("case", CASES)
def test_hand_history(case: Case) -> None:
    outcome = play_case(case)
    shown = "\n".join(
        f"{one.place}: {one.written} is written, {one.played} was played"
        for one in outcome.differences
    )
    assert outcome.verdict is Verdict.HOLDS, shown


def test_there_are_hand_histories() -> None:
    assert len(FILES) >= 20
    assert len(CASES) >= 200
