"""Logs in which a void was falsified, and a voided round with a card that nobody may know."""

import pytest

from service.audit.referee import review
from tests.referee.faults import (
    Fault,
    add,
    both,
    change,
    change_within,
    drop,
    objections,
    put_before,
    repeat,
)
from tests.referee.logs import Log, played

BOTH_LOSE = "TC TD TH 8C 8D 9H"  # the seats 2 and 3 against the banker's seat 1
BOTH_WIN = "TC TD TH 9C 9D 8H"
STANDS = "2C 3C TD 4C 5C TH"
RUNNING = played(
    "TC TH 5C 6H 2S TD TS 9D 8S", "1 bet 100, 1 hit, 0 voids 1, 1 bet 50", "four-deck-vegas"
)
SETTLED = played("TC TH 9C 8H", "1 bet 100, 1 stand, 0 voids 1", "six-deck-h17")
BROKE = played(
    "TC TD TH 8C 8D 9H", "1 bet 1000, 2 bet 10, 1 stand, 2 stand, 0 voids 1",
    "ranked-match", seats="2",
)  # fmt: skip
FINISHED = played(
    "TC TH 9C 8H", "1 bet 100, 1 stand, 0 voids 1", "twenty-rounds", rounds="1"
)  # fmt: skip
BANK = played(
    f"{BOTH_WIN} {BOTH_LOSE}",
    "2 bet 500, 3 bet 500, 2 stand, 3 stand, 0 voids 1",
    "rotating-banker", seats="3", starting_stack="1500",
)  # fmt: skip


@pytest.mark.parametrize(
    ("log", "fault", "what"),
    [
        (RUNNING, change_within("RoundVoided", "seats", 0, stack=1), "what the void brings back"),
        (RUNNING, change("RoundVoided", seats=[]), "what the void brings back"),
        (RUNNING, change("RoundVoided", round=2), "the round that is voided"),
        (RUNNING, drop("RoundVoided"), "waits for: decision"),
        (RUNNING, change_within("RoundSettled", "seats", 0, net=-10_000), "the books"),
        (RUNNING, put_before("RoundSettled", {"type": "TableClosing"}), "left open"),
        (SETTLED, change("RoundVoided", round=2), "nothing was settled"),
        (SETTLED, change("RoundVoided", round=0), "nothing was settled"),
        (SETTLED, change("RoundVoided", reason=" "), "without a reason"),
        (SETTLED, change_within("RoundVoided", "seats", 0, reversed=-9_000), "the void changes"),
        (SETTLED, change_within("RoundVoided", "seats", 0, stack=0), "the stack after the void"),
        (SETTLED, change_within("RoundVoided", "seats", 0, seat=2), "whose results are reversed"),
        (SETTLED, repeat("RoundVoided"), "voided twice"),
        (SETTLED, add({"type": "SeatBackIn", "seat": 1}), "comes back for no reason"),
        (BROKE, drop("SeatBackIn"), "SeatBackIn does not follow for seats [1]"),
        (FINISHED, change("RoundVoided", standings=[]), "who is in the standings"),
        (SETTLED, change("RoundVoided", standings=[1]), "a table that goes on"),
        (
            BANK,
            both(
                change_within("RoundVoided", "seats", 0, reversed=99_000, stack=149_000),
                change_within("RoundVoided", "seats", 1, reversed=-50_000),
            ),
            "creates or loses",
        ),
    ],
)  # fmt: skip
def test_a_false_void(log: Log, fault: Fault, what: str) -> None:
    assert what in objections(log, fault)


def test_the_round_after_a_void_says_so() -> None:
    fault = change("RoundOpened", voided=[])
    assert "the voided rounds" in objections(RUNNING, fault)


HIDDEN = played(
    f"{STANDS} {BOTH_LOSE}",
    "2 bet 500, 3 bet 500, 0 voids 1, 2 bet 500, 3 bet 500, 2 stand, 3 stand",
    "rotating-banker", seats="3",
)  # fmt: skip


def test_a_voided_round_may_keep_its_first_cards_face_down() -> None:
    assert review(*HIDDEN) == []
    said = objections(HIDDEN, change_within("RoundVoided", "seats", 1, stack=1))
    assert "the stacks after the void" in said


def test_what_follows_such_a_round_is_judged() -> None:
    assert "the result" in objections(HIDDEN, change("HandSettled", result="win"))
    assert "the place in the shoe" in objections(HIDDEN, change("HoleCardDealt", 2, position=99))


def test_a_settled_round_may_not() -> None:
    assert "stays face down" in objections(HIDDEN, drop("RoundVoided"))
