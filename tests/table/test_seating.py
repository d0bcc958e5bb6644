"""Section 7: who sits where, when a table starts, and who may come back."""

import pytest

from service.rules.hand import Action
from service.rules.reasons import Reason
from service.table.events import SeatTaken
from service.table.phase import FinishCause, Phase
from service.table.state import MOST_PLAYERS
from tests.table.driver import Place, Table, refused


def test_a_table_of_one_seat_starts_when_it_is_taken() -> None:
    table = Table("six-deck-h17")
    assert table.phase() is Phase.WAITING
    table.sit("ann")
    assert table.phase() is Phase.BETTING


def test_a_full_table_starts_though_nobody_is_ready() -> None:
    table = Table("ranked-match")
    table.sit("ann", "bob", "cid")
    assert table.phase() is Phase.WAITING
    table.sit("dan")
    assert table.phase() is Phase.BETTING


def test_a_table_starts_when_everybody_seated_is_ready() -> None:
    table = Table("ranked-match")
    table.sit("ann", "bob")
    table.ready("ann")
    assert table.phase() is Phase.WAITING
    table.ready("bob")
    assert table.phase() is Phase.BETTING


def test_a_table_needs_its_least_number() -> None:
    table = Table("rotating-banker")
    table.sit("ann")
    table.ready("ann")
    assert table.phase() is Phase.WAITING
    table.sit("bob")
    assert table.phase() is Phase.WAITING
    table.ready("bob")
    assert table.phase() is Phase.BETTING


def test_a_table_starts_when_the_last_one_who_was_not_ready_leaves() -> None:
    table = Table("rotating-banker")
    table.sit("ann", "bob", "cid")
    table.ready("ann", "bob")
    table.leave("cid")
    assert table.phase() is Phase.BETTING


def test_nobody_is_ready_twice_or_after_the_start() -> None:
    table = Table("rotating-banker")
    table.sit("ann", "bob")
    table.ready("ann")
    with refused(Reason.WRONG_PHASE):
        table.ready("ann")
    table.ready("bob")
    with refused(Reason.WRONG_PHASE):
        table.ready("bob")


def test_one_player_has_one_seat() -> None:
    table = Table("ranked-match")
    table.sit("ann")
    with refused(Reason.ALREADY_SEATED):
        table.sit("ann")


def test_a_seat_can_be_named_if_it_is_there_and_free() -> None:
    table = Table("ranked-match")
    table.sit("ann", seat=3)
    with refused(Reason.SEAT_OCCUPIED):
        table.sit("bob", seat=3)
    with refused(Reason.FIELD_INVALID):
        table.sit("bob", seat=5)
    table.sit("bob")
    assert [(seat.number, seat.player) for seat in table.state.seats] == [(1, "bob"), (3, "ann")]


def test_a_scheduled_table_takes_no_one_after_its_start() -> None:
    table = Table("ranked-match", "ann", "bob")
    with refused(Reason.TABLE_STARTED):
        table.sit("cid")
    table.leave("bob")
    with refused(Reason.TABLE_STARTED):
        table.sit("bob")


def test_an_open_ended_table_takes_players_between_rounds_only() -> None:
    table = Table("rotating-banker", "ann", "bob")
    table.cards("TS 9D 8H 7C TD")
    table.bet("bob", 10)
    with refused(Reason.ROUND_RUNNING):
        table.sit("cid")
    table.stand("bob")
    table.sit("cid")
    assert table.stack("cid") == 5000


def test_who_comes_back_gets_the_stack_that_he_left_with() -> None:
    table = Table("rotating-banker", "ann", "bob")
    table.round("TS 9D 8H 8C", bob=100)
    assert table.stack("bob") == 5100
    table.leave("bob")
    table.sit("cid", "bob")
    assert (table.seat("bob").number, table.stack("bob")) == (3, 5100)
    assert table.state.departed == ()


def test_a_stack_is_kept_over_the_rounds_that_others_play() -> None:
    """And stands in the event of sitting down, from which a replay takes it."""
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.round("TS 9D 8H TC", bob=100)
    table.leave("bob")
    for _ in range(2):
        table.round("TS 9D 8H TC", cid=10)
    table.sit("bob")
    assert table.happened(SeatTaken) == [SeatTaken(2, "bob", 4900_00)]


def test_a_player_who_ran_away_comes_back_with_what_the_settlement_left_him() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid")
    table.cards("6S TS 9D 5H 8H 8C TH")
    table.bet("bob", 100)
    table.bet("cid", 10)
    table.act("bob", Action.DOUBLE)
    table.leave("bob")
    with refused(Reason.ROUND_RUNNING):
        table.sit("bob")
    table.stand("cid")
    table.sit("bob")
    assert table.stack("bob") == 5200


def test_who_comes_back_broke_is_out() -> None:
    table = Table("rotating-banker", "ann", "bob", "cid", starting_stack="15")
    table.round("TS 9D 8H KC", bob=10)
    table.leave("bob")
    table.sit("bob")
    assert (table.stack("bob"), table.seat("bob").out) == (5, True)


@pytest.mark.parametrize("preset", ["ranked-match", "rotating-banker"])
def test_who_leaves_before_the_start_leaves_no_trace(preset: str) -> None:
    table = Table(preset)
    table.sit("ann", "bob", "cid")
    table.leave("ann", "bob")
    assert table.state.departed == ()
    table.sit("bob")
    table.ready("bob", "cid")
    table.close()
    assert [place.player for place in table.places] == ["bob", "cid"]


def test_a_match_that_others_left_before_its_start_is_one_of_one_player() -> None:
    table = Table("ranked-match", rounds="1")
    table.sit("ann", "bob")
    table.leave("ann")
    table.ready("bob")
    table.round("TS 6D 9H TC KD", bob=10)
    assert table.state.finish is FinishCause.ROUNDS_PLAYED
    assert table.places == [Place("bob", 1, 1010)]
    assert table.state.standings[0].outcome == "win"


def test_who_is_not_seated_takes_no_action() -> None:
    table = Table("ranked-match", "ann", "bob")
    for attempt in (table.leave, table.ready, table.sit_out):
        with refused(Reason.NOT_SEATED):
            attempt("eve")
    with refused(Reason.NOT_SEATED):
        table.bet("eve", 10)


def test_who_is_not_seated_sees_what_is_face_up_for_all() -> None:
    table = Table("rotating-banker", "ann", "bob")
    table.cards("TS 9D 8H 7C")
    table.bet("bob", 10)
    seen = table.seen_by("eve")
    assert seen.your is None
    assert seen.dealer.cards == ("??", "7C")
    assert seen.seats[1].hands[0].cards == ("??", "8H")
    assert seen.seats[1].hands[0].total == 8


def test_a_table_takes_so_many_players_in_all_and_those_who_left_come_back() -> None:
    table = Table("rotating-banker", "ann", "bob")
    passers_by = [f"guest-{number}" for number in range(MOST_PLAYERS - 2)]
    for player in passers_by:
        assert table.state.free_seats == table.state.rules.max_seats - 2
        table.sit(player)
        table.leave(player)
    assert table.state.free_seats == 0
    with refused(Reason.TABLE_FULL):
        table.sit("one too many")
    table.sit(passers_by[0])
    table.leave(passers_by[0])
    table.leave("bob")
    table.sit("bob")
    assert len(table.state.departed) == len(passers_by)
