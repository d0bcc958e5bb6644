"""Cards that the rules do not deal: the deal, the shoe, the dealer; the referee objects to each."""

import pytest

from tests.referee.faults import (
    Fault,
    both,
    change,
    change_within,
    drop,
    objections,
    put_before,
    repeat,
    swap,
    under,
)
from tests.referee.logs import Log, played

WIN = played("TS 6D 9H TC 9S", "1 bet 50, 1 stand")
TWICE = played("TS 6D 9H TC TS", "1 bet 50, 1 stand")
PUSH = played("TS 9D 9H TC", "1 bet 50, 1 stand")
SOFT_17 = played("TS 6D 8H AC TD", "1 bet 50, 1 stand")
BUST = played("TS 6D 6H TC KH", "1 bet 50, 1 hit")
NATURAL = played("AS 9D KH 8C", "1 bet 50")
DOUBLED = played("6S 6D 5H TC TH 9C", "1 bet 50, 1 double")
SPLIT = played("8S 6D 8H TC 3D KS TH 9C", "1 bet 50, 1 split, 1 double, 1 stand")
UNINSURED = played("TS AD 9H 8C", "1 bet 50, 1 decline, 1 stand")
PEEKED = played("TS KD 9H AC", "1 bet 50")
TWO_SEATS = played(
    "TS 9S 6D 8H 9H TC KD", "1 bet 50, 2 bet 20, 1 stand, 2 stand", seats="2", decks="8"
)
HIDDEN = played("TS 6D 9H TC 9S", "1 bet 50, 1 stand", first_card_hidden="yes")
TWO_ROUNDS = played("TS 9D 8H TC TH 9C 8S TD", "1 bet 100, 1 stand, 1 bet 100, 1 stand")
SHOES = played("TS 9D 8H TC", "1 bet 100, 1 stand, 1 bet 100, 1 stand", penetration="0")


def _draw(position: int) -> Fault:
    card = {"type": "DealerCardDealt", "card": "2S", "position": position, "salt": ""}
    return put_before("HandSettled", card)


FALSE: dict[str, tuple[Log, Fault, str]] = {
    "a card is counted as another": (PUSH, change("CardDealt", card="2S"), "the result"),
    "a card that is none": (PUSH, change("CardDealt", card="1S"), "is not a card"),
    "a card is moved": (WIN, change("CardDealt", 2, position=7), "the place in the shoe"),
    "a card is dealt twice": (WIN, repeat("CardDealt"), "who is dealt to"),
    "a pack holds a card twice": (TWICE, under(decks=1), "TS for the 2th time"),
    "a seat is passed over in the deal": (TWO_SEATS, drop("CardDealt"), "who is dealt to"),
    "seats are dealt to in descending order": (
        TWO_SEATS,
        both(change("CardDealt", seat=2), change("CardDealt", 2, seat=1)),
        "who is dealt to",
    ),
    "the hole card is the other one": (WIN, under(hole_card="first"), "who is dealt to"),
    "the hole card lay elsewhere": (WIN, change("HoleCardTurned", position=5), "place of the hole"),
    "the hole card stays down": (NATURAL, drop("HoleCardTurned"), "waits for: hole card"),
    "a double gives no card": (DOUBLED, drop("CardDealt", 3), "waits for: card"),
    "a double gives two cards": (DOUBLED, repeat("CardDealt", 3, position=5), "a card to a hand"),
    "the right hand gets its card first": (SPLIT, change("CardDealt", 3, hand=2), "gets a card"),
    "no peek under an ace": (UNINSURED, drop("DealerPeeked"), "waits for: peek"),
    "no peek under a ten": (PEEKED, drop("DealerPeeked"), "waits for: peek"),
    "a peek under a ten without the rule": (PEEKED, under(peek="ace"), "a peek, when"),
    "a peek that overlooks": (PEEKED, change("DealerPeeked", natural=False), "waits for: decision"),
    "a peek that cries wolf": (UNINSURED, change("DealerPeeked", natural=True), "the peek found"),
    "the dealer draws on 17": (PUSH, _draw(4), "the dealer draws"),
    "the dealer draws for a natural": (NATURAL, _draw(4), "the dealer draws"),
    "the dealer draws for a bust": (BUST, _draw(5), "the dealer draws"),
    "the dealer stands on 16": (WIN, drop("DealerCardDealt", 2), "waits for: draw"),
    "the dealer hits soft 17 here": (SOFT_17, under(soft_17="stand"), "the dealer draws"),
    "the dealer stands on soft 17": (SOFT_17, drop("DealerCardDealt", 2), "waits for: draw"),
    "cards vanish between rounds": (
        TWO_ROUNDS,
        change_within("RoundOpened", "shoe", dealt=5),
        "the place in the shoe",
    ),
    "a fresh shoe does not come": (TWO_ROUNDS, under(penetration=0), "fresh shoe that is due"),
    "a fresh shoe comes too early": (SHOES, under(penetration=75), "a fresh shoe after"),
    "an old shoe stays secret": (SHOES, drop("ShoeRevealed"), "was not revealed"),
    "a shoe of another commitment": (WIN, change("TableOpened", commitment="x"), "the commitment"),
    "the cut card lies elsewhere": (WIN, change("ShoeOpened", cut_card=233), "the cut card"),
    "a first card that is not hidden": (WIN, under(first_card_hidden=True), "who is dealt to"),
    "a first card that is hidden": (HIDDEN, under(first_card_hidden=False), "who is dealt to"),
    "a first card turned up early": (HIDDEN, swap("HandEnded", "FirstCardTurned"), "too early"),
    "a first card never turned up": (HIDDEN, drop("FirstCardTurned"), "stays face down"),
}


@pytest.mark.parametrize("name", FALSE)
def test_the_referee_objects(name: str) -> None:
    log, fault, what = FALSE[name]
    assert what in objections(log, fault)
