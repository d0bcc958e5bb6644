"""What a client tells its user beside the cards."""

import pytest

from service.rules.hand import EndCause
from service.rules.presets import PRESETS
from service.rules.shoe import cut_card
from service.table.announcements import Announcement, News, announcements
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
from service.table.state import initial_state

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
