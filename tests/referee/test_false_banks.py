"""Banks that cover too much, or get and pay what the rules do not say: the referee objects."""

import pytest

from tests.referee.faults import (
    Fault,
    both,
    change,
    change_within,
    drop,
    objections,
    pay,
    repeat,
    swap,
    under,
)
from tests.referee.logs import Log, played

CHIP = 100
BANKER = "rotating-banker"
LOST = played("TS 9D 7H TC", "2 bet 50, 2 stand", BANKER, seats="2")
WON = played("TS 9D 9H 8C", "2 bet 50, 2 stand", BANKER, seats="2")
SMALL = played("TS 9D 7H TC", "2 bet 60, 2 stand", BANKER, seats="2", starting_stack="100")
DOUBLED = played("6S 9D 5H TC 9H", "2 bet 50, 2 double", BANKER, seats="2", starting_stack="100")
SPLIT = played(
    "8S 9D 8H TC 9H TH",
    "2 bet 50, 2 split, 2 stand, 2 stand",
    BANKER,
    seats="2",
    starting_stack="100",
)
PAIR_BETS = played(
    "9S TS 9D 9H JH TC",
    "2 bet 50 2:10 3:10, 3 bet 20, 2 stand, 3 stand",
    BANKER,
    seats="3",
    starting_stack="400",
)
INSURED = played("TS KD 9H AC", "2 bet 50, 2 insure", BANKER, seats="2")
INSURED_NATURAL = played("AS 7D KH AC", "2 bet 50, 2 insure", BANKER, seats="2")
TWO_TO_ONE = played("TS KD 9H AC", "2 bet 50, 2 insure", BANKER, seats="2", insurance="two_to_one")

FALSE: dict[str, tuple[Log, Fault, str]] = {
    "the banker bets": (LOST, change("BetPlaced", seat=1), "the banker bets"),
    "a bet that may cost more than the bank has": (
        SMALL,
        under(natural_pays={"numerator": 2, "denominator": 1}),
        "more than the bank covers",
    ),
    "bets that one by one are covered": (
        PAIR_BETS,
        change("BetPlaced", 2, stake=150 * CHIP),
        "more than the bank covers",
    ),
    "a pair bet that may cost more than the bank has": (
        PAIR_BETS,
        under(pair_bet={"numerator": 33, "denominator": 1}),
        "more than the bank covers",
    ),
    "a pair bet on the banker": (
        PAIR_BETS,
        change_within("BetPlaced", "pair_bets", 0, seat=1),
        "a pair bet on the banker",
    ),
    "a double that is not covered": (
        DOUBLED,
        change("SeatTaken", stack=90 * CHIP),
        "may not double",
    ),
    "a split that is not covered": (
        SPLIT,
        change("SeatTaken", stack=90 * CHIP),
        "may not be split",
    ),
    "a double after a split": (SPLIT, change("HandEnded", type="HandDoubled"), "may not double"),
    "a pair bet that nobody pays": (PAIR_BETS, drop("BankMoved"), "the bank does not get"),
    "a pair bet that the bank pays short": (
        PAIR_BETS,
        change("BankMoved", amount=-100 * CHIP),
        "the chips that move to the bank",
    ),
    "a lost pair bet that the bank does not get": (
        PAIR_BETS,
        drop("BankMoved", 2),
        "the bank does not get",
    ),
    "a pair of ten and jack": (
        PAIR_BETS,
        change("PairBetSettled", 2, returned=120 * CHIP),
        "the pair bet's return",
    ),
    "a premium that the bank does not get": (INSURED, drop("BankMoved"), "the bank does not get"),
    "a premium that the bank gets at the end": (
        INSURED,
        swap("BankMoved", "DealerPeeked"),
        "the bank does not get",
    ),
    "a premium that comes back": (
        INSURED,
        change("InsuranceSettled", returned=25 * CHIP),
        "the insurance's return",
    ),
    "a premium that pays 2:1": (
        INSURED,
        change("InsuranceSettled", returned=75 * CHIP),
        "the insurance's return",
    ),
    "an insured stake that is lost": (INSURED, pay(2, 1, 0, "lose"), "the result"),
    "an uninsured stake that is not": (
        INSURED,
        both(drop("InsuranceTaken"), drop("BankMoved")),
        "the result",
    ),
    "an insured natural paid 1:1": (
        INSURED_NATURAL,
        pay(2, 1, 100 * CHIP),
        "the return of a natural",
    ),
    "a stake is protected at 2:1": (TWO_TO_ONE, pay(2, 1, 50 * CHIP, "push"), "the result"),
    "the bank does not pay insurance": (
        TWO_TO_ONE,
        change("BankMoved", amount=50 * CHIP),
        "the chips that move to the bank",
    ),
    "the bank gets too much": (
        LOST,
        change("BankMoved", amount=60 * CHIP),
        "the chips that move to",
    ),
    "the bank pays too little": (
        WON,
        change("BankMoved", amount=0),
        "the chips that move to the bank",
    ),
    "the bank gets nothing": (LOST, drop("BankMoved"), "the bank is not settled"),
    "the bank is paid twice": (LOST, repeat("BankMoved"), "the bank is settled twice"),
    "the bank is paid first": (LOST, swap("HandSettled", "BankMoved"), "settled before seat 2"),
    "the bank falls below nothing": (
        SMALL,
        change("BankMoved", amount=-200 * CHIP),
        "the bank falls to",
    ),
    "the bank is missing from the books": (
        LOST,
        change("RoundSettled", seats=lambda seats: seats[1:]),
        "the books",
    ),
    "chips come from nowhere": (
        LOST,
        change("HandSettled", returned=50 * CHIP),
        "the chips of the table",
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_the_referee_objects(name: str) -> None:
    log, fault, what = FALSE[name]
    assert what in objections(log, fault)
