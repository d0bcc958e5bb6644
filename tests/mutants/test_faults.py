"""The faults can still be put in, and cover all that is demanded; a sample is caught."""

import pytest

from tests.mutants.faults import ROOT, Fault, demanded, faulty, read_faults
from tests.mutants.trial import NO_FAULT, try_fault

FAULTS = read_faults()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.fault)
def test_a_fault_can_be_put_in(fault: Fault) -> None:
    for edit in fault.edits:
        right = (ROOT / edit.file).read_text()
        wrong = faulty(right, edit)
        assert wrong != right
        compile(wrong, edit.file, "exec")


def test_every_fault_that_must_be_found_is_there() -> None:
    assert {fault.of for fault in FAULTS if fault.of} == set(demanded())
    assert len({fault.fault for fault in FAULTS}) == len(FAULTS)


def test_an_edit_that_no_longer_applies_is_named() -> None:
    edit = FAULTS[0].edits[0]
    for text in ("", 2 * edit.replace):
        with pytest.raises(ValueError, match=r"service/rules/dealer_play\.py"):
            faulty(text, edit)


def test_a_fault_is_caught_and_its_absence_is_not() -> None:
    trial = try_fault(FAULTS[0], ["hands"])
    assert "O-R0-07" in trial.found["hands"]
    assert trial.verdict == ""
    assert try_fault(NO_FAULT, ["hands"]).found == {"hands": []}


def test_a_copy_that_does_not_run_has_proved_nothing() -> None:
    edit = FAULTS[0].edits[0]
    broken = Fault("broken", (type(edit)(edit.file, edit.replace, "return no_such_name"),))
    assert "did not run" in try_fault(broken, ["hands"]).verdict
