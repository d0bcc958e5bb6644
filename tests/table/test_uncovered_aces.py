"""Sections 4 and 8: split aces end by themselves where no split is possible, covered ones only."""

from service.rules.hand import Action, EndCause
from service.table.events import HandEnded
from tests.table.driver import Table

PLAYED_ON = {"resplit_aces": "yes", "hit_split_aces": "no", "max_hands": "3"}


def split_aces_at(starting_stack: str) -> Table:
    """Bob splits aces for 100 chips and gets a third; Cid has as much at stake."""
    table = Table(
        "rotating-banker", "ann", "bob", "cid", starting_stack=starting_stack, **PLAYED_ON
    )
    table.cards("AS TS 9D AH 8H 8C AD 9S")
    table.bet("bob", 100)
    table.bet("cid", 100)
    table.act("bob", Action.SPLIT)
    return table


def test_aces_that_may_be_split_again_wait_for_a_decision() -> None:
    table = split_aces_at("400")
    table.act("bob", Action.STAND)


def test_aces_whose_split_the_bank_does_not_cover_end_by_themselves() -> None:
    table = split_aces_at("300")
    ended = [(event.hand, event.cause) for event in table.happened(HandEnded)]
    assert ended == [(1, EndCause.SPLIT_ACE), (2, EndCause.SPLIT_ACE)]
    table.stand("cid")
