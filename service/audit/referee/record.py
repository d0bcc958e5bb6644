"""What the referee records while it reads: the table, its seats and its shoe."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from service.audit.referee.bonuses import bonus_of
from service.audit.referee.hand import Hand

Plain = Mapping[str, Any]
"""A JSON object."""

Face = Callable[[int, int], str | None]
"""Gives the face-down card at a position of a shoe, or None if no one may know it yet."""


class Objection(NamedTuple):
    """A point where journal and rules disagree: the round, the index of the event, and the
    reason."""

    round: int
    place: int
    what: str


@dataclass(slots=True)
class Seat:
    """A taken seat, and everything it has in the running round."""

    player: str
    stack: int
    last_stake: int = 0
    ready: bool = False
    out: bool = False
    left: bool = False
    sat_out: bool = False
    stake: int = 0
    pair_bets: dict[int, int] = field(default_factory=dict)
    insurance: int = 0
    insurance_settled: bool = False
    hands: list[Hand] = field(default_factory=list)
    decided: bool = False
    staked: int = 0
    returned: int = 0
    client_seed: str = ""

    def pay_in(self, chips: int) -> None:
        """Move chips from the stack to the table."""
        self.stack -= chips
        self.staked += chips

    def take_back(self, chips: int) -> None:
        """Move chips back to the stack."""
        self.stack += chips
        self.returned += chips


@dataclass(slots=True)
class Deal:
    """The cards of a round other than those of the seats, and the progress of the round.

    `hands_brought` is the gain of a rotating banker from settled hands and insurance so far, and
    `hands_banked` whether the banker has received it. `stacks_before` has each seat's stack before
    the round's bets; `unseen` marks a voided round with a card that no one may know yet."""

    begun: bool = False
    dealt_in: list[tuple[int, Seat]] = field(default_factory=list)
    over: bool = False
    to_come: list[tuple[int, str]] = field(default_factory=list)
    dealer: list[str] = field(default_factory=list)
    hole_at: int = -1
    hole_up: bool = False
    may_insure: set[int] = field(default_factory=set)
    insurance_offered: bool = False
    answered: set[int] = field(default_factory=set)
    peeked: bool = False
    natural_seen: bool = False
    pair_bets_on: set[int] = field(default_factory=set)
    promised_split: tuple[int, int] | None = None
    given_back: set[int] = field(default_factory=set)
    turn_of: tuple[int, int] = (0, 0)
    last_settled: tuple[int, int] = (0, 0)
    banker_asked: bool = False
    banker_stood: bool = False
    banker_ran: bool = False
    hands_brought: int = 0
    hands_banked: bool = False
    stacks_before: dict[int, int] = field(default_factory=dict)
    voided: bool = False
    unseen: bool = False


@dataclass(slots=True)
class Departed:
    """A player who left, with the stack at that time."""

    seat: int
    stack: int
    forfeited: bool


@dataclass(slots=True)
class Shoe:
    """The shoe in use, card by card. `whole`: this referee saw its first card."""

    number: int = 0
    dealt: int = 0
    next_commitment: str = ""
    root: str = ""
    client_seeds: list[Plain] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    revealed: bool = False
    fresh: bool = False


class Net(NamedTuple):
    """The net of a seat in a settled round; a void reverses it."""

    seat: int
    player: str
    chips: int


@dataclass(slots=True)
class Table:
    """Everything that the referee knows about a table.

    `banker` is the seat of a rotating banker, `last_banker` the last one if no one is banker now;
    `brought` is the sum of the stacks that players sat down with. `owed_to_bank` is a move of chips
    that must come next, with its cause; `must_move_on` has the causes for which the bank must move,
    and `owed` the events that must follow, by type, with the seats of each. `books` has the nets of
    every round settled since the first one read; `voided` has the rounds that do not count.
    """

    rules: Plain
    face: Face
    objections: list[Objection] = field(default_factory=list)
    place: int = 0
    round: int = 0
    seats: dict[int, Seat] = field(default_factory=dict)
    departed: dict[str, Departed] = field(default_factory=dict)
    shoe: Shoe = field(default_factory=Shoe)
    deal: Deal = field(default_factory=Deal)
    started: bool = False
    entrants: int = 0
    banker: int = 0
    last_banker: int = 0
    brought: int = 0
    owed_to_bank: tuple[str, int] | None = None
    must_move_on: set[str] = field(default_factory=set)
    owed: defaultdict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    betting_deadline: int = 0
    deadline: int = 0
    times_given: int = 0
    given_until: int = 0
    clock_set: bool = False
    finished: bool = False
    blind: bool = False
    first_round: int = 1
    books: dict[int, list[Net]] = field(default_factory=dict)
    voided: list[int] = field(default_factory=list)

    def dispute(self, what: str) -> None:
        """Record an objection at the current event."""
        self.objections.append(Objection(self.round, self.place, what))

    def require(self, holds: bool, what: str) -> None:
        """Object unless a condition holds."""
        if not holds:
            self.dispute(what)

    def expect(self, name: str, said: object, right: object) -> None:
        """Object unless the journal has the right value."""
        if said != right:
            self.dispute(f"{name}: {said!r} in the journal, {right!r} by the rules")

    @property
    def running(self) -> bool:
        """Whether a round has been dealt and is not settled."""
        return self.deal.begun and not self.deal.over

    @property
    def rotates(self) -> bool:
        """Whether the players take turns as banker."""
        return bool(self.rules["banker"] == "rotating")

    @property
    def dealt_in(self) -> list[tuple[int, Seat]]:
        """The seats of the round, ascending; while it is running, the seats that were dealt in."""
        deal = self.deal
        if deal.begun and not deal.over:
            return deal.dealt_in
        return [(number, seat) for number, seat in sorted(self.seats.items()) if seat.stake]

    def is_bonus(self, hand: Hand) -> bool:
        """Whether a hand has won at once."""
        return bonus_of(self.rules, hand) is not None
