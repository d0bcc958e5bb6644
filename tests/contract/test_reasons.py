"""The closed list of reasons: every one is given by some part of the service, always with the same
metadata, and is the same in the code, in the contract and on the page."""

import ast
from enum import Enum

import pytest
from croupier.v1 import reason_pb2, table_pb2

from service.calls.errors import ApiError
from service.rules.hand import Action
from service.rules.reasons import Reason, Refused
from service.table.phase import FinishCause, Phase
from tests.contract.refusal_sites import FOLDER, MADE_BY, Site, sites

SITES = list(sites())


@pytest.mark.parametrize("site", SITES, ids=str)
def test_a_reason_comes_with_its_metadata_wherever_it_is_given(site: Site) -> None:
    keys = [key for key in site.keys if key is not None]
    assert len(keys) == len(site.keys), "the keys have to be written out"
    assert site.reasons
    for reason in site.reasons:
        reason.require_metadata(keys)


def test_every_place_that_makes_a_refusal_is_looked_at() -> None:
    """Found by text, which does not care about functions, cases and names."""
    seen = len(SITES)
    written = 0
    for path in FOLDER.rglob("*.py"):
        tree = ast.parse(path.read_text())
        written += sum(
            isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in MADE_BY
            for node in ast.walk(tree)
        )
        for node in ast.walk(tree):
            if isinstance(node, ast.alias) and node.name in MADE_BY:
                assert node.asname is None, f"{path}: {node.name} keeps its name"
            if isinstance(node, ast.ClassDef):
                assert not {ast.unparse(base) for base in node.bases} & set(MADE_BY), path
    assert seen == written > 90


@pytest.mark.parametrize("kind", [Action, Phase, FinishCause], ids=lambda kind: kind.__name__)
def test_metadata_names_the_values_of_enums_as_the_contract_does(kind: type[Enum]) -> None:
    wire = table_pb2.DESCRIPTOR.enum_types_by_name[kind.__name__].values
    prefix = wire[0].name.removesuffix("UNSPECIFIED")
    assert {f"{prefix}{value.name}" for value in kind} == {one.name for one in wire[1:]}
    (name,) = Refused(Reason.WRONG_PHASE, "not now", phase=next(iter(kind))).details.values()
    assert f"{prefix}{name}" in {one.name for one in wire}


def test_other_metadata_than_declared_is_a_fault_of_the_program() -> None:
    for refuse in (Refused, ApiError):
        with pytest.raises(TypeError, match="STAKE_BELOW_MINIMUM comes with stake, min_bet"):
            refuse(Reason.STAKE_BELOW_MINIMUM, "too little", stake=1)
        with pytest.raises(TypeError, match="CONTENTION comes with no metadata"):
            refuse(Reason.CONTENTION, "again", seconds=1)


def test_every_reason_is_given_somewhere() -> None:
    text = "".join(
        path.read_text()
        for path in FOLDER.rglob("*.py")
        if path.name not in ("reasons.py", "errors.py")
    )
    unused = [reason.name for reason in Reason if f"Reason.{reason.name}" not in text]
    assert unused == []


def test_code_and_contract_have_the_same_reasons() -> None:
    wire = {name.removeprefix("REASON_"): number for name, number in reason_pb2.Reason.items()}
    del wire["UNSPECIFIED"]
    assert wire == {reason.name: reason.value for reason in Reason}
