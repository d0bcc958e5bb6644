"""Voiding the round that is running, what players see of a void, and what can't be voided."""

import pytest

from service.rules.hand import Action
from service.rules.money import CHIP
from service.rules.reasons import Reason
from service.table.events import RoundSettled
from service.table.phase import FinishCause, Phase
from service.table.showing.shown import News
from tests.table.driver import Place, Table, refused

# Cards go to the seats in ascending order and then to the dealer, twice.
BOTH_LOSE = "TC TD TH 8C 8D 9H"  # 18 and 18 against 19
BOTH_WIN = "TC TD TH 9C 9D 8H"  # 19 and 19 against 18
ANN_WINS = "TC TD TH TS 7D 8H"  # 20 and 17 against 18
STANDS = "2C 3C TD 4C 5C TH"


def match(**options: str) -> Table:
    """Ann and Bob in a ranked match of ten rounds, with 1,000 chips each."""
    return Table("ranked-match", "ann", "bob", **({"seats": "2"} | options))


def test_a_running_round_gives_the_stakes_back() -> None:
    table = match()
    table.cards(STANDS)
    table.bet("ann", 100)
    table.bet("bob", 250)
    assert (table.stack("ann"), table.stack("bob")) == (900, 750)
    table.void(1)
    assert table.phase() is Phase.SETTLED
    assert (table.stack("ann"), table.stack("bob")) == (1000, 1000)
    (settled,) = table.happened(RoundSettled)
    assert [(one.staked, one.returned, one.net) for one in settled.seats] == [
        (10_000, 10_000, 0),
        (25_000, 25_000, 0),
    ]


def test_doubles_splits_and_insurance_come_back_too() -> None:
    table = match()
    table.cards("8C TD AH 8D TC 2H 3S 7C 5H 2S")
    table.bet("ann", 100)
    table.bet("bob", 100)
    table.act("ann", Action.INSURE)
    table.act("bob", Action.DECLINE)
    table.act("ann", Action.SPLIT)
    table.act("ann", Action.DOUBLE)
    assert table.stack("ann") == 1000 - 50 - 300
    table.void(1)
    assert table.stack("ann") == 1000


def test_what_lies_face_down_stays_so_and_the_shoe_goes_on() -> None:
    table = match()
    table.cards(STANDS)
    table.bet("ann", 100)
    table.bet("bob", 100)
    table.void(1)
    seen = table.seen_by("ann")
    assert "??" in seen.dealer.cards
    assert not any(hand.result for seat in seen.seats for hand in seat.hands)
    dealt = table.state.shoe.dealt
    table.round(BOTH_WIN, ann=100, bob=100)
    assert table.state.shoe.dealt == dealt + 6


def test_the_round_counts_as_played() -> None:
    table = match(rounds="2")
    table.cards(STANDS)
    table.bet("ann", 100)
    table.bet("bob", 100)
    table.void(1)
    assert table.seconds_left == 20
    table.round(ANN_WINS, ann=100, bob=100)
    assert table.state.finish is FinishCause.ROUNDS_PLAYED


def test_a_table_that_was_closing_is_finished_by_the_void() -> None:
    table = match()
    table.cards(STANDS)
    table.bet("ann", 100)
    table.bet("bob", 100)
    table.close()
    table.void(1)
    assert table.state.finish is FinishCause.CLOSED
    assert table.places == [Place("ann", 1, 1000), Place("bob", 1, 1000)]


def test_who_left_the_running_round_takes_the_stake_along() -> None:
    table = Table("ranked-match", "ann", "bob", rounds="0", ranking="none", seats="2")
    table.cards(STANDS)
    table.bet("ann", 100)
    table.bet("bob", 100)
    table.leave("ann")
    table.void(1)
    table.sit("ann")
    assert table.stack("ann") == 1000


def test_a_player_sees_the_void_and_its_reason() -> None:
    table = match()
    table.cards(STANDS)
    table.bet("ann", 100)
    table.bet("bob", 100)
    table.void(1, "the dealer's sleeve")
    assert table.state.void_reason == "the dealer's sleeve"
    news = table.seen_by("ann").announcements
    assert [(one.kind, one.round, one.reason) for one in news] == [
        (News.ROUND_VOIDED, 1, "the dealer's sleeve")
    ]
    table.round(BOTH_WIN, ann=100, bob=100)
    assert table.state.void_reason == ""


def test_what_can_not_be_voided() -> None:
    table = match()
    with refused(Reason.WRONG_PHASE):
        table.void(1)  # nothing is dealt
    with refused(Reason.ROUND_NOT_FOUND):
        table.void(2)
    table.round(BOTH_WIN, ann=100, bob=100)
    table.void(1)
    with refused(Reason.ROUND_VOIDED):
        table.void(1)
    table.round(BOTH_WIN, ann=100, bob=100)
    table.cards(STANDS)
    table.bet("ann", 100)
    table.bet("bob", 100)
    with refused(Reason.ROUND_RUNNING):
        table.void(2)
    with refused(Reason.ROUND_VOIDED):
        table.void(1)
    table.void(3)
    with refused(Reason.ROUND_VOIDED):
        table.void(3)


def test_a_void_that_came_after_the_settlement_is_refused() -> None:
    """It was asked for while the round was running: what it would have reversed is not known."""
    table = match()
    table.round(ANN_WINS, ann=100, bob=100)
    table.settled.clear()
    with refused(Reason.WRONG_PHASE):
        table.void(1)


@pytest.mark.parametrize(
    "reason",
    [
        "\u0646\u06cc\u0645\u200c\u0641\u0627",
        "\U0001f468\u200d\U0001f469",
        "\u5361\u3000\u7834",
        "\u0378",
    ],
    ids=["a joiner", "a family", "a wide space", "a character of a later Unicode"],
)
def test_a_reason_is_a_reason_whatever_characters_a_python_knows(reason: str) -> None:
    table = match()
    table.round(ANN_WINS, ann=100, bob=100)
    table.void(1, reason)
    assert table.state.voided == (1,)


@pytest.mark.parametrize("reason", ["", "  ", "x" * 201, "two\nlines", "\u202ebackwards"])
def test_a_reason_is_given_in_plain_text(reason: str) -> None:
    table = match()
    table.round(ANN_WINS, ann=100, bob=100)
    with refused(Reason.FIELD_INVALID):
        table.void(1, reason)


def test_a_stack_that_was_refilled_meanwhile_never_grows_past_what_can_be_counted() -> None:
    most = (2**53 - 1) // CHIP
    options = {"starting_stack": f"{most}", "bet_step": "1", "min_bet": "1", "max_bet": "0"}
    table = Table("six-deck-h17", "ann", **options, seats="1")
    table.round("TC TH 8C 9H", ann=most)
    assert table.stack("ann") == 0
    table.round("TC TH 9C 8H", ann=1)
    with refused(Reason.STACK_LIMIT):
        table.void(1)
    assert table.stack("ann") == most + 1
