"""Voiding a round at a table with a rotating banker: the chips of the table stay what they are."""

from service.rules.hand import Action
from service.table.events import BankChange, BankerChanged, BetReturned, RoundVoided
from service.table.phase import Phase
from tests.table.driver import Table

# To Bob, to Cleo, the hole card, then Bob, Cleo and the upcard.
BOTH_WIN = "TC TD TH 9C 9D 8H"  # 19 and 19 against 18
BOTH_LOSE = "TC TD TH 8C 8D 9H"  # 18 and 18 against 19
BOB_WINS = "TC TD TH TS 7D 8H"  # 20 and 17 against 18
BOB_LOSES = "TC TD TH 7D TS 8H"  # 17 and 20 against 18
NO_DECISION_YET = "8C TD TH 8D 6C 6H"  # Bob has a pair of eights


def bank(**options: str) -> Table:
    """Ann holds the bank, Bob and Cleo bet against it; 5,000 chips each."""
    return Table("rotating-banker", "ann", "bob", "cleo", **({"seats": "3"} | options))


def stacks(table: Table) -> tuple[int, ...]:
    return tuple(table.stack(player) for player in ("ann", "bob", "cleo"))


def test_pair_bets_and_premiums_of_a_running_round_go_back() -> None:
    table = bank()
    table.cards("8C TD TH 8D 6C AH")
    table.bet("bob", 100, (2, 50))
    table.bet("cleo", 200, (2, 10))
    table.act("bob", Action.INSURE)
    assert stacks(table) == (5000 + 50 - 660, 5000 - 150 - 50 + 600, 5000 - 210 + 120)
    table.void(1)
    assert stacks(table) == (5000, 5000, 5000)
    assert table.banker == "ann"


def test_nobody_steps_down_after_a_void() -> None:
    table = bank()
    table.cards(NO_DECISION_YET)
    table.bet("bob", 100)
    table.bet("cleo", 100)
    table.void(1)
    assert table.banker == "ann"
    assert table.phase() is Phase.SETTLED


def test_a_punter_who_ran_away_gets_his_stake_back_with_his_seat() -> None:
    table = bank()
    table.cards(NO_DECISION_YET)
    table.bet("bob", 100)
    table.bet("cleo", 100)
    table.leave("bob")
    table.void(1)
    table.sit("bob", seat=2)
    assert stacks(table) == (5000, 5000, 5000)


def test_a_settled_round_is_reversed_between_punters_and_banker() -> None:
    table = bank()
    table.round(BOB_WINS, bob=100, cleo=300)
    assert stacks(table) == (5200, 5100, 4700)
    table.void(1)
    assert stacks(table) == (5000, 5000, 5000)


def test_what_can_not_be_recovered_is_missing_to_who_lost() -> None:
    """Bob and Cleo win 500 each from Ann; of Cleo's chips 310 are left when that is voided."""
    table = bank(starting_stack="1500", max_bet="0")
    table.round(BOTH_WIN, bob=500, cleo=500)
    assert (table.banker, stacks(table)) == ("cleo", (500, 2000, 2000))
    table.round("TC TD TH 7C TS 8H", ann=10, bob=1200)
    table.round("TC TH TS 8H", bob=500)
    assert (table.banker, stacks(table)) == ("bob", (490, 3700, 310))
    table.void(1)
    assert stacks(table) == (490 + 810, 3700 - 500, 0)
    assert table.seat("cleo").out


def test_a_banker_keeps_what_covers_the_bets_that_are_laid() -> None:
    """Ann won 300 from Bob and 100 from Cleo. When that is voided, all but 20 of her chips cover
    a bet of Bob's; the 20 are shared in proportion to the losses."""
    table = bank(starting_stack="1000", max_bet="0")
    table.round(BOTH_LOSE, bob=300, cleo=100)
    table.round(BOB_WINS, bob=700, cleo=100)
    assert (table.banker, stacks(table)) == ("ann", (800, 1400, 800))
    table.bet("bob", 520)
    table.void(1)
    assert stacks(table) == (780, 1400 - 520 + 15, 805)
    assert not table.happened(BetReturned)
    table.cards("AC TH KC 9H")
    table.sit_out("cleo")
    assert stacks(table) == (0, 1400 + 15 + 780, 805)  # a natural takes all that was covered


def test_the_bank_moves_on_from_a_banker_whom_the_void_leaves_too_small() -> None:
    table = bank(starting_stack="1000", max_bet="0")
    table.round(BOTH_LOSE, bob=600, cleo=10)
    table.round(BOB_WINS, bob=400, cleo=10)
    table.round(BOB_WINS, bob=600, cleo=10)
    assert (table.banker, stacks(table)[0]) == ("ann", 630)
    table.round(BOB_WINS, bob=20, cleo=10)
    table.void(1)
    assert stacks(table)[0] == 10
    assert [(one.seat, one.cause) for one in table.happened(BankerChanged)] == [
        (3, BankChange.TOO_SMALL)
    ]
    table.bet("ann", 10)


def test_a_bank_that_nobody_holds_is_taken_by_who_gets_enough_back() -> None:
    table = Table("rotating-banker", "ann", "bob", starting_stack="15", max_bet="0")
    table.round("TC TH 9C 8H", bob=10)
    assert (table.banker, stacks_of_two(table)) == ("bob", (5, 25))
    table.leave("bob")
    assert table.banker == ""
    table.void(1)
    assert (table.banker, table.stack("ann")) == ("ann", 15)


def stacks_of_two(table: Table) -> tuple[int, int]:
    return table.stack("ann"), table.stack("bob")


def test_a_banker_who_is_reversed_by_name_may_be_a_punter_by_now() -> None:
    table = bank()
    table.round(BOTH_WIN, bob=100, cleo=100)
    assert table.banker == "cleo"
    table.void(1)
    (voided,) = table.happened(RoundVoided)
    assert [(one.seat, one.reversed // 100) for one in voided.seats] == [
        (1, 200), (2, -100), (3, -100)
    ]  # fmt: skip
    assert stacks(table) == (5000, 5000, 5000)
    assert table.banker == "cleo"  # who held the bank was right at the time


def test_the_next_banker_does_not_see_the_hole_card_of_a_voided_round() -> None:
    """Ann becomes too small for the bank by a void, and keeps it because of Bob's bet; when the
    round of that bet is voided, too, the bank moves on."""
    table = bank(seats="4", starting_stack="20", natural_pays="1:1")
    table.sit("dan")
    table.round("TC TH 8C 9H", cleo=10)
    table.round("TC TD TH TS 7D 8H", bob=20, cleo=10)
    table.bet("bob", 10)
    table.void(1)
    table.cards("8C TH 6C 6H")
    table.sit_out("cleo", "dan")
    assert table.phase() is Phase.TURNS
    assert "TH" in table.seen_by("ann").dealer.cards
    table.void(3)
    assert table.banker == "dan"
    assert "TH" not in table.seen_by("dan").dealer.cards
