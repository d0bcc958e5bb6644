"""Telling a round as a story.

Told from the events alone, so it knows no more than the journal: a card that lies face down is
`??` until the event that turns it up, and all who may read the journal may read the story.

Amounts are minor units, times microseconds since 1970 (UTC).
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec
from msgspec.structs import replace

from service.rules.cards import FACE_DOWN
from service.rules.hand import Action
from service.rules.totals import total
from service.table import events as e
from service.table.causes import Cause
from service.table.phase import Phase
from service.table.showing.story import Step, StepKind, Story, StorySeat, Told
from service.table.showing.story_steps import tell
from service.table.state import State

Fold = Callable[[State, Iterable[e.Event]], State]


class Chapter(msgspec.Struct, frozen=True):
    """A row of the journal, as a story needs it."""

    version: int
    at: int
    actor: str
    events: Sequence[e.Event]


def story(state: State, fold: Fold, chapters: Iterable[Chapter]) -> Story:
    """Tell a round from its rows, in order and from the first one on; `state` is the one before it,
    `fold` that of the decider of the round."""
    seats: dict[tuple[int, str], StorySeat] = {}
    steps: list[Step] = []
    for chapter in chapters:
        if state.phase is Phase.BANKER and isinstance(chapter.events[0], e.DealerCardDealt):
            # Of a banker who wants a card no event says so but the card.
            hit = Told(StepKind.DECISION, state.banker, action=Action.HIT, cause=Cause.PLAYER)
            steps.append(_step(chapter, hit, state))
        for event in chapter.events:
            before, state = state, fold(state, (event,))
            steps += [_step(chapter, told, state) for told in tell(event, state.banker)]
            _keep_books(seats, state)
            if isinstance(event, e.SeatLeft):
                key = (event.seat, before.seat(event.seat).player)
                seats[key] = replace(seats[key], after=event.stack)
    return Story(tuple(sorted(seats.values(), key=lambda seat: seat.seat)), tuple(steps))


def _step(chapter: Chapter, told: Told, state: State) -> Step:
    stack = next((seat.stack for seat in state.seats if seat.number == told.seat), 0)
    cards = _cards(told, state) if told.card else ()
    seen = total([card for card in cards if card != FACE_DOWN])
    return Step(told, chapter.at, chapter.version, chapter.actor, *seen, stack)


def _cards(told: Told, state: State) -> Sequence[str]:
    """The cards of the hand that got a card, or had one turned up."""
    return state.seat(told.seat).hands[told.hand - 1].cards if told.seat else state.dealer.cards


def _keep_books(seats: dict[tuple[int, str], StorySeat], state: State) -> None:
    for seat in state.seats:
        key = (seat.number, seat.player)
        known = seats.get(key) or StorySeat(seat.number, seat.player, seat.stack, 0, 0, 0)
        seats[key] = replace(known, after=seat.stack, staked=seat.staked, returned=seat.returned)
