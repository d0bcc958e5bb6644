"""A round as a story: what happened, in order, and who or what decided.

Told from the events alone, so it knows no more than the journal: a card that lies face down is
`??` until the event that turns it up, and all who may read the journal may read the story.

Amounts are minor units, times microseconds since 1970 (UTC).
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from service.rules.hand import Action, EndCause, Result
from service.rules.rule_set import RuleSet
from service.table import events as e
from service.table.evolve import fold
from service.table.state import Phase, State, initial_state


class StepKind(StrEnum):
    """What a step of a story tells."""

    SEAT_TAKEN = "seat_taken"
    SEAT_LEFT = "seat_left"
    STACK_REFILLED = "stack_refilled"
    BET = "bet"
    PAIR_BET = "pair_bet"
    SAT_OUT = "sat_out"
    BET_RETURNED = "bet_returned"
    PAIR_BET_RETURNED = "pair_bet_returned"
    FRESH_SHOE = "fresh_shoe"
    CARD = "card"
    CARD_FACE_DOWN = "card_face_down"
    CARD_TURNED = "card_turned"
    PAIR_BET_SETTLED = "pair_bet_settled"
    DECISION = "decision"
    PEEK = "peek"
    HAND_ENDED = "hand_ended"
    HAND_SETTLED = "hand_settled"
    INSURANCE_SETTLED = "insurance_settled"
    BANK_MOVED = "bank_moved"
    ROUND_SETTLED = "round_settled"
    ROUND_VOIDED = "round_voided"
    BANKER_CHANGED = "banker_changed"
    SEAT_BROKE = "seat_broke"
    SEAT_BACK_IN = "seat_back_in"
    TABLE_CLOSING = "table_closing"
    TABLE_FINISHED = "table_finished"


class Told(msgspec.Struct, frozen=True):
    """What an event tells. `seat` 0 is the dealer, or the table; `position` -1: no card."""

    kind: StepKind
    seat: int = 0
    hand: int = 0
    on: int = 0
    card: str = ""
    position: int = -1
    action: Action | None = None
    cause: e.Cause | None = None
    end_cause: EndCause | None = None
    result: Result | None = None
    natural: bool = False
    amount: int = 0


class Step(msgspec.Struct, frozen=True):
    """A step: what an event tells, when it was recorded, by whose command, and how the hand that
    got a card, and the stack of the seat, stand after it."""

    told: Told
    at: int
    version: int
    actor: str
    total: int
    soft: bool
    stack: int


class StorySeat(msgspec.Struct, frozen=True):
    """What a round brought a player. `before` is his stack when it opened or he sat down, `after`
    the one with which it ended or he left."""

    seat: int
    player: str
    before: int
    after: int
    staked: int
    returned: int


class Story(msgspec.Struct, frozen=True):
    """A round, as far as it has been played."""

    seats: tuple[StorySeat, ...]
    steps: tuple[Step, ...]


class Chapter(msgspec.Struct, frozen=True):
    """A row of the journal, as a story needs it."""

    version: int
    at: int
    actor: str
    events: Sequence[e.Event]


def story(rules: RuleSet, chapters: Iterable[Chapter]) -> Story:
    """Tell a round from its rows, in order and from the first one on."""
    state = initial_state(rules)
    seats: dict[tuple[int, str], StorySeat] = {}
    steps: list[Step] = []
    for chapter in chapters:
        if state.phase is Phase.BANKER and isinstance(chapter.events[0], e.DealerCardDealt):
            # The banker's wish for a card is an event by nothing but the card.
            hit = Told(StepKind.DECISION, state.banker, action=Action.HIT, cause=e.Cause.PLAYER)
            steps.append(_step(chapter, hit, state))
        for event in chapter.events:
            state = fold(state, (event,))
            steps += [_step(chapter, told, state) for told in tell(event, state)]
            _keep_books(seats, state, event)
    return Story(tuple(sorted(seats.values(), key=lambda seat: seat.seat)), tuple(steps))


def _step(chapter: Chapter, told: Told, state: State) -> Step:
    total, soft = hand_total(state, told) if told.card else (0, False)
    stack = next((one.stack for one in state.seats if one.number == told.seat), 0)
    return Step(told, chapter.at, chapter.version, chapter.actor, total, soft, stack)


def _keep_books(
    seats: dict[tuple[int, str], StorySeat], state: State, event: e.Event
) -> None:
    for seat in state.seats:
        key = (seat.number, seat.player)
        known = seats.get(key) or StorySeat(seat.number, seat.player, seat.stack, 0, 0, 0)
        seats[key] = replace(known, after=seat.stack, staked=seat.staked, returned=seat.returned)
    if isinstance(event, e.SeatLeft):
        gone = next(key for key in reversed(seats) if key[0] == event.seat)
        seats[gone] = replace(seats[gone], after=event.stack)
