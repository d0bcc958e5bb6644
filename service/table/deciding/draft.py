"""The draft of a journal row: what the decider writes while it thinks.

A draft holds the events emitted so far and the state that they give, so that each further step is
decided on what has happened already. It is thrown away when a step is refused.
"""

from typing import NoReturn

from service.rules.cards import FACE_DOWN
from service.rules.hand import Hand
from service.rules.reasons import Reason, Refused
from service.table.chance import Chance
from service.table.events import CardDealt, DeadlineSet, Event
from service.table.evolving.evolve import evolve
from service.table.phase import Phase
from service.table.state import Seat, State

SECOND = 1_000_000
"""Microseconds."""


class Draft:
    """The events of one row in the making. `now` is in microseconds since 1970 (UTC)."""

    __slots__ = ("chance", "events", "now", "state")

    def __init__(self, state: State, chance: Chance, now: int) -> None:
        self.state = state
        self.chance = chance
        self.now = now
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Write an event down and go on from the state that it gives."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def next_card(self) -> tuple[str, int, str]:
        """The next card of the shoe, its place, and its salt."""
        shoe = self.state.shoe
        position = shoe.dealt
        return (
            self.chance.card(shoe.number, position),
            position,
            self.chance.salt(shoe.number, position),
        )

    def deal_to(self, seat: int, hand: int) -> None:
        """The next card, face up, to a hand."""
        self.emit(CardDealt(seat, hand, *self.next_card()))

    def limit(self, seconds: int) -> None:
        """Set the deadline of the open decisions, in seconds from now; 0: there is none."""
        if seconds:
            self.emit(DeadlineSet(self.now + seconds * SECOND))

    def cards_of(self, hand: Hand) -> tuple[str, ...]:
        """The cards of a hand as its owner sees them."""
        return cards_of(self.state, hand, self.chance)


def cards_of(state: State, hand: Hand, chance: Chance) -> tuple[str, ...]:
    """The cards of a hand as its owner sees them: a first card that lies face down is looked up."""
    if hand.first_at < 0:
        return hand.cards
    return (chance.card(state.shoe.number, hand.first_at), *hand.cards[1:])


def hole_card(state: State, chance: Chance) -> str:
    """The dealer's hole card, which is known to nobody while it lies face down."""
    return chance.card(state.shoe.number, state.dealer.hole_at)


def upcard(state: State) -> str:
    """The dealer's upcard; only a deal has one."""
    first, second = state.dealer.cards[:2]
    return second if first == FACE_DOWN else first


def seated(state: State, player: str) -> Seat:
    """The player's seat at a table that goes on; refused if it is over or the player has none."""
    if state.phase is Phase.FINISHED:
        refuse_finished(state)
    seat = state.seat_of(player)
    if seat is None:
        raise Refused(
            Reason.NOT_SEATED, "you have no seat at this table", free_seats=state.free_seats
        )
    return seat


def refuse_finished(state: State) -> NoReturn:
    """Refuse a command because the table is closed for good."""
    raise Refused(Reason.TABLE_FINISHED, "this table is finished", cause=state.finish)
