"""Bankers who decide, stay, go and come otherwise than the rules say: the referee objects."""

import pytest

from tests.referee.faults import (
    Fault,
    add,
    change,
    drop,
    objections,
    pay,
    put_before,
    swap,
    under,
)
from tests.referee.logs import Log, played

CHIP = 100
BANKER = "rotating-banker"
WON = played("TS TH 9D 9H 9C 8C", "2 bet 50, 3 bet 20, 2 stand, 3 stand", BANKER, seats="3")
PUSHED = played("TS TH 9D 9H 7C 8C", "2 bet 50, 3 bet 20, 2 stand, 3 stand", BANKER, seats="3")
CHOSE = played("TS AD 9H 7C 2S", "2 bet 50, 2 stand, 1 hit, 1 stand", BANKER, seats="2")
BUST = played("TS AD 6H 7C TH", "2 bet 50, 2 hit", BANKER, seats="2")
STOOD_BY_LEAVING = played("TS AD 9H 7C", "2 bet 50, 2 stand, 1 leaves", BANKER, seats="2")
DEALT_AGAIN = played(
    "TS TH 9D 9H 9C 8C TS 9D 9H 8C",
    "2 bet 50, 3 bet 20, 2 stand, 3 stand, 1 sits-out, 2 bet 10, 2 stand",
    BANKER,
    seats="3",
)
TOO_SMALL = played("AS 9D KH 8C", "2 bet 10", BANKER, seats="2", starting_stack="20")
VACATED = played(
    "TS 9D 7H TC", "2 bet 10, 2 stand, 1 leaves, 1 comes p3", BANKER, seats="2", starting_stack="20"
)
RAN_AWAY = played("TS TH 9D 8H 8C TC", "2 bet 50, 3 bet 20, 2 leaves, 3 stand", BANKER, seats="3")
STOOD_AND_RAN = played(
    "TS TH 9D 9H 8C 8C", "2 bet 50, 3 bet 20, 2 stand, 2 leaves, 3 stand", BANKER, seats="3"
)
BANKER_RAN = played(
    "6S TH 9S 9D 5H 6C 7H TC 9H TD",
    "2 bet 50, 3 bet 20, 4 bet 10, 2 double, 3 hit, 1 leaves",
    BANKER,
    seats="4",
)
BOTH_RAN = played(
    "TS TH 9D 9H 8C 8C",
    "2 bet 50, 3 bet 20, 2 stand, 2 leaves, 1 leaves",
    BANKER,
    seats="3",
)
LEFT_AGAINST_BETS = played("TS", "2 bet 50, 1 leaves", BANKER, seats="3")
LEFT_WITH_A_BET = played("TS", "2 bet 50, 2 leaves", BANKER, seats="3")
LEFT_ALONE = played("TS", "3 sits-out, 1 leaves, 2 leaves", BANKER, seats="3")
IDLE = played("TS", "2 bet 50, 2 leaves, 1 idles", BANKER, seats="3")

_ASKED = {"type": "BankerTurnStarted", "seat": 1}
_CARD = {"type": "DealerCardDealt", "card": "2S", "position": 6, "salt": ""}
_BET = {"type": "BetPlaced", "seat": 2, "stake": 10 * CHIP, "pair_bets": []}
_BET_BACK = {"type": "BetReturned", "seat": 2, "returned": 50 * CHIP}
_GAINED = {"type": "BankerChanged", "seat": 3, "cause": "everybody_gained"}
_FORFEITED = {"type": "HandEnded", "seat": 2, "hand": 1, "cause": "forfeited"}

FALSE: dict[str, tuple[Log, Fault, str]] = {
    "the second to sit is the banker": (WON, change("BankerChanged", seat=2), "the banker: 2"),
    "nobody is banker at the start": (WON, drop("BankerChanged"), "does not move on, first"),
    "the banker sits out": (DEALT_AGAIN, change("SatOut", seat=3), "the banker sits out"),
    "the banker is not asked": (CHOSE, drop("BankerTurnStarted"), "waits for: banker's turn"),
    "the banker is asked once only": (
        CHOSE,
        drop("BankerTurnStarted", 2),
        "waits for: banker's turn",
    ),
    "the banker is asked on hard 17": (WON, put_before("HandSettled", _ASKED), "the banker is"),
    "the banker is asked about nothing": (BUST, put_before("HandSettled", _ASKED), "the banker is"),
    "a punter is asked": (CHOSE, change("BankerTurnStarted", seat=2), "the banker who is asked"),
    "the banker is asked where the house rule holds": (
        CHOSE,
        under(soft_17="stand"),
        "the banker is asked, when",
    ),
    "the banker does not answer": (CHOSE, drop("DealerStood"), "waits for: banker's choice"),
    "the banker stands without a choice": (
        WON,
        put_before("HandSettled", {"type": "DealerStood", "cause": "player"}),
        "the bank stands, when",
    ),
    "the banker stands for one who is there": (
        CHOSE,
        change("DealerStood", cause="left"),
        "the bank stands, when",
    ),
    "the table stands for the banker": (
        CHOSE,
        change("DealerStood", cause="table"),
        "the bank stands for table",
    ),
    "the banker chooses without a deadline": (
        CHOSE,
        drop("DeadlineSet", 3),
        "without its deadline",
    ),
    "the bank stays when everybody gained": (WON, drop("BankerChanged", 2), "does not move on"),
    "the bank goes on clockwise": (WON, change("BankerChanged", 2, seat=2), "the banker: 2"),
    "the bank goes on in the dark": (WON, change("BankerChanged", 2, cause="left"), "no reason"),
    "the bank moves on after a push": (PUSHED, add(_GAINED), "moves on for no reason"),
    "the bank comes back with the next round": (
        DEALT_AGAIN,
        change("RoundOpened", banker=1),
        "the banker: 1",
    ),
    "another banker before is remembered": (
        DEALT_AGAIN,
        change("RoundOpened", last_banker=1),
        "the last banker: 1",
    ),
    "a small bank stays": (TOO_SMALL, drop("BankerChanged", 2), "does not move on, everybody"),
    "a bank goes to a stack that is too small": (
        VACATED,
        change("BankerChanged", 2, seat=2),
        "the banker: 2 in the journal, 0 by the rules",
    ),
    "a vacant bank stays vacant": (VACATED, drop("BankerChanged", 3), "does not move on, vacant"),
    "a bet at a table that waits": (TOO_SMALL, add(_BET), "a bet"),
    "a bet while nobody has the bank": (
        VACATED,
        put_before("SeatTaken", _BET, 3),
        "waits for players",
    ),
    "a round is over at a table that waits": (
        LEFT_ALONE,
        add({"type": "RoundSettled", "seats": []}),
        "a round is over at a table that waits for players",
    ),
    "bets stay when the banker leaves": (
        LEFT_AGAINST_BETS,
        drop("BetReturned"),
        "bets stay when the banker leaves",
    ),
    "the bank stays with one who has left": (
        LEFT_AGAINST_BETS,
        drop("BankerChanged", 2),
        "does not move on, left",
    ),
    "a bet is taken back": (RAN_AWAY, put_before("ShoeOpened", _BET_BACK), "back for no reason"),
    "a bet comes back to one who stays": (
        LEFT_WITH_A_BET,
        change("SeatLeft", seat=3),
        "back for no reason",
    ),
    "a table is idle while its clock runs": (IDLE, drop("DeadlineSet", 2), "did not end: idle"),
    "an open hand stays in the round": (
        RAN_AWAY,
        drop("HandEnded"),
        "a forfeited hand ended otherwise",
    ),
    "an open hand is paid to one who ran": (
        RAN_AWAY,
        pay(2, 1, 50 * CHIP, "push"),
        "the result",
    ),
    "a finished hand is forfeited": (
        STOOD_AND_RAN,
        put_before("HoleCardTurned", _FORFEITED),
        "did not end: forfeited",
    ),
    "a finished hand is lost by leaving": (
        STOOD_AND_RAN,
        pay(2, 1, 0, "forfeit"),
        "the result",
    ),
    "a banker who ran pays nobody": (BANKER_RAN, pay(4, 1, 10 * CHIP, "push"), "the result"),
    "a banker who ran pays a double": (BANKER_RAN, pay(2, 1, 200 * CHIP), "the return of a win"),
    "a banker who ran does not pay a bust": (BANKER_RAN, pay(3, 1, 0, "bust"), "the result"),
    "a banker who ran pays one who had gone": (
        BOTH_RAN,
        pay(2, 1, 100 * CHIP, "win"),
        "the result",
    ),
    "a banker who ran leaves a hand open": (
        BANKER_RAN,
        drop("HandEnded", 3),
        "an open hand is settled",
    ),
    "a banker who ran draws": (BANKER_RAN, put_before("HandSettled", _CARD), "the dealer draws"),
    "a banker who ran is asked": (BANKER_RAN, put_before("HandSettled", _ASKED), "is asked, when"),
    "a banker who ran stays banker": (BANKER_RAN, drop("BankerChanged", 2), "move on, left"),
    "a hand ends by a banker who is there": (
        RAN_AWAY,
        change("HandEnded", 2, cause="banker_left"),
        "did not end: banker_left",
    ),
    "leaving after the hole card is up is no standing": (
        STOOD_BY_LEAVING,
        drop("DealerStood"),
        "waits for: banker's stand",
    ),
    "the banker is gone before he stands": (
        STOOD_BY_LEAVING,
        swap("SeatLeft", "DealerStood"),
        "the bank stands, when",
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_the_referee_objects(name: str) -> None:
    log, fault, what = FALSE[name]
    assert what in objections(log, fault)
