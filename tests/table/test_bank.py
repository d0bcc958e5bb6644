"""Section 8: who holds the bank, when he steps down, who is next, and when the table waits."""

import pytest

from service.rules.hand import Action
from service.rules.reasons import Reason
from service.table.events import BankChange, BankerChanged, BetReturned, DealerStood
from service.table.phase import Phase
from tests.table.driver import Table, refused

WON = "TS 9D 8H 8C"
"""One punter stands on 18 against 17: each punter gained."""
PUSHED = "TS 9D 8H 9C"
LOST = "TS 9D 8H TC"
ALL_WON = "TS TH 9D 8H 8C 8D"
"""Two punters do."""


def test_the_first_to_sit_down_is_the_banker() -> None:
    table = Table("rotating-banker")
    table.sit("ann", seat=4)
    table.sit("bob", seat=1)
    table.ready("ann", "bob")
    assert table.banker == "ann"


def test_if_he_leaves_before_the_start_the_earliest_seated_one_is() -> None:
    table = Table("rotating-banker")
    table.sit("ann")
    table.sit("bob", seat=5)
    table.sit("cid", seat=2)
    table.leave("ann")
    assert table.happened(BankerChanged) == [BankerChanged(5, BankChange.FIRST)]
    table.leave("bob")
    table.sit("bob", "dan")
    assert table.banker == "cid"


def test_the_banker_does_not_bet_or_sit_out() -> None:
    table = Table("rotating-banker", "ann", "bob")
    with refused(Reason.BANKER_DOES_NOT_BET):
        table.bet("ann", 10)
    with refused(Reason.BANKER_DOES_NOT_BET):
        table.sit_out("ann")
    your = table.seen_by("ann").your
    assert your
    assert your.bet is None


def test_the_banker_alone_sees_his_hole_card() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.cards("TS TH 9D 8H 8C 7C")
    table.bet("bob", 10)
    table.bet("cid", 10)
    assert table.seen_by("ann").dealer.cards == ("9D", "7C")
    assert table.seen_by("ann").dealer.total == 16
    for viewer in ("bob", "cid", "eve"):
        assert table.seen_by(viewer).dealer.cards == ("??", "7C")


def test_the_banker_plays_from_his_own_stack() -> None:
    table = Table("rotating-banker", "ann", "bob")
    table.round(WON, bob=100)
    assert (table.stack("ann"), table.stack("bob")) == (4900, 5100)


def test_he_steps_down_after_a_round_in_which_each_punter_gained() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.round(ALL_WON, bob=10, cid=10)
    assert table.happened(BankerChanged) == [BankerChanged(3, BankChange.EVERYBODY_GAINED)]


def test_who_sits_the_round_out_prevents_nothing() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.round(WON, bob=10)
    assert table.banker == "cid"


def test_one_punter_who_did_not_gain_keeps_him() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.round("TS TH 9D 8H 7D 8C", bob=10, cid=10)
    assert table.banker == "ann"


def test_a_push_keeps_him() -> None:
    table = Table("rotating-banker", "ann", "bob")
    table.round(PUSHED, bob=10)
    assert table.banker == "ann"


def test_a_round_in_which_nobody_bets_keeps_him() -> None:
    table = Table("rotating-banker", "ann", "bob")
    table.sit_out("bob")
    assert (table.phase(), table.banker) == (Phase.SETTLED, "ann")


def test_the_bank_goes_to_the_next_lower_number_and_then_from_the_highest() -> None:
    table = Table("rotating-banker")
    table.sit("ann", seat=4)
    table.sit("bob", seat=1)
    table.sit("cid", seat=3)
    table.sit("dan", seat=6)
    table.ready("ann", "bob", "cid", "dan")
    held = [table.banker]
    for _ in range(5):
        better = "dan" if table.banker != "dan" else "ann"
        table.round(WON, **{better: 10})
        held.append(table.banker)
    assert held == ["ann", "cid", "bob", "dan", "ann", "cid"]


def test_a_seat_with_less_than_one_and_a_half_least_bets_is_passed_over() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid", "dan", starting_stack="30")
    table.round("TS TH 9D 8H 8C TC", cid=10, dan=10)
    table.round(LOST, dan=10)
    assert (table.stack("dan"), table.stack("cid"), table.stack("ann")) == (10, 20, 60)
    table.leave("ann")
    assert table.happened(BankerChanged) == [BankerChanged(3, BankChange.LEFT)]


def test_a_banker_with_too_little_steps_down() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid", starting_stack="30")
    table.cards("5S TH 9D 6H 9C TC TD")
    table.bet("bob", 10)
    table.bet("cid", 10)
    table.act("bob", Action.DOUBLE)
    table.stand("cid")
    assert (table.stack("ann"), table.stack("cid")) == (10, 30)
    assert table.happened(BankerChanged) == [BankerChanged(3, BankChange.TOO_SMALL)]


def test_a_banker_with_just_one_and_a_half_least_bets_stays() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid", starting_stack="30")
    table.round("AS TH 9D KH 9C TC", bob=10, cid=10)
    assert (table.stack("ann"), table.banker) == (15, "ann")


@pytest.mark.parametrize(("stack", "holds"), [("15", True), ("14.5", False)])
def test_one_and_a_half_least_bets_are_enough(stack: str, holds: bool) -> None:
    table = Table("rotating-banker", "ann", "bob", starting_stack=stack)
    table.leave("ann")
    assert table.banker == ("bob" if holds else "")


def test_a_banker_who_leaves_between_rounds_passes_the_bank_and_bets_come_back() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid", "dan")
    table.bet("bob", 100, (3, 10))
    table.bet("cid", 10)
    table.leave("ann")
    assert table.happened(BetReturned) == [BetReturned(2, 110_00), BetReturned(3, 10_00)]
    assert table.happened(BankerChanged) == [BankerChanged(4, BankChange.LEFT)]
    assert table.seconds_left == 0
    table.bet("bob", 10)


def test_a_banker_who_runs_away_passes_the_bank() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.cards("TS TH 9D 8H 8C 7C")
    table.bet("bob", 10)
    table.bet("cid", 20)
    table.leave("ann")
    assert table.happened(BankerChanged) == [BankerChanged(3, BankChange.LEFT)]
    assert (table.stack("bob"), table.stack("cid")) == (5010, 5020)
    table.sit("ann")
    assert (table.stack("ann"), table.banker) == (4970, "cid")


def test_nobody_is_asked_any_more_when_the_banker_has_run_away() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.cards("TS TH 9D 8H 8C AC")
    table.bet("bob", 10)
    table.bet("cid", 20)
    table.leave("ann")
    assert (table.phase(), table.seconds_left) == (Phase.SETTLED, 0)
    assert not any(seat.insurance_open for seat in table.state.seats)


def test_leaving_once_the_hole_card_is_up_counts_as_standing() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.cards("TS 6D 9H AC")
    table.bet("bob", 100)
    table.sit_out("cid")
    table.act("bob", Action.DECLINE)
    table.stand("bob")
    assert table.phase() is Phase.BANKER
    table.leave("ann")
    assert len(table.happened(DealerStood)) == 1
    assert table.happened(BankerChanged) == [BankerChanged(3, BankChange.LEFT)]
    table.sit("ann")
    assert (table.stack("ann"), table.stack("bob")) == (4900, 5100)
