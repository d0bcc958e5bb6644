"""Section 7: when clocks run, and what the table answers for those whose time is over."""

from service.rules.hand import Action, EndCause
from service.rules.reasons import Reason
from service.table.causes import Cause
from service.table.events import DealerStood, HandEnded, InsuranceDeclined, SatOut
from service.table.phase import FinishCause, Phase
from tests.table.driver import Table, refused


def test_the_clock_of_a_scheduled_table_starts_at_once_and_after_each_settlement() -> None:
    table = Table("ranked-match", "ann", "bob")
    assert table.seconds_left == 20
    table.round("TS 9S 6D 8H 9H TC KD", ann=10, bob=10)
    assert table.seconds_left == 20


def test_the_clock_of_an_open_ended_table_starts_with_the_first_bet() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    assert table.seconds_left == 0
    table.bet("bob", 10)
    assert table.seconds_left == 20


def test_a_second_bet_does_not_wind_the_clock_up_again() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid", "dan")
    table.bet("bob", 10)
    table.now += 15
    table.bet("cid", 10)
    assert table.seconds_left == 5


def test_no_bet_in_time_sits_the_round_out_and_loses_nothing() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.cards("TS 9D 8H 7C TD")
    table.bet("bob", 10)
    with refused(Reason.NOT_DUE):
        table.wait(19)
    table.wait(1)
    assert table.happened(SatOut) == [SatOut(3, Cause.TIME_OUT)]
    assert (table.seat("cid").hands, table.stack("cid")) == ((), 5000)
    assert table.phase() is Phase.TURNS


def test_each_action_has_its_own_deadline() -> None:
    table = Table("rotating-banker", "ann", "bob")
    table.cards("2S 9D 3H 7C 4D 5H")
    table.bet("bob", 10)
    for _ in range(2):
        assert table.seconds_left == 20
        table.now += 19
        table.act("bob", Action.HIT)
    assert table.seconds_left == 20


def test_the_insurance_phase_has_one_deadline_for_all() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.cards("TS 9S 7D 8H 9H AC")
    table.bet("bob", 10)
    table.bet("cid", 10)
    assert (table.phase(), table.seconds_left) == (Phase.INSURANCE, 10)
    table.now += 4
    table.act("bob", Action.INSURE)
    assert table.seconds_left == 6
    table.wait(6)
    assert table.happened(InsuranceDeclined) == [InsuranceDeclined(3, Cause.TIME_OUT)]
    assert (table.phase(), table.seconds_left) == (Phase.TURNS, 20)


def test_a_turn_out_of_time_stands_that_hand_only() -> None:
    table = Table("rotating-banker", "ann", "bob")
    table.cards("8S 9D 8H 7C 2D 3H TD")
    table.bet("bob", 10)
    table.act("bob", Action.SPLIT)
    table.wait(20)
    assert table.happened(HandEnded) == [HandEnded(2, 1, EndCause.TIME_OUT)]
    assert (table.state.active_hand, table.seconds_left) == (2, 20)


def test_a_banker_out_of_time_stands_and_stays_banker() -> None:
    table = Table("rotating-banker", "ann", "bob")
    table.cards("TS 7D 8H AC")
    table.bet("bob", 10)
    table.act("bob", Action.DECLINE)
    table.stand("bob")
    assert (table.phase(), table.seconds_left) == (Phase.BANKER, 20)
    table.wait(20)
    assert table.happened(DealerStood) == [DealerStood(Cause.TIME_OUT)]
    assert (table.phase(), table.banker) == (Phase.SETTLED, "ann")


def test_each_draw_of_a_banker_has_its_own_deadline() -> None:
    table = Table("rotating-banker", "ann", "bob")
    table.cards("TS 6D 8H AC AD")
    table.bet("bob", 10)
    table.act("bob", Action.DECLINE)
    table.stand("bob")
    table.now += 19
    table.act("ann", Action.HIT)
    assert (table.phase(), table.seconds_left) == (Phase.BANKER, 20)


def test_a_table_without_limits_has_no_deadlines() -> None:
    limits = {"bet_seconds": "0", "insurance_seconds": "0", "turn_seconds": "0"}
    table = Table("rotating-banker", "ann", "bob", **limits)
    table.cards("TS 7D 8H AC")
    table.bet("bob", 10)
    assert table.seconds_left == 0
    table.act("bob", Action.DECLINE)
    assert table.seconds_left == 0
    table.stand("bob")
    assert (table.phase(), table.seconds_left) == (Phase.BANKER, 0)


def test_the_betting_deadline_does_not_outlive_the_deal() -> None:
    limits = {"insurance_seconds": "0", "turn_seconds": "0"}
    table = Table("rotating-banker", "ann", "bob", **limits)
    table.cards("TS 7D 8H AC")
    table.bet("bob", 10)
    assert (table.phase(), table.seconds_left) == (Phase.INSURANCE, 0)


def test_an_open_ended_table_where_nobody_bets_waits_without_a_deadline() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    for _ in range(3):
        table.sit_out("bob", "cid")
        assert table.phase() is Phase.SETTLED
        assert table.seconds_left == 0
    table.bet("bob", 10)
    assert table.seconds_left == 20


def test_a_table_whose_only_bet_came_back_has_no_deadline() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.bet("bob", 10)
    table.leave("bob")
    assert (table.phase(), table.seconds_left) == (Phase.BETTING, 0)
    table.now += 60
    table.cards("TS 9D 8H 7C TD")
    table.bet("cid", 10)
    assert table.phase() is Phase.TURNS


def test_a_table_where_another_bet_lies_keeps_its_deadline() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid", "dan")
    table.bet("bob", 10)
    table.bet("cid", 10)
    table.leave("bob")
    assert table.seconds_left == 20


def test_rounds_of_a_scheduled_table_pass_though_nobody_bets() -> None:
    table = Table("ranked-match", "ann", "bob", rounds="2")
    table.wait(20)
    assert (table.state.round, table.phase()) == (1, Phase.SETTLED)
    table.wait(20)
    assert table.state.finish is FinishCause.ROUNDS_PLAYED


def test_an_idle_table_is_closed_between_rounds_and_without_a_deadline_only() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.bet("bob", 10)
    with refused(Reason.ROUND_RUNNING):
        table.close_idle()
    table.leave("bob")
    table.close_idle()
    assert table.state.finish is FinishCause.IDLE
