"""Section 8: each way in which a table comes to be short of players or of a banker, and goes on.

Before a bet and after one, with some who have sat out, in a running round: it waits, closes no
round, and no clock runs, until somebody sits down.
"""

from service.table.events import BetReturned, RoundSettled
from service.table.phase import FinishCause, Phase
from tests.table.driver import Table

WON = "TS 9D 8H 8C"
"""One punter stands on 18 against 17."""
LOST = "TS 9D 8H TC"


def closed_a_round(table: Table) -> bool:
    """Whether the last row closed one, if only an empty one."""
    return bool(table.happened(RoundSettled))


def waits(table: Table) -> bool:
    """Whether the table waits: nobody is asked for a bet, no clock runs, and all see it."""
    views = [table.seen_by(seat.player) for seat in table.state.seats]
    assert all(seen.phase is Phase.WAITING for seen in views)
    return table.seconds_left == 0 and not any(seen.your and seen.your.bet for seen in views)


def test_a_punter_left_alone_before_the_first_bet_waits() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.leave("ann", "cid")
    assert table.banker == "bob"
    assert not closed_a_round(table)
    assert waits(table)


def test_a_banker_left_alone_with_a_bet_laid_waits_and_the_bet_comes_back() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.bet("bob", 10)
    table.leave("bob")
    assert table.happened(BetReturned) == [BetReturned(2, 10_00)]
    table.leave("cid")
    assert not closed_a_round(table)
    assert waits(table)


def test_a_punter_whose_bet_lay_and_who_is_left_alone_waits_without_a_clock() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.bet("bob", 10)
    table.leave("ann")
    assert table.happened(BetReturned) == [BetReturned(2, 10_00)]
    assert (table.banker, table.seconds_left) == ("cid", 0)
    table.leave("cid")
    assert table.banker == "bob"
    assert not closed_a_round(table)
    assert waits(table)
    table.sit("dan")
    table.round(WON, dan=10)
    assert table.stack("dan") == 5010


def test_a_new_banker_who_had_sat_out_and_is_left_alone_waits() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.sit_out("cid")
    table.leave("ann")
    assert (table.banker, closed_a_round(table)) == ("cid", False)
    table.leave("bob")
    assert not closed_a_round(table)
    assert waits(table)
    table.sit("dan")
    assert (table.banker, table.phase()) == ("cid", Phase.BETTING)
    table.round(WON, dan=10)
    assert table.stack("dan") == 5010


def test_a_banker_left_alone_by_punters_who_had_sat_out_waits() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.sit_out("bob")
    table.leave("bob", "cid")
    assert not closed_a_round(table)
    assert waits(table)


def test_a_punter_who_sat_out_stays_and_no_other_can_answer_any_more() -> None:
    """Two can play on, so the round, in which nobody bet, is over, and the next one begins."""
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.sit_out("bob")
    table.leave("cid")
    assert closed_a_round(table)
    table.round(WON, bob=10)


def test_the_only_one_who_did_not_sit_out_becomes_banker() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.sit_out("bob")
    table.leave("ann")
    assert (table.banker, closed_a_round(table)) == ("cid", True)
    table.round(WON, bob=10)


def vacant_with_one_who_sat_out() -> Table:
    """Ann, who could not lose the bank to anybody, has left; bob has sat the round out."""
    table = Table("rotating-banker", "ann", "bob", "cid", starting_stack="20")
    table.round(LOST, bob=10)
    table.round(LOST, cid=10)
    table.sit_out("bob")
    table.leave("ann")
    assert table.banker == ""
    return table


def test_without_a_banker_those_who_are_left_wait_whoever_sat_out() -> None:
    table = vacant_with_one_who_sat_out()
    assert waits(table)
    table.leave("cid")
    assert not closed_a_round(table)
    assert waits(table)


def test_a_newcomer_who_takes_a_vacant_bank_finds_the_betting_as_it_was_left() -> None:
    table = vacant_with_one_who_sat_out()
    table.sit("dan")
    assert (table.banker, table.phase()) == ("dan", Phase.BETTING)
    table.cards(LOST)
    table.bet("cid", 10)
    table.stand("cid")
    assert (table.phase(), table.stack("cid")) == (Phase.SETTLED, 0)


def test_a_newcomer_who_takes_a_vacant_bank_before_one_who_sat_out_closes_the_round() -> None:
    """Nobody else is awaited: the next round, in which bob may bet, begins."""
    table = vacant_with_one_who_sat_out()
    table.leave("cid")
    table.sit("dan")
    assert (table.banker, closed_a_round(table)) == ("dan", True)
    table.round(WON, bob=10)
    assert table.stack("bob") == 20


def test_punters_who_leave_a_running_round_leave_a_banker_who_waits() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.cards("TS TH 9D 8H 8C TC")
    table.bet("bob", 10)
    table.bet("cid", 10)
    table.leave("bob", "cid")
    assert table.phase() is Phase.SETTLED
    assert waits(table)
    table.sit("dan")
    table.round(WON, dan=10)


def test_a_banker_who_runs_away_leaves_a_punter_who_waits() -> None:
    table = Table("rotating-banker", "ann", "bob")
    table.cards("TS 9D 8H TC")
    table.bet("bob", 10)
    table.leave("ann")
    assert (table.phase(), table.banker) == (Phase.SETTLED, "bob")
    assert waits(table)


def test_with_one_punter_who_is_broke_the_banker_waits_though_another_left() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid", starting_stack="15")
    table.round(LOST, bob=10)
    assert table.seat("bob").out
    table.leave("cid")
    assert not closed_a_round(table)
    assert waits(table)


def test_a_broke_player_who_comes_back_does_not_end_the_waiting() -> None:
    table = Table("rotating-banker", "ann", "bob", starting_stack="15")
    table.round(LOST, bob=10)
    table.leave("bob")
    table.sit("bob")
    assert table.seat("bob").out
    assert waits(table)


def test_a_waiting_table_can_be_closed() -> None:
    table = Table("rotating-banker", "ann", "bob")
    table.leave("bob")
    table.close_idle()
    assert table.state.finish is FinishCause.IDLE


def test_the_rounds_of_a_scheduled_table_that_waits_pass_by_their_clock() -> None:
    """Nobody can sit down any more; a match ends after its rounds."""
    table = Table("rotating-banker", "ann", "bob", "cid", rounds="2")
    table.sit_out("bob")
    table.leave("cid", "bob")
    assert table.state.round == 2  # round 1 was over when only bob, who had sat out, was left
    assert table.seen_by("ann").phase is Phase.WAITING
    table.wait(20)
    assert table.state.finish is FinishCause.ROUNDS_PLAYED
