"""The ledger of chips objects where chips appear or vanish, whatever else agrees."""

import pytest
from msgspec.structs import replace

from service.audit.verify.check_failed import CheckFailed
from service.audit.verify.ledger import Ledger
from service.rules.presets import PRESETS
from service.table import events as e
from service.table.commands import PairBet

HOUSE, ROTATING = PRESETS["six-deck-h17"], PRESETS["rotating-banker"]


def ledger(rotating: bool = False) -> Ledger:
    """Two players with 1,000 each."""
    rules = replace(ROTATING if rotating else HOUSE, starting_stack=1000)
    made = Ledger(rules)
    made.enter([e.SeatTaken(1, "ann", 1000), e.SeatTaken(2, "bob", 1000)])
    return made


def settled(*seats: tuple[int, str, int, int, int, int]) -> e.RoundSettled:
    return e.RoundSettled(tuple(e.SettledSeat(*seat) for seat in seats))


def test_what_adds_up_is_right() -> None:
    books = ledger(rotating=True)
    books.enter([e.BetPlaced(2, 100, (PairBet(2, 10),)), e.HoleCardDealt(3)])
    books.enter([settled((1, "ann", 150, 0, -150, 850), (2, "bob", 110, 260, 150, 1150))])
    books.enter([e.BetPlaced(2, 50, ())])
    books.enter(
        [
            e.RoundVoided(
                1,
                "a test",
                (e.VoidedSeat(1, "ann", 150, 1000), e.VoidedSeat(2, "bob", -150, 950)),
                (),
            )
        ]
    )
    books.enter([e.BetReturned(2, 50), e.SeatTaken(3, "ann", 1000)])


@pytest.mark.parametrize(
    ("rotating", "event", "message"),
    [
        (False, settled((1, "ann", 100, 200, 100, 1200)), "the stack is not 1200"),
        (False, settled((1, "ann", 100, 200, 50, 1050)), r"the net is not \+50"),
        (False, settled((1, "ann", 1100, 0, -1100, -100)), "has -100"),
        (False, settled((1, "cat", 100, 200, 100, 1100)), "never sat down"),
        (False, e.SeatTaken(3, "ann", 2000), "sits down with 2000"),
        (False, e.BetPlaced(5, 100, ()), "seat 5 is empty"),
        (True, settled((1, "ann", 0, 100, 100, 1100)), r"change by \+100 in all"),
        (
            False,
            e.RoundVoided(1, "a test", (e.VoidedSeat(1, "ann", 100, 1000),), ()),
            "has 1100 after the void, not 1000",
        ),
        (
            True,
            e.RoundVoided(1, "a test", (e.VoidedSeat(1, "ann", 100, 1100),), ()),
            r"change by \+100 in all",
        ),
    ],
)
def test_what_does_not_add_up_is_wrong(rotating: bool, event: e.Event, message: str) -> None:
    with pytest.raises(CheckFailed, match=message):
        ledger(rotating).enter([event])
