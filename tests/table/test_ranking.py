"""Section 7: when a match ends, and how its players are ranked."""

import pytest

from service.table.phase import FinishCause
from tests.table.driver import Place, Table

STANDS_18 = "TS 6D 8H TC KD"
"""One seat stands on 18, and the dealer busts."""
LOSES = "TS 9D 8H TC"
"""One seat stands on 18 against 19."""
PUSHES = "TS 8D 8H TC"


def test_equal_stacks_share_a_rank_and_the_next_one_is_left_out() -> None:
    table = Table("ranked-match", "ann", "bob", "cid", "dan", rounds="1")
    table.round("TS TH TD 9S 8D 8H 8C 8S 7H 9C", ann=10, bob=20, cid=20, dan=10)
    assert table.state.finish is FinishCause.ROUNDS_PLAYED
    assert table.places == [
        Place("bob", 1, 1020),
        Place("cid", 1, 1020),
        Place("ann", 3, 1010),
        Place("dan", 4, 990),
    ]


def test_one_two_two_four() -> None:
    table = Table("ranked-match", "ann", "bob", "cid", "dan", rounds="1")
    table.round("TS TH TD 9S 8D 8H 8C 8S 7H 9C", ann=20, bob=10, cid=10, dan=10)
    assert [place.rank for place in table.places] == [1, 2, 2, 4]


def test_all_who_forfeited_share_the_last_rank() -> None:
    table = Table("ranked-match", "ann", "bob", "cid", "dan", rounds="1")
    table.leave("ann")
    table.cards("TS TH TD 7D 8H 8C 8S TC")
    for player, stake in (("bob", 10), ("cid", 20), ("dan", 500)):
        table.bet(player, stake)
    table.leave("dan")
    table.stand("bob", "cid")
    assert table.places == [
        Place("cid", 1, 1020),
        Place("bob", 2, 1010),
        Place("ann", 3, 1000),
        Place("dan", 3, 500),
    ]
    assert [one.forfeited for one in table.state.standings] == [False, False, True, True]


@pytest.mark.parametrize("running", [False, True])
def test_who_leaves_ahead_of_all_is_last(running: bool) -> None:
    table = Table("ranked-match", "ann", "bob", rounds="2")
    table.round("TS 6D 8H TC KD", ann=500)
    if running:
        table.cards("TS TH 9D 8H 8C TC")
        table.bet("ann", 10)
        table.bet("bob", 1000)
        table.leave("ann")
        table.stand("bob")
    else:
        table.leave("ann")
        table.round(LOSES, bob=1000)
    assert table.places == [Place("bob", 1, 0), Place("ann", 2, 1490 if running else 1500)]


def test_a_broke_seat_keeps_its_remainder_and_ranks_by_it() -> None:
    table = Table("ranked-match", "ann", "bob", "cid", rounds="2", starting_stack="25")
    table.round("TS TH 9D 8H 8C TC", ann=20, bob=10)
    assert table.seat("ann").out
    table.round("TH TD 9D 8C 8D TC", bob=10, cid=20)
    assert table.places == [Place("ann", 1, 5), Place("bob", 1, 5), Place("cid", 1, 5)]
    assert table.state.finish is FinishCause.ROUNDS_PLAYED


def test_a_broke_seat_ranks_before_one_who_forfeited() -> None:
    table = Table("ranked-match", "ann", "bob", "cid", rounds="2", starting_stack="25")
    table.round("TS TH 9D 8H 8C TC", ann=20, bob=10)
    table.leave("cid")
    table.round("TH 9D 8C TC", bob=10)
    assert table.places == [Place("ann", 1, 5), Place("bob", 1, 5), Place("cid", 3, 25)]


def test_a_match_ends_when_nobody_who_is_left_can_cover_the_least_bet() -> None:
    table = Table("ranked-match", "ann", "bob", "cid", starting_stack="25")
    table.leave("cid")
    table.round("TS TH 9D 8H 8C TC", ann=20, bob=20)
    assert table.state.finish is FinishCause.BROKE


def test_a_match_ends_when_the_last_one_who_could_bet_leaves() -> None:
    table = Table("ranked-match", "ann", "bob", starting_stack="25")
    table.round("TS 9D 8H TC", ann=20)
    table.leave("bob")
    assert table.state.finish is FinishCause.BROKE
    assert table.places == [Place("ann", 1, 5), Place("bob", 2, 25)]


@pytest.mark.parametrize(
    ("cards", "outcome"), [(STANDS_18, "win"), (PUSHES, "draw"), (LOSES, "loss")]
)
def test_a_match_of_one_player_is_won_drawn_or_lost(cards: str, outcome: str) -> None:
    table = Table("ranked-match", "ann", rounds="1")
    table.round(cards, ann=10)
    (standing,) = table.state.standings
    assert (standing.rank, standing.outcome) == (1, outcome)


def test_a_match_of_one_player_who_leaves_ahead_is_lost() -> None:
    table = Table("ranked-match", "ann", rounds="2")
    table.round(STANDS_18, ann=10)
    table.leave("ann")
    (standing,) = table.state.standings
    assert (standing.forfeited, standing.outcome) == (True, "loss")


def test_the_last_survivor_of_a_larger_match_simply_ranks_first() -> None:
    table = Table("ranked-match", "ann", "bob", rounds="1")
    table.leave("bob")
    table.round(LOSES, ann=10)
    first, last = table.state.standings
    assert (first.player, first.rank, first.outcome) == ("ann", 1, "")
    assert (last.player, last.rank, last.outcome) == ("bob", 2, "")


def test_without_a_ranking_nobody_has_a_rank() -> None:
    table = Table("rotating-banker", "ann", "bob")
    table.leave("bob")
    table.close()
    assert table.places == [Place("ann", 0, 5000), Place("bob", 0, 5000)]
    assert not any(one.forfeited or one.outcome for one in table.state.standings)


def test_the_number_of_rounds_is_chosen_when_the_table_opens() -> None:
    table = Table("ranked-match", "ann", rounds="3")
    for _ in range(3):
        assert table.state.finish is None
        table.round(PUSHES, ann=10)
    assert table.state.finish is FinishCause.ROUNDS_PLAYED
