"""Bets, seats, rounds and matches that the rules do not allow: the referee objects to each."""

import pytest

from tests.referee.faults import (
    Fault,
    change,
    change_within,
    drop,
    objections,
    put_before,
    repeat,
    under,
)
from tests.referee.logs import Log, played

WIN = played("TS 6D 9H TC 9S", "1 bet 50, 1 stand")
TWO_SEATS = played(
    "TS 9S 6D 8H 9H TC KD", "1 bet 50, 2 bet 20, 1 stand, 2 stand", seats="2", decks="8"
)
ONE_SITS_OUT = played("TS 6D 9H TC 9S", "2 sits-out, 1 bet 50, 1 stand", seats="2", decks="8")
PAIR_BET = played(
    "9S TS 6D 9H 9D TC KD",
    "1 bet 50 1:10 2:10, 2 bet 20, 1 stand, 2 stand",
    seats="2",
    decks="8",
    pair_bet="11:1",
)
PAIR_BET_BACK = played(
    "9S 6D 9H TC KD", "1 bet 50 2:10, 2 sits-out, 1 stand", seats="2", decks="8", pair_bet="11:1"
)
GONE = played("TS 9D 8H TC", "1 bet 50, 2 leaves, 1 stand, 1 leaves", seats="2", decks="8")
REFILLED = played(
    "TS 9D 8H TC TH 9C 8S TD", "1 bet 100, 1 stand, 1 bet 100, 1 stand", starting_stack="100"
)
TWO_ROUNDS = played("TS 9D 8H TC TH 9C 8S TD", "1 bet 100, 1 stand, 1 bet 100, 1 stand")
MATCH = played(
    "TS 9S 9D 8H 9H TC",
    "1 bet 50, 2 bet 20, 1 stand, 2 stand",
    "ranked-match",
    seats="2",
    decks="8",
    rounds="1",
)
CLOSED = played("TS", "1 bet 50, 1 closes", seats="2", decks="8")

TIMED = played(
    "TS 9D 9H TC", "1 bet 50, 1 leaves, 2 bet 20, 2 stand", seats="2", decks="8", bet_seconds="20"
)
BROKE = played("TS 9D 8H TC", "1 bet 10, 1 stand", starting_stack="10", when_broke="end")

_LATE_BET = {"type": "BetPlaced", "seat": 1, "stake": 5000, "pair_bets": []}

FALSE: dict[str, tuple[Log, Fault, str]] = {
    "a bet below the minimum": (WIN, under(min_bet=6000), "a stake of"),
    "a bet above the maximum": (WIN, under(max_bet=4000), "a stake of"),
    "a bet that is not a multiple of the step": (WIN, under(bet_step=4000), "a stake of"),
    "a bet that the stack does not cover": (WIN, change("SeatTaken", stack=4000), "from a stack"),
    "a bet after the deal": (WIN, put_before("HoleCardTurned", _LATE_BET), "after the deal"),
    "a second bet": (TWO_SEATS, repeat("BetPlaced"), "may not bet"),
    "the deal does not wait for a seat": (TWO_SEATS, drop("BetPlaced", 2), "wait for seat 2"),
    "who sits out gets cards": (ONE_SITS_OUT, change("CardDealt", seat=2), "who is dealt to"),
    "sitting out at a table of one seat": (ONE_SITS_OUT, under(max_seats=1), "only bets"),
    "a pair bet without the rule": (PAIR_BET, under(pair_bet=None), "table without them"),
    "a pair bet on no hand is kept": (PAIR_BET_BACK, drop("PairBetReturned"), "gets no cards"),
    "a pair bet comes back short": (
        PAIR_BET_BACK,
        change("PairBetReturned", stake=100),
        "the pair bet that comes back",
    ),
    "a bet comes back short": (CLOSED, change("BetReturned", returned=100), "the bet that comes"),
    "a bet does not come back": (CLOSED, drop("BetReturned"), "with open bets"),
    "a stack grows on the way out": (
        GONE,
        change("SeatLeft", 2, stack=1),
        "the player leaves with",
    ),
    "a refill of a large stack": (REFILLED, under(min_bet=0), "a refill of a stack"),
    "a refill to the wrong stack": (REFILLED, change("StackRefilled", stack=1), "refilled stack"),
    "a refill where there is none": (REFILLED, under(when_broke="end"), "without refills"),
    "a stack changes between rounds": (
        TWO_ROUNDS,
        change_within("RoundOpened", "seats", 0, stack=99_999),
        "carried over",
    ),
    "a round is skipped": (TWO_ROUNDS, change("RoundOpened", round=3), "the number of the round"),
    "a round too many": (TWO_ROUNDS, under(rounds=1), "more than 1 rounds"),
    "two players on one seat": (TWO_SEATS, change("SeatTaken", 2, seat=1), "is taken"),
    "a player on two seats": (TWO_SEATS, change("SeatTaken", 2, player="p1"), "has a seat already"),
    "a start before enough have come": (TWO_SEATS, drop("SeatTaken", 2), "a start with 1 seats"),
    "the standings upside down": (
        MATCH,
        lambda log: log.events[-1]["standings"].reverse(),
        "the order of the standings",
    ),
    "a rank too high": (MATCH, change_within("TableFinished", "standings", 1, rank=1), "the rank"),
    "a match goes on after its rounds": (MATCH, drop("TableFinished"), "must be finished"),
    "a match ends too early": (MATCH, under(rounds=2), "the table did not end"),
    "the betting clock stands still": (MATCH, drop("DeadlineSet"), "the betting clock runs"),
    "the betting clock runs on without a bet": (
        TIMED,
        drop("DeadlineSet", 2),
        "the betting clock runs",
    ),
    "a broke seat plays on": (BROKE, drop("SeatOut"), "SeatOut does not follow for seats"),
    "a journal without its beginning": (WIN, drop("TableOpened"), "a journal begins with"),
    "the last shoe stays secret": (MATCH, drop("ShoeRevealed"), "last shoe was not revealed"),
}


@pytest.mark.parametrize("name", FALSE)
def test_the_referee_objects(name: str) -> None:
    log, fault, what = FALSE[name]
    assert what in objections(log, fault)
