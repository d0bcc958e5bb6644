"""The closed list of reasons: every one is given by some part of the service, always with the same
metadata, and is the same in the code, in the contract and on the page."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from croupier.v1 import reason_pb2

import service
from service.calls.errors import ApiError
from service.rules.reasons import Reason, Refused

FOLDER = Path(service.__file__).parent
RAISED = ("Refused", "ApiError")
BY_NAME = {
    "live/watcher.py": {"WATCH_BEHIND", "UNAVAILABLE", "UNAUTHENTICATED"},
    "table/deciding/betting.py": {"ALREADY_BET", "BANKER_DOES_NOT_BET", "SEAT_OUT", "WRONG_PHASE"},
    "table/deciding/decide.py": {"STACK_TOO_SMALL", "NOT_COVERED", "WRONG_PHASE"},
}
"""Where the reason is a variable: what it can be there, by what the code matches it with."""


def sites() -> Iterator[tuple[str, ast.Call]]:
    """Every place where a refusal is made."""
    for path in sorted(FOLDER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in RAISED:
                yield str(path.relative_to(FOLDER)), node


SITES = list(sites())


def reason_of(call: ast.Call) -> Reason | None:
    """The reason that is written there; None for a variable."""
    first = call.args[0]
    named = isinstance(first, ast.Attribute) and getattr(first.value, "id", "") == "Reason"
    return Reason[first.attr] if named and isinstance(first, ast.Attribute) else None


@pytest.mark.parametrize(
    ("where", "call"), [pytest.param(*site, id=f"{site[0]}:{site[1].lineno}") for site in SITES]
)
def test_a_reason_comes_with_its_metadata_wherever_it_is_given(where: str, call: ast.Call) -> None:
    given = [keyword.arg for keyword in call.keywords]
    assert None not in given, "the keys have to be written out"
    reason = reason_of(call)
    if reason:
        reason.require_metadata([key for key in given if key])
    else:
        fitting = {one.name for one in Reason if list(one.metadata) == given}
        assert fitting & BY_NAME[where] or given == ["legal_actions"]


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
