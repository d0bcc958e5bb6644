"""Rounds as stories: in order, each decision with who made it, and nothing that is still hidden."""

from typing import get_args

import pytest

from service.rules.cards import FACE_DOWN
from service.rules.hand import Action
from service.rules.money import CHIP
from service.table import events as e
from service.table.causes import Cause
from service.table.commands import Command
from service.table.evolving.evolve import fold, initial_state
from service.table.showing.story import Step, StepKind, Story
from service.table.showing.story_steps import UNTOLD, tell
from service.table.showing.telling import Chapter, story
from service.table.state import State
from tests.table.driver import Table
from tests.table.random_tables import RandomTable


class ToldTable(Table):
    """A table whose current round can be told."""

    def __init__(self, preset: str, *players: str, **options: str) -> None:
        self.chapters: list[Chapter] = []
        super().__init__(preset, *players, **options)

    def _send(self, command: Command) -> None:
        super()._send(command)
        if isinstance(self.last[0], e.RoundOpened):
            self.chapters = []
        actor = getattr(command, "player", "table") or "operator:house"
        version = len(self.chapters) + 1
        self.chapters.append(Chapter(version, self.now * 1_000_000, actor, self.last))

    def told(self) -> Story:
        return story(initial_state(self.state.rules), fold, self.chapters)

    def lines(self) -> list[str]:
        """The steps, short to read; amounts in chips."""
        return [line_of(step) for step in self.told().steps]


def line_of(step: Step) -> str:
    told = step.told
    who = f"{told.seat}.{told.hand}" if told.hand else str(told.seat)
    words = [who, told.kind.value, told.card, told.action, told.end_cause, told.result]
    said = [str(word) for word in words if word]
    if told.cause:
        said.append(f"by {told.cause}")
    if told.amount:
        said.append(f"{told.amount // CHIP} chips")
    if told.card:
        said.append(f"{'soft ' if step.soft else ''}{step.total}")
    return " ".join(said)


def test_a_round_with_a_split_and_insurance() -> None:
    table = ToldTable("six-deck-h17", "ann", starting_stack="100")
    table.cards("8S AD 8H 6C TD 3H 5C 9C 2C")
    table.bet("ann", 10)
    table.act("ann", Action.INSURE)
    table.act("ann", Action.SPLIT)
    table.stand("ann")
    table.act("ann", Action.DOUBLE)
    assert table.lines()[1:] == [
        "1 bet by player 10 chips",
        "0 fresh_shoe",
        "1.1 card 8S 8",
        "0 card AD soft 11",
        "1.1 card 8H 16",
        "0 card_face_down ?? soft 11",
        "1 decision insure by player 5 chips",
        "0 peek",
        "1.1 decision split by player 10 chips",
        "1.1 card TD 18",
        "1.1 decision stand by player",
        "1.2 card 3H 11",
        "1.2 decision double by player 10 chips",
        "1.2 card 5C 16",
        "1.2 hand_ended doubled",
        "0 card_turned 6C soft 17",
        "0 card 9C 16",
        "0 card 2C 18",
        "1.1 hand_settled push 10 chips",
        "1.2 hand_settled lose",
        "1 insurance_settled",
        "0 round_settled",
    ]
    (seat,) = table.told().seats
    assert (seat.player, seat.before // CHIP, seat.after // CHIP) == ("ann", 100, 75)
    assert (seat.staked // CHIP, seat.returned // CHIP) == (35, 10)


def test_what_the_clock_and_the_table_decide() -> None:
    table = ToldTable("ranked-match", "ann", "bob", "cat", insurance="two_to_one")
    table.cards("9S 9H AD 8S 8H 6C")
    everything = table.stack("bob")
    table.bet("ann", 10)
    table.bet("bob", everything - everything % 10)
    table.wait(1000)
    assert [line for line in table.lines() if "decision" in line or "sat_out" in line] == [
        "3 sat_out by time_out",
        "2 decision decline by table",
    ]
    table.act("ann", Action.DECLINE)
    table.wait(1000)
    table.leave("bob")
    assert [line for line in table.lines() if "by" in line][4:] == [
        "1 decision decline by player",
        "1.1 decision stand by time_out",
        "2 seat_left by left",
        "2.1 hand_ended forfeited by left",
    ]
    by = {step.actor for step in table.told().steps if step.told.cause is Cause.TIME_OUT}
    assert by == {"table"}


def test_a_banker_who_wants_a_card() -> None:
    table = ToldTable(
        "rotating-banker", "ann", "bob", peek="none", insurance="none", first_card_hidden="no"
    )
    table.cards("TS 6D 7H AC 4D")
    table.bet("bob", 10)
    table.stand("bob")
    table.act("ann", Action.HIT)
    lines = table.lines()
    at = lines.index("1 decision hit by player")
    assert lines[at - 1 : at + 2] == [
        "0 card_turned 6D soft 17",
        "1 decision hit by player",
        "0 card 4D soft 21",
    ]
    assert lines[-2:] == ["1 bank_moved 10 chips", "0 round_settled"]


def test_what_lies_face_down_is_told_when_it_is_turned_up() -> None:
    table = ToldTable("ranked-match", "ann", "bob", first_card_hidden="yes")
    table.cards("9S 9H 7D 8S 8H 6C TC")
    table.bet("ann", 10)
    table.bet("bob", 10)
    told = table.told().steps
    hidden = {"9S", "9H", "6C"}
    assert [step.told.card for step in told if step.told.card].count(FACE_DOWN) == 3
    assert not hidden & {step.told.card for step in told}
    table.stand("ann", "bob")
    told = table.told().steps
    turned = {step.told.card for step in told if step.told.kind is StepKind.CARD_TURNED}
    assert turned == hidden
    down = {step.told.position for step in told if step.told.kind is StepKind.CARD_FACE_DOWN}
    up = {step.told.position for step in told if step.told.kind is StepKind.CARD_TURNED}
    assert down == up


def test_a_void_names_its_round_and_what_it_took() -> None:
    table = ToldTable("six-deck-h17", "ann", starting_stack="100")
    table.cards("TS 7D 9H TC")
    table.bet("ann", 10)
    table.stand("ann")
    table.void(1, "a torn card")
    *_, whole, mine = table.told().steps
    assert (whole.told.kind, whole.told.round, whole.told.reason) == (
        StepKind.ROUND_VOIDED,
        1,
        "a torn card",
    )
    assert (mine.told.seat, mine.told.amount // CHIP, mine.stack // CHIP) == (1, -10, 100)


def test_every_event_is_told_or_passed_over() -> None:
    assert set(UNTOLD) <= set(get_args(e.AnyEvent))


class ToldRandomTable(RandomTable):
    """Tells each round when it is over, and holds the story against the events."""

    def __init__(self, seed: int) -> None:
        self.chapters: list[Chapter] = []
        self.kinds: set[StepKind] = set()
        super().__init__(seed)

    def _check(self, events: tuple[e.Event, ...], state: State) -> None:
        super()._check(events, state)
        if isinstance(events[0], e.RoundOpened):
            self.chapters = []
        self.chapters.append(Chapter(len(self.chapters) + 1, 1, "p1", events))
        for event in events:
            assert isinstance(event, UNTOLD) or tell(event, 1), event
        if any(isinstance(event, e.RoundSettled) and event.seats for event in events):
            self._hold(story(initial_state(self.rules), fold, self.chapters), state)

    def _hold(self, told: Story, state: State) -> None:
        self.kinds |= {step.told.kind for step in told.steps}
        happened = [event for chapter in self.chapters for event in chapter.events]
        dealt = [event.card for event in happened if hasattr(event, "card")]
        assert [s.told.card for s in told.steps if s.told.card not in {"", FACE_DOWN}] == dealt
        books = {(one.seat, one.player): one for one in self.settled[state.round].seats}
        for seat in told.seats:
            assert seat.after - seat.before == seat.returned - seat.staked, seat
            if one := books.get((seat.seat, seat.player)):
                assert (seat.staked, seat.returned) == (one.staked, one.returned)


@pytest.fixture(scope="module")
def kinds() -> set[StepKind]:
    told: set[StepKind] = set()
    for seed in range(25):
        table = ToldRandomTable(seed)
        for _ in range(200):
            table.go_on()
        told |= table.kinds
    return told


def test_random_rounds_are_told_in_full(kinds: set[StepKind]) -> None:
    rare = {StepKind.TABLE_CLOSING, StepKind.SEAT_BACK_IN, StepKind.ROUND_VOIDED}
    rare |= {StepKind.TIME_GIVEN_BACK}
    assert set(StepKind) - kinds <= rare | {StepKind.TABLE_FINISHED, StepKind.STACK_REFILLED}
