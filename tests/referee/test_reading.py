"""How the referee reads: where a log may begin and stop, and what an objection says."""

import ast
import sys
from pathlib import Path
from typing import get_args

import service.audit.referee
from service.audit.referee import review
from service.audit.referee.reading import READERS
from service.table.events import AnyEvent
from tests.referee.faults import both, change, falsified
from tests.referee.logs import played

TWO_ROUNDS = played("TS 9D 8H TC TH 9C 8S TD", "1 bet 100, 1 stand, 1 bet 100, 1 stand")


def test_the_referee_judges_every_event_there_is_and_no_other() -> None:
    assert set(READERS) == {event.__name__ for event in get_args(AnyEvent)}


def test_an_objection_names_round_and_place() -> None:
    log = falsified(TWO_ROUNDS, change("HandSettled", 2, result="win"))
    (objection,) = review(*log)
    assert objection.round == 2
    assert log.events[objection.place]["type"] == "HandSettled"


def test_reading_goes_on_after_an_objection() -> None:
    fault = both(change("HandSettled", 1, result="win"), change("HandSettled", 2, result="win"))
    assert [one.round for one in review(*falsified(TWO_ROUNDS, fault))] == [1, 2]


def test_what_makes_no_sense_is_an_objection_and_no_crash() -> None:
    fault = change("CardDealt", seat=5)
    assert "is not possible here" in review(*falsified(TWO_ROUNDS, fault))[0].what


def test_a_log_that_stops_in_nonsense_is_an_objection_and_no_crash() -> None:
    no_upcard = change("DealerCardDealt", type="HoleCardDealt")
    log = falsified(played("TS AD 9H 8C", "1 bet 50"), no_upcard)
    assert "an impossible state" in review(*log)[-1].what


def test_a_log_may_begin_with_any_round() -> None:
    rule_set, events = TWO_ROUNDS
    start = next(i for i, event in enumerate(events) if event["type"] == "RoundOpened")
    assert review(rule_set, events[start:]) == []


def test_a_round_that_is_not_over_is_read_as_far_as_it_goes() -> None:
    assert review(*played("TS 6D 9H TC", "1 bet 50")) == []
    assert review(*played("TS 6D 9H TC", "1 bet 50", first_card_hidden="yes")) == []


def test_the_referee_imports_the_standard_library_and_itself_only() -> None:
    own = service.audit.referee.__name__
    for file in Path(service.audit.referee.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                root = name.partition(".")[0]
                assert name.startswith(own) or root in sys.stdlib_module_names, (file, name)
