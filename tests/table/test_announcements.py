"""What a client tells its user beside the cards."""

import pytest

from service.rules.hand import Action, EndCause
from service.rules.presets import PRESETS
from service.rules.shoe import cut_card
from service.table.events import (
    CardDealt,
    DealerCardDealt,
    Event,
    FirstCardDealt,
    HandEnded,
    HoleCardDealt,
    SeatOut,
    ShoeOpened,
)
from service.table.evolving.evolve import initial_state
from service.table.showing.announcements import announcements
from service.table.showing.shown import Announcement, News
from tests.table.driver import Table

STATE = initial_state(PRESETS["six-deck-h17"])
LAST = cut_card(STATE.rules) - 1
"""The place of the last card before the cut card."""


@pytest.mark.parametrize(
    "card",
    [
        CardDealt(1, 1, "AS", LAST, ""),
        DealerCardDealt("AS", LAST, ""),
        FirstCardDealt(1, LAST),
        HoleCardDealt(LAST),
    ],
)
def test_the_card_before_the_cut_card_is_news(card: Event) -> None:
    assert announcements(STATE, [card]) == (Announcement(News.CUT_CARD_OUT, 0),)


@pytest.mark.parametrize("position", [0, LAST - 1, LAST + 1])
def test_any_other_card_is_none(position: int) -> None:
    assert announcements(STATE, [CardDealt(1, 1, "AS", position, "")]) == ()


def test_news_come_in_the_order_of_the_events() -> None:
    events = [
        ShoeOpened(2, 312, 234, "", "", "", ()),
        CardDealt(1, 1, "AS", LAST, ""),
        HandEnded(1, 1, EndCause.BUST),
        HandEnded(2, 1, EndCause.TIME_OUT),
        SeatOut(3),
    ]
    assert announcements(STATE, events) == (
        Announcement(News.FRESH_SHOE, 0),
        Announcement(News.CUT_CARD_OUT, 0),
        Announcement(News.TIME_RAN_OUT, 2),
        Announcement(News.SEAT_BROKE, 3),
    )


def test_a_banker_whose_time_ran_out_is_news() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.cards("TS 6D 7H AC")
    table.bet("bob", 10)
    table.sit_out("cid")
    table.act("bob", Action.DECLINE)
    table.stand("bob")
    table.wait(20)
    assert table.seen_by("bob").announcements == (Announcement(News.TIME_RAN_OUT, 1),)


def test_it_names_him_who_held_the_bank_though_it_moved_on() -> None:
    """Bob, who is broke, is not asked; cid and dan sit out or bet."""
    table = Table("rotating-banker", starting_stack="30")
    for player, seat in (("ann", 3), ("bob", 1), ("cid", 4), ("dan", 5)):
        table.sit(player, seat=seat)
    table.ready("ann", "bob", "cid", "dan")
    table.round("TS 9D 8H TC", bob=20)
    table.round("TS 9D 8H TC", bob=10)
    assert table.seat("bob").out
    table.cards("TS 6D 9H AC")
    table.bet("cid", 10)
    table.sit_out("dan")
    table.act("cid", Action.DECLINE)
    table.stand("cid")
    table.wait(20)
    assert table.seen_by("bob").announcements == (
        Announcement(News.TIME_RAN_OUT, 3),
        Announcement(News.NEW_BANKER, 5),
    )


@pytest.mark.parametrize("cards", ["TC AH 9C 6D", "TC AH 7C 6D"], ids=["moves on", "stays"])
def test_it_names_him_though_he_had_sat_out_before_the_bank_came_to_him(cards: str) -> None:
    table = Table("rotating-banker", "ann", "bob", "cid", seats="3")
    table.sit_out("cid")
    table.leave("ann")
    assert table.banker == "cid"
    table.cards(cards)
    table.bet("bob", 10)
    table.stand("bob")
    table.wait(20)
    assert table.seen_by("bob").announcements[0] == Announcement(News.TIME_RAN_OUT, 3)


def test_it_names_him_though_the_round_broke_him() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid", starting_stack="30")
    table.cards("5S TH 6D 6H 9C AC TD")
    table.bet("bob", 10)
    table.bet("cid", 10)
    for player in ("bob", "cid"):
        table.act(player, Action.DECLINE)
    table.act("bob", Action.DOUBLE)
    table.stand("cid")
    table.wait(20)
    assert table.stack("ann") == 0
    assert table.seen_by("bob").announcements == (
        Announcement(News.TIME_RAN_OUT, 1),
        Announcement(News.SEAT_BROKE, 1),
        Announcement(News.NEW_BANKER, 3),
    )
