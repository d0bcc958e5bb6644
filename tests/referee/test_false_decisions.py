"""Decisions that are not open, out of turn or out of time: the referee objects to each."""

import pytest

from tests.referee.faults import Fault, change, drop, objections, put_before, repeat, under
from tests.referee.logs import Log, played

WIN = played("TS 6D 9H TC 9S", "1 bet 50, 1 stand")
HIT = played("TS 6D 2H TC 8H KH", "1 bet 50, 1 hit, 1 stand")
DOUBLED = played("6S 6D 5H TC TH 9C", "1 bet 50, 1 double")
SOFT_DOUBLE = played("AS 6D 7H TC 2H 9C", "1 bet 50, 1 double")
SPLIT = played("8S 6D 8H TC 3D KS TH 9C", "1 bet 50, 1 split, 1 double, 1 stand")
SPLIT_UNLIKE = played(
    "TS 6D JH TC 9D 9S 4C", "1 bet 50, 1 split, 1 stand, 1 stand", split_by="value"
)
RESPLIT_ACES = played(
    "AS 6D AH TC AD 9C 8C 5D TH", "1 bet 50, 1 split, 1 split", resplit_aces="yes"
)
ACES_HIT = played(
    "AS 6D AH TC 5D 4D 9C 4C", "1 bet 50, 1 split, 1 hit, 1 stand", hit_split_aces="yes"
)
SURRENDERED = played("TS TD 6H 7C", "1 bet 50, 1 surrender")
INSURED = played("TS AD 9H KC", "1 bet 50, 1 insure")
UNINSURED = played("TS AD 9H 8C", "1 bet 50, 1 decline, 1 stand")
TWO_SEATS = played(
    "TS 9S 6D 8H 9H TC KD", "1 bet 50, 2 bet 20, 1 stand, 2 stand", seats="2", decks="8"
)
TIMED = played("TS 6D 9H TC 9S", "1 bet 50, 1 stand", turn_seconds="20")

_SURRENDER = {"type": "HandEnded", "seat": 1, "hand": 1, "cause": "surrendered"}

FALSE: dict[str, tuple[Log, Fault, str]] = {
    "a double at half the stake": (DOUBLED, change("HandDoubled", stake=2500), "the stake added"),
    "a soft double": (SOFT_DOUBLE, under(double_on="hard_9_to_11"), "may not double"),
    "a double of 11 where none may": (DOUBLED, under(double_on="none"), "may not double"),
    "a double after a split": (SPLIT, under(double_after_split=False), "may not double"),
    "a split of ten and jack": (SPLIT_UNLIKE, under(split_by="rank"), "may not be split"),
    "a split at half the stake": (SPLIT, change("HandSplit", stake=2500), "stake of the new hand"),
    "a hand too many": (RESPLIT_ACES, under(max_hands=2), "may not be split"),
    "aces are split again": (RESPLIT_ACES, under(resplit_aces=False), "may not be split"),
    "a split ace is hit": (ACES_HIT, under(hit_split_aces=False), "a hit on a split ace"),
    "the right hand plays first": (SPLIT, change("HandDoubled", hand=2), "the open hand"),
    "a surrender without the rule": (SURRENDERED, under(surrender="none"), "a surrender"),
    "a surrender after a hit": (HIT, change("HandEnded", cause="surrendered"), "a surrender"),
    "a surrender before the card": (HIT, put_before("HandHit", _SURRENDER), "waits for: hole card"),
    "a seat acts out of turn": (TWO_SEATS, change("HandEnded", seat=2), "the open hand"),
    "a turn that is another seat's": (TWO_SEATS, change("TurnStarted", seat=2), "the open hand"),
    "a turn is not started": (WIN, drop("TurnStarted"), "before its turn is started"),
    "a turn is started twice": (WIN, repeat("TurnStarted"), "a turn is started twice"),
    "a hand ends twice": (WIN, repeat("HandEnded"), "the hand has ended"),
    "a hand ends for no reason": (WIN, change("HandEnded", cause="twenty_one"), "did not end"),
    "insurance is not offered": (UNINSURED, drop("InsuranceOffered"), "insurance offer"),
    "insurance is not asked for": (UNINSURED, drop("InsuranceDeclined"), "waits for: insurance"),
    "insurance where there is none": (
        INSURED,
        under(insurance="none"),
        "insurance is not offered now",
    ),
    "insurance is answered twice": (
        UNINSURED,
        repeat("InsuranceDeclined"),
        "has no insurance to answer",
    ),
    "insurance is offered to nobody": (UNINSURED, change("InsuranceOffered", seats=[]), "who may"),
    "insurance costs a third": (INSURED, change("InsuranceTaken", stake=1500), "the insurance:"),
    "the table answers for a rich seat": (
        UNINSURED,
        change("InsuranceDeclined", cause="table"),
        "a seat that could pay",
    ),
    "a decision without its deadline": (TIMED, drop("DeadlineSet"), "without its deadline"),
    "a deadline where none is": (TIMED, under(turn_seconds=0), "where turn_seconds is 0"),
    "an event that nobody knows": (WIN, change("TurnStarted", type="TurnTaken"), "do not know"),
}


@pytest.mark.parametrize("name", FALSE)
def test_the_referee_objects(name: str) -> None:
    log, fault, what = FALSE[name]
    assert what in objections(log, fault)
