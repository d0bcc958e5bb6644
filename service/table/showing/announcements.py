"""What a client tells its user beside the cards: the news of the latest row.

A fresh shoe, a refilled stack, a seat whose time ran out (also the banker's), a seat that is broke,
a player who left, the bank moving on, the cut card coming out, and time that was given back.
"""

from collections.abc import Sequence

from service.rules.hand import EndCause
from service.rules.shoe import cut_card
from service.table import events as e
from service.table.causes import Cause
from service.table.showing.shown import Announcement, News
from service.table.state import State

# Asked first, because most events are cards and few of them are news.
_CARDS = (e.CardDealt, e.DealerCardDealt, e.FirstCardDealt, e.HoleCardDealt)


def announcements(state: State, latest: Sequence[e.Event]) -> tuple[Announcement, ...]:
    """The news in the events of the newest row, in their order; `state` is the one after them."""
    news = []
    cut = cut_card(state.rules)
    for event in latest:
        if isinstance(event, _CARDS):
            if cut and event.position + 1 == cut:
                news.append(Announcement(News.CUT_CARD_OUT, 0))
            continue
        match event:
            case e.ShoeOpened():
                news.append(Announcement(News.FRESH_SHOE, 0))
            case e.StackRefilled(seat=seat):
                news.append(Announcement(News.STACK_REFILLED, seat))
            case (
                e.SatOut(seat=seat, cause=Cause.TIME_OUT)
                | e.InsuranceDeclined(seat=seat, cause=Cause.TIME_OUT)
                | e.HandEnded(seat=seat, cause=EndCause.TIME_OUT)
            ):
                news.append(Announcement(News.TIME_RAN_OUT, seat))
            case e.DealerStood(cause=Cause.TIME_OUT):
                news.append(Announcement(News.TIME_RAN_OUT, _banker_of_the_round(state, latest)))
            case e.SeatOut(seat=seat):
                news.append(Announcement(News.SEAT_BROKE, seat))
            case e.BankerChanged(seat=seat):
                news.append(Announcement(News.NEW_BANKER, seat))
            case e.RoundVoided(round=number, reason=reason):
                news.append(Announcement(News.ROUND_VOIDED, 0, number, reason))
            case e.TimeGivenBack():
                news.append(Announcement(News.TIME_GIVEN_BACK, 0))
            case e.SeatLeft(seat=seat):
                news.append(Announcement(News.PLAYER_LEFT, seat))
    return tuple(news)


def _banker_of_the_round(state: State, latest: Sequence[e.Event]) -> int:
    """Who held the bank in the round that these events settled: it may have moved on since.

    Only the banker is in the books without a hand. 0 where the books name no banker, who then
    neither won nor lost: the bank moves on so only after a void has left the banker too few chips.
    """
    if not any(isinstance(event, e.BankerChanged) for event in latest):
        return state.banker
    settled = next(event for event in latest if isinstance(event, e.RoundSettled))
    dealt_in = {seat.number for seat in state.dealt_in}
    return next((one.seat for one in settled.seats if one.seat not in dealt_in), 0)
