"""Section 7: what leaving between rounds and in a running round does to the table.

What it does to the leaver's hands is in `tests/hands/leaving.yaml` and `running_away.yaml`.
"""

from service.rules.hand import Action, Result
from service.rules.reasons import Reason
from service.table.events import BetReturned, DealerPeeked, PairBetReturned
from service.table.phase import FinishCause, Phase
from tests.table.driver import Table, refused


def test_leaving_between_rounds_frees_the_seat_and_brings_the_bet_back() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.bet("bob", 100, (2, 20), (3, 30))
    table.leave("bob")
    assert table.happened(BetReturned) == [BetReturned(2, 150_00)]
    assert [one.stack for one in table.state.departed] == [5000_00]
    table.sit("dan")
    assert table.seat("dan").number == 2


def test_pair_bets_on_a_seat_that_is_left_come_back() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid", "dan")
    table.bet("bob", 10, (2, 20), (3, 30))
    table.leave("cid")
    assert table.happened(PairBetReturned) == [PairBetReturned(2, 3, 30_00)]
    assert table.stack("bob") == 5000 - 10 - 20


def test_the_deal_follows_when_the_last_one_awaited_leaves() -> None:
    table = Table("ranked-match", "ann", "bob")
    table.cards("TS 6D 9H TC KD")
    table.bet("ann", 10)
    table.leave("bob")
    assert table.phase() is Phase.TURNS


def test_a_question_that_is_still_open_is_dropped() -> None:
    table = Table("ranked-match", "ann", "bob")
    table.cards("TS 9S AD 8H 9H 7C")
    table.bet("ann", 10)
    table.bet("bob", 10)
    table.act("ann", Action.INSURE)
    table.leave("bob")
    assert table.happened(DealerPeeked) == [DealerPeeked(natural=False)]
    assert (table.phase(), table.state.active_seat) == (Phase.TURNS, 1)


def test_nobody_left_in_the_round_means_no_peek_and_no_draw() -> None:
    table = Table("ranked-match", "ann", "bob", "cid")
    table.cards("TS 9S AD 8H 9H 4C")
    table.bet("ann", 10)
    table.bet("bob", 10)
    table.sit_out("cid")
    table.leave("ann", "bob")
    assert not table.happened(DealerPeeked)
    assert table.state.dealer.cards == ("AD", "4C")
    assert table.phase() is Phase.SETTLED


def test_the_seat_of_who_left_a_running_round_is_free_after_it() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.cards("TS 9S 9D 8H 9H 8C")
    table.bet("bob", 10)
    table.bet("cid", 10)
    table.leave("bob")
    table.stand("cid")
    assert table.state.seat(2).hands[0].result is Result.FORFEIT
    table.sit("dan", seat=2)
    assert table.stack("dan") == 5000


def test_a_seat_that_sits_the_round_out_is_free_at_once() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.cards("TS 9D 8H 7C")
    table.bet("bob", 10)
    table.sit_out("cid")
    table.leave("cid")
    assert [seat.player for seat in table.state.seats] == ["ann", "bob"]
    assert table.phase() is Phase.TURNS


def test_one_remaining_player_plays_the_scheduled_rounds_to_the_end() -> None:
    table = Table("ranked-match", "ann", "bob", rounds="3")
    table.round("TS 9S 6D 8H 9H TC KD", ann=10, bob=10)
    table.leave("bob")
    for _ in range(2):
        assert table.state.finish is None
        table.round("TS 6D 9H TC KD", ann=10)
    assert table.state.finish is FinishCause.ROUNDS_PLAYED


def test_a_match_that_all_have_left_is_over() -> None:
    table = Table("ranked-match", "ann", "bob")
    table.leave("ann")
    table.leave("bob")
    assert table.state.finish is FinishCause.ALL_LEFT


def test_a_match_that_all_have_left_in_a_running_round_is_over() -> None:
    table = Table("ranked-match", "ann", "bob")
    table.cards("TS 9S 6D 8H 9H TC")
    table.bet("ann", 10)
    table.bet("bob", 10)
    table.leave("ann", "bob")
    assert table.state.finish is FinishCause.ALL_LEFT


def test_an_open_ended_table_that_all_have_left_waits_for_others() -> None:
    table = Table("rotating-banker", "ann", "bob")
    table.leave("ann", "bob")
    assert table.state.finish is None
    table.sit("cid", "dan")
    assert table.banker == "cid"
    table.round("TS 9D 8H 8C", dan=10)
    assert table.stack("dan") == 5010


def test_an_operator_closes_a_table_and_laid_bets_come_back() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.bet("bob", 100, (3, 10))
    table.close()
    assert (table.state.finish, table.stack("bob")) == (FinishCause.CLOSED, 5000)
    with refused(Reason.TABLE_FINISHED):
        table.bet("cid", 10)


def test_a_dealt_round_is_finished_before_the_table_closes() -> None:
    table = Table("rotating-banker", "ann", "bob")
    table.cards("TS 9D 8H 8C")
    table.bet("bob", 100)
    table.close()
    assert table.phase() is Phase.TURNS
    table.stand("bob")
    assert (table.state.finish, table.stack("bob")) == (FinishCause.CLOSED, 5100)
