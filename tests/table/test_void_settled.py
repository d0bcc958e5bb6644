"""Voiding a settled round: what goes back to whom, and how the table goes on."""

from service.table.events import RoundVoided, SeatBackIn, SeatOut
from service.table.phase import FinishCause, Phase
from tests.table.driver import Place, Table

# Cards go to the seats in ascending order and then to the dealer, twice.
BOTH_LOSE = "TC TD TH 8C 8D 9H"  # 18 and 18 against 19
BOTH_WIN = "TC TD TH 9C 9D 8H"  # 19 and 19 against 18
ANN_WINS = "TC TD TH TS 7D 8H"  # 20 and 17 against 18
STANDS = "2C 3C TD 4C 5C TH"


def match(**options: str) -> Table:
    """Ann and Bob in a ranked match of ten rounds, with 1,000 chips each."""
    return Table("ranked-match", "ann", "bob", **({"seats": "2"} | options))


def test_a_settled_round_is_reversed() -> None:
    table = match()
    table.round(ANN_WINS, ann=100, bob=300)
    assert (table.stack("ann"), table.stack("bob")) == (1100, 700)
    table.void(1)
    assert (table.stack("ann"), table.stack("bob")) == (1000, 1000)
    assert table.phase() is Phase.BETTING
    assert table.state.round == 2


def test_any_earlier_round_can_be_voided() -> None:
    table = match()
    table.round(BOTH_WIN, ann=100, bob=200)
    table.round(BOTH_LOSE, ann=50, bob=50)
    table.void(1)
    assert (table.stack("ann"), table.stack("bob")) == (950, 950)
    table.void(2)
    assert (table.stack("ann"), table.stack("bob")) == (1000, 1000)


def test_no_more_is_taken_than_a_stack_holds() -> None:
    table = match()
    table.round(BOTH_WIN, ann=1000, bob=100)
    table.round(BOTH_LOSE, ann=1500, bob=100)
    assert table.stack("ann") == 500
    table.void(1)
    (voided,) = table.happened(RoundVoided)
    assert [(one.player, one.reversed, one.stack) for one in voided.seats] == [
        ("ann", -50_000, 0),
        ("bob", -10_000, 90_000),
    ]


def test_bets_laid_on_the_coming_round_stay() -> None:
    table = match()
    table.round(BOTH_WIN, ann=1000, bob=100)
    table.bet("ann", 1990)
    table.void(1)
    assert table.seat("ann").stake == 199_000
    assert table.stack("ann") == 0
    assert not table.happened(SeatOut)


def test_a_seat_that_the_void_leaves_broke_is_out() -> None:
    table = match()
    table.round(BOTH_WIN, ann=1000, bob=100)
    table.round(BOTH_LOSE, ann=1500, bob=100)
    table.void(1)
    assert [out.seat for out in table.happened(SeatOut)] == [1]
    table.cards("TC TH 7C 8H")
    table.bet("bob", 100)
    assert not table.state.between_rounds  # nobody else is waited for


def test_the_deal_follows_when_the_void_puts_out_the_last_one_awaited() -> None:
    table = match()
    table.round(BOTH_WIN, ann=1000, bob=100)
    table.round(BOTH_LOSE, ann=1500, bob=100)
    table.cards(STANDS)
    table.bet("bob", 100)
    table.void(1)
    assert not table.state.between_rounds


def test_a_seat_that_was_out_plays_again() -> None:
    table = match()
    table.round(BOTH_LOSE, ann=1000, bob=100)
    assert table.seat("ann").out
    table.void(1)
    assert [back.seat for back in table.happened(SeatBackIn)] == [1]
    table.bet("ann", 1000)


def test_who_has_left_pays_back_and_is_paid_back() -> None:
    table = Table("ranked-match", "ann", "bob", rounds="0", ranking="none", seats="2")
    table.round(ANN_WINS, ann=100, bob=100)
    table.leave("ann", "bob")
    table.void(1)
    table.sit("bob", "ann")  # each on the other's seat
    assert (table.stack("ann"), table.stack("bob")) == (1000, 1000)
    table.round(ANN_WINS, ann=100, bob=100)


def test_chips_follow_the_player_and_not_the_seat() -> None:
    table = Table("ranked-match", "ann", "bob", rounds="0", ranking="none", seats="2")
    table.round(ANN_WINS, ann=100, bob=300)
    table.leave("ann", "bob")
    table.sit("bob", "ann")
    table.void(1)
    assert (table.stack("ann"), table.stack("bob")) == (1000, 1000)


def test_a_finished_table_gets_new_standings() -> None:
    table = match(rounds="1")
    table.round(ANN_WINS, ann=100, bob=100)
    assert table.places == [Place("ann", 1, 1100), Place("bob", 2, 900)]
    table.void(1)
    assert table.phase() is Phase.FINISHED
    assert table.places == [Place("ann", 1, 1000), Place("bob", 1, 1000)]
    assert table.state.void_reason == "a torn card"


def test_a_table_that_the_void_leaves_without_players_is_finished() -> None:
    table = Table("twenty-rounds", "ann")
    table.round("TC TH 9C 8H", ann=500)
    table.round("TC TH 8C 9H", ann=500)
    table.round("TC TH 8C 9H", ann=500)
    table.void(1)
    assert table.state.finish is FinishCause.BROKE
    assert table.places == [Place("ann", 0, 0)]
