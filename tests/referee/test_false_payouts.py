"""Results and payouts that the rules do not give: the referee objects to each."""

import pytest

from tests.referee.faults import Fault, change, change_within, drop, objections, pay, under
from tests.referee.logs import Log, played

CHIP = 100
WIN = played("TS 6D 9H TC 9S", "1 bet 50, 1 stand")
BUST = played("TS 6D 6H TC KH", "1 bet 50, 1 hit")
PUSH = played("TS 9D 9H TC", "1 bet 50, 1 stand")
NATURAL = played("AS 9D KH 8C", "1 bet 50")
DOUBLED = played("6S 6D 5H TC TH 9C", "1 bet 50, 1 double")
SPLIT_TENS = played("TS 6D TH TC AD 9S 4C", "1 bet 50, 1 split, 1 stand")
SURRENDERED = played("TS TD 6H 7C", "1 bet 50, 1 surrender")
SURRENDER_LOST = played("TS TD 6H AC", "1 bet 50, 1 surrender", peek="none")
INSURED = played("TS AD 9H KC", "1 bet 50, 1 insure")
INSURED_IN_VAIN = played("TS AD 9H 8C", "1 bet 50, 1 insure, 1 stand")
UNPEEKED = played(
    "8S TD 8H AC TH TC",
    "1 bet 10, 1 split, 1 stand, 1 stand",
    peek="none",
    dealer_natural_takes="original_bets",
)
SEVENS = played("7S 9D 7H TC 7D", "1 bet 50, 1 hit", triple_sevens="2:1/3:1")
LEFT = played("TS 9S 6D 8H 9H TC KD", "1 bet 50, 2 bet 20, 1 leaves, 2 stand", seats="2", decks="8")
PAIR_BET = played(
    "9S TS 6D 9H 9D TC KD",
    "1 bet 50 1:10 2:10, 2 bet 20, 1 stand, 2 stand",
    seats="2",
    decks="8",
    pair_bet="11:1",
)

FALSE: dict[str, tuple[Log, Fault, str]] = {
    "a payout is off by one": (WIN, pay(1, 1, 10001), "the return of a win"),
    "a push is paid": (PUSH, pay(1, 1, 100 * CHIP, "win"), "the result"),
    "a push is lost": (PUSH, pay(1, 1, 0, "lose"), "the result"),
    "a push is called a win": (PUSH, change("HandSettled", result="win"), "the result"),
    "a bust comes back when the dealer busts": (BUST, pay(1, 1, 50 * CHIP, "push"), "the result"),
    "a natural is paid 1:1": (NATURAL, pay(1, 1, 100 * CHIP), "the return of a natural"),
    "a natural is paid 6:5": (NATURAL, pay(1, 1, 110 * CHIP), "the return of a natural"),
    "a natural is paid 2:1": (NATURAL, pay(1, 1, 150 * CHIP), "the return of a natural"),
    "a natural wins as any 21 does": (NATURAL, pay(1, 1, 100 * CHIP, "win"), "the result"),
    "21 after a split is a natural": (SPLIT_TENS, pay(1, 1, 125 * CHIP, "natural"), "the result"),
    "a double is paid on the first stake": (DOUBLED, pay(1, 1, 150 * CHIP), "the return of a win"),
    "a surrender gives all back": (SURRENDERED, pay(1, 1, 50 * CHIP), "the return of a surrender"),
    "a surrender survives a natural": (SURRENDER_LOST, pay(1, 1, 2500, "surrender"), "the result"),
    "insurance pays 1:1": (
        INSURED,
        change("InsuranceSettled", returned=5000),
        "insurance's return",
    ),
    "insurance pays 3:1": (
        INSURED,
        change("InsuranceSettled", returned=10000),
        "insurance's return",
    ),
    "insurance is kept without a natural": (
        INSURED_IN_VAIN,
        change("InsuranceSettled", returned=2500),
        "insurance's return",
    ),
    "insurance is forgotten": (INSURED, drop("InsuranceSettled"), "insurance of seat 1"),
    "all stakes are lost to an unpeeked natural": (UNPEEKED, pay(1, 2, 0, "lose"), "the result"),
    "one stake is lost where all are": (UNPEEKED, under(dealer_natural_takes="all"), "the result"),
    "a bonus is paid as a win": (SEVENS, pay(1, 1, 100 * CHIP, "win"), "the result"),
    "mixed sevens are paid as suited": (SEVENS, pay(1, 1, 200 * CHIP), "the return of a bonus"),
    "three sevens are a bonus everywhere": (SEVENS, under(triple_sevens=None), "did not end"),
    "a forfeit is paid": (LEFT, pay(1, 1, 100 * CHIP, "win"), "the result"),
    "a hand left behind plays on": (LEFT, drop("HandEnded"), "a forfeited hand ended otherwise"),
    "the books do not add up": (WIN, change_within("RoundSettled", "seats", 0, net=0), "the books"),
    "a lost pair bet is paid": (PAIR_BET, change("PairBetSettled", 2, returned=1), "bet's return"),
    "a pair bet pays 10:1": (PAIR_BET, change("PairBetSettled", returned=11000), "bet's return"),
    "a pair bet stays open": (PAIR_BET, drop("PairBetSettled"), "waits for: pair bets"),
    "a round that is not settled": (WIN, drop("RoundSettled"), "waits for: settlement"),
}


@pytest.mark.parametrize("name", FALSE)
def test_the_referee_objects(name: str) -> None:
    log, fault, what = FALSE[name]
    assert what in objections(log, fault)
