"""Auditors find every kind of fault in the documentation, and on the wire."""

from pathlib import Path

from croupier.v1 import verdict_pb2

from service.records.verification import FaultKind

AUDITORS = Path(__file__).parents[2] / "docs" / "auditors.md"


def test_every_kind_of_fault_is_documented() -> None:
    text = AUDITORS.read_text()
    assert [kind for kind in FaultKind if f"| `{kind}` |" not in text] == []


def test_every_kind_of_fault_is_on_the_wire() -> None:
    wire = {
        name.removeprefix("FAULT_KIND_").lower()
        for name in verdict_pb2.FaultKind.DESCRIPTOR.values_by_name
    }
    assert wire - {"unspecified"} == set(FaultKind)
