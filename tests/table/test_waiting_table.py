"""Section 8: when nobody can hold the bank, or nobody can bet, the table waits for somebody."""

from service.rules.hand import Action
from service.rules.reasons import Reason
from service.table.events import BankChange, BankerChanged
from service.table.phase import Phase
from tests.table.driver import Table, refused

WON = "TS 9D 8H 8C"
"""One punter stands on 18 against 17."""
LOST = "TS 9D 8H TC"


def test_when_nobody_can_hold_the_bank_the_table_waits_until_somebody_sits_down() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid", starting_stack="20")
    table.round(LOST, bob=10)
    table.round(LOST, cid=10)
    assert (table.stack("bob"), table.stack("cid")) == (10, 10)
    table.leave("ann")
    assert table.happened(BankerChanged) == [BankerChanged(0, BankChange.LEFT)]
    assert table.seen_by("bob").phase is Phase.WAITING
    with refused(Reason.WRONG_PHASE):
        table.bet("bob", 10)
    table.sit("dan")
    assert table.happened(BankerChanged) == [BankerChanged(1, BankChange.VACANT)]
    table.round(WON, bob=10)
    assert table.stack("bob") == 20


def test_a_newcomer_who_can_not_hold_a_vacant_bank_changes_nothing() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid", "dan", starting_stack="20")
    for player in ("bob", "cid", "dan"):
        table.round(LOST, **{player: 10})
    table.leave("dan", "ann")
    assert table.banker == ""
    table.sit("dan")
    assert not table.happened(BankerChanged)
    assert table.seen_by("bob").phase is Phase.WAITING


def test_with_fewer_than_two_players_the_table_waits_until_somebody_sits_down() -> None:
    table = Table("rotating-banker", "ann", "bob")
    table.leave("ann")
    assert (table.banker, table.seen_by("bob").phase) == ("bob", Phase.WAITING)
    table.sit("cid")
    assert table.seen_by("cid").phase is Phase.BETTING
    table.round(WON, cid=10)
    assert table.stack("cid") == 5010


def test_with_only_broke_punters_the_table_waits() -> None:
    table = Table("rotating-banker", "ann", "bob", starting_stack="15")
    table.round(LOST, bob=10)
    assert table.seat("bob").out
    assert table.seen_by("ann").phase is Phase.WAITING
    table.sit("cid")
    assert table.seen_by("ann").phase is Phase.BETTING


def test_who_held_a_vacant_bank_last_is_the_last_in_line() -> None:
    table = Table("rotating-banker", "ann", "bob")
    table.cards("TS 6D 9H AC")
    table.bet("bob", 10)
    table.act("bob", Action.DECLINE)
    table.stand("bob")
    table.leave("bob")
    table.stand("ann")
    assert table.happened(BankerChanged) == [BankerChanged(0, BankChange.EVERYBODY_GAINED)]
    table.sit("cid")
    assert table.banker == "cid"


def test_a_first_banker_who_holds_too_little_steps_down_after_the_first_round() -> None:
    table = Table("rotating-banker", "ann", "bob", starting_stack="14.5")
    with refused(Reason.NOT_COVERED):
        table.bet("bob", 10)
    table.sit_out("bob")
    assert table.happened(BankerChanged) == [BankerChanged(0, BankChange.TOO_SMALL)]
