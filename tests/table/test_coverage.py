"""Section 8: first come, first served, while the banker's stack covers the worst case.

Rounds in which coverage refuses an action are in `tests/hands/coverage.yaml`.
"""

from service.rules.hand import Action
from service.rules.reasons import Reason
from service.table.showing.shown import BetOptions
from tests.table.driver import Table, refused


def bet_options(table: Table, player: str) -> BetOptions:
    your = table.seen_by(player).your
    assert your
    assert your.bet
    return your.bet


def test_first_come_first_served() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid", "dan", starting_stack="300")
    table.bet("bob", 120)
    assert bet_options(table, "cid").max_stake == 80_00
    with refused(Reason.NOT_COVERED):
        table.bet("cid", 90)
    table.bet("cid", 80)
    assert bet_options(table, "dan").max_stake == 0
    with refused(Reason.NOT_COVERED):
        table.bet("dan", 10)


def test_what_is_covered_below_the_least_bet_is_not_offered() -> None:
    options = {"starting_stack": "100", "min_bet": "20"}
    table = Table("rotating-banker", "ann", "bob", "cid", **options)
    table.bet("bob", 50)
    assert bet_options(table, "cid").max_stake == 0


def test_a_bet_that_comes_back_is_covered_no_more() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid", "dan", starting_stack="300")
    table.bet("bob", 200)
    table.leave("bob")
    table.bet("cid", 200)


def test_open_pair_bets_count_at_their_ratio() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid", starting_stack="300")
    with refused(Reason.NOT_COVERED):
        table.bet("bob", 60, (2, 10), (3, 10))
    table.bet("bob", 50, (2, 10), (3, 10))
    assert bet_options(table, "cid").max_stake == 0


def test_stakes_that_were_lost_count_for_the_next_round() -> None:
    table = Table("rotating-banker", "ann", "bob", starting_stack="300")
    table.round("TS 9D 8H TC", bob=200)
    assert table.stack("ann") == 500
    assert bet_options(table, "bob").max_stake == 100_00


def test_a_premium_counts_for_the_bank_at_once() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid", starting_stack="300")
    table.cards("6S TS 9D 5H TH AC 8H")
    table.bet("bob", 100)
    table.bet("cid", 100)
    table.act("bob", Action.INSURE)
    assert table.stack("ann") == 350
    table.act("cid", Action.DECLINE)
    table.act("bob", Action.DOUBLE)
    assert table.seat("bob").hands[0].stake == 200_00
