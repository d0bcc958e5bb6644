"""Section 8: on which seats a pair bet may be laid, and within which limits.

What becomes of one is in `tests/hands/pair_bet.yaml`.
"""

import pytest

from service.rules.reasons import Reason
from service.table.events import BankMove, BankMoved, PairBetReturned, PairBetSettled
from tests.table.driver import Table, refused


@pytest.fixture
def table() -> Table:
    """Ann holds the bank on seat 1; Bob, Cid and Dan are punters, seats 5 and 6 are empty."""
    return Table("rotating-banker", "ann", "bob", "cid", "dan")


@pytest.mark.parametrize("seat", [1, 5, 7, 0])
def test_it_goes_on_a_punters_seat_only(table: Table, seat: int) -> None:
    with refused(Reason.PAIR_BET_NOT_ALLOWED):
        table.bet("bob", 10, (seat, 10))


@pytest.mark.parametrize(
    ("stake", "reason"),
    [
        (0, Reason.STAKE_INVALID),
        (5, Reason.STAKE_BELOW_MINIMUM),
        (15, Reason.STAKE_NOT_A_STEP),
        (510, Reason.STAKE_ABOVE_MAXIMUM),
    ],
)
def test_it_has_the_limits_and_the_step_of_a_stake(
    table: Table, stake: int, reason: Reason
) -> None:
    with refused(reason):
        table.bet("bob", 10, (3, stake))


def test_it_needs_a_main_bet(table: Table) -> None:
    with refused(Reason.STAKE_INVALID):
        table.bet("bob", 0, (3, 10))


def test_a_seat_is_named_once(table: Table) -> None:
    with refused(Reason.PAIR_BET_NOT_ALLOWED):
        table.bet("bob", 10, (3, 10), (3, 20))


def test_it_is_paid_from_what_the_main_bet_leaves() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid", starting_stack="200", pair_bet="2:1")
    with refused(Reason.STACK_TOO_SMALL):
        table.bet("bob", 100, (2, 60), (3, 50))
    assert table.stack("bob") == 200


def test_it_needs_a_rule_set_that_has_it() -> None:
    table = Table("rotating-banker", "ann", "bob", pair_bet="none")
    with refused(Reason.PAIR_BET_NOT_ALLOWED):
        table.bet("bob", 10, (2, 10))


def test_it_may_be_laid_on_a_seat_that_has_not_bet_yet_and_comes_back(table: Table) -> None:
    table.cards("TS 9D 8H 8C")
    table.bet("bob", 10, (3, 20), (4, 30))
    table.sit_out("cid")
    table.sit_out("dan")
    assert table.happened(PairBetReturned) == [
        PairBetReturned(2, 3, 20_00),
        PairBetReturned(2, 4, 30_00),
    ]
    assert table.stack("bob") == 4990


def test_it_is_settled_right_after_the_deal(table: Table) -> None:
    table.cards("TS 8S 9D 9H 8H 7C")
    table.bet("bob", 10, (2, 10), (3, 20))
    table.bet("cid", 10)
    table.sit_out("dan")
    assert table.happened(PairBetSettled) == [
        PairBetSettled(2, 2, 10_00, 0),
        PairBetSettled(2, 3, 20_00, 240_00),
    ]
    moved = [event.amount for event in table.happened(BankMoved)]
    assert moved == [10_00, -220_00]
    assert {event.cause for event in table.happened(BankMoved)} == {BankMove.PAIR_BETS}
    assert (table.stack("ann"), table.stack("bob")) == (4790, 5200)


def test_only_a_pair_that_won_turns_the_first_card_up(table: Table) -> None:
    table.cards("TS 8S 9D 9H 8H 7C")
    table.bet("bob", 10, (2, 10), (3, 20))
    table.bet("cid", 10)
    table.sit_out("dan")
    hands = [seat.hands[0].cards for seat in table.seen_by("eve").seats if seat.hands]
    assert hands == [("??", "9H"), ("8S", "8H")]
