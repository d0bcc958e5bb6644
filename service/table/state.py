"""The state of a table: frozen data, built by `evolve` from events alone.

Seats are kept in ascending order of their numbers and hold whatever a seat has at stake in the
round shown. Amounts are minor units, times microseconds since 1970 (UTC), places in the shoe count
from 0. What lies face down is known here only by its position in the shoe.
"""

import msgspec

from service.rules.hand import Hand
from service.rules.rule_set import Banker, Ranking, RuleSet
from service.table.chance import ClientSeed
from service.table.phase import FinishCause, Phase

MOST_PLAYERS = 500
"""Players who left are carried from round to round with their stacks, in case they come back. The
limit keeps the record of each round from growing without end."""


class PlacedPairBet(msgspec.Struct, frozen=True):
    """A pair bet that lies at the table; `returned` includes the stake, once it is settled."""

    seat: int
    stake: int
    settled: bool = False
    returned: int = 0


class Seat(msgspec.Struct, frozen=True):
    """A seat that is taken.

    `stake` is what the seat bet on the round (0: nothing yet), `insurance_open` whether it still
    has to answer, `moves` how many actions it has taken in the round. `staked` and `returned` add
    up everything that has left and re-entered the stack in the round, for a banker what was paid
    out and taken in. `client_seed` waits for the next shoe. `out` marks a seat that is broke,
    `left` one whose player left in the running round. `arrival` is the order in which players sat
    down before the start."""

    number: int
    player: str
    stack: int
    last_stake: int = 0
    arrival: int = 0
    ready: bool = False
    out: bool = False
    left: bool = False
    sits_out: bool = False
    refilled: bool = False
    stake: int = 0
    pair_bets: tuple[PlacedPairBet, ...] = ()
    insurance: int = 0
    insurance_open: bool = False
    insurance_declined: bool = False
    insurance_returned: int = 0
    hands: tuple[Hand, ...] = ()
    moves: int = 0
    staked: int = 0
    returned: int = 0
    client_seed: str = ""


class Departed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player who left: the stack that a return would bring back, and a forfeit, if it was one."""

    player: str
    seat: int
    stack: int
    forfeited: bool


class Dealer(msgspec.Struct, frozen=True):
    """The dealer's cards; `hole_at` is the place in the shoe of a card face down, or -1."""

    cards: tuple[str, ...] = ()
    hole_at: int = -1
    peeked: bool = False
    natural: bool = False


class Shoe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shoe: its number (0: none opened yet), how much of it is dealt, the commitment to it
    and what players mixed in. `fresh` marks a shoe that was opened for the round shown."""

    number: int = 0
    dealt: int = 0
    commitment: str = ""
    next_commitment: str = ""
    root: str = ""
    client_seeds: tuple[ClientSeed, ...] = ()
    fresh: bool = False


class Standing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's place when a table is finished; `rank` 0 where the rule set ranks nobody, and
    `outcome` (win, draw, loss) only for a match of one player."""

    player: str
    seat: int
    stack: int
    rank: int
    forfeited: bool
    outcome: str = ""


class State(msgspec.Struct, frozen=True):
    """A table between two commands.

    `banker` is the seat that holds a rotating bank (0: nobody, or the house), `last_banker` the one
    that held it before nobody did. `voided` are the rounds that do not count, in the order in which
    they were voided, and `void_reason` says why if the round shown is one of them. The open
    decision got time back `times_given` times, the last time for an interruption that ended at
    `given_until` (0: never).
    """

    rules: RuleSet
    phase: Phase = Phase.WAITING
    round: int = 0
    seats: tuple[Seat, ...] = ()
    departed: tuple[Departed, ...] = ()
    dealer: Dealer = Dealer()
    shoe: Shoe = Shoe()
    banker: int = 0
    last_banker: int = 0
    active_seat: int = 0
    active_hand: int = 0
    deadline: int = 0
    started: bool = False
    entrants: int = 0
    closing: bool = False
    finish: FinishCause | None = None
    standings: tuple[Standing, ...] = ()
    voided: tuple[int, ...] = ()
    void_reason: str = ""
    times_given: int = 0
    given_until: int = 0

    def seat(self, number: int) -> Seat:
        """The seat of that number; KeyError if nobody sits there."""
        for seat in self.seats:
            if seat.number == number:
                return seat
        raise KeyError(number)

    def seat_of(self, player: str) -> Seat | None:
        """Where a player sits, or None; a seat that was left is no longer theirs."""
        for seat in self.seats:
            if seat.player == player and not seat.left:
                return seat
        return None

    @property
    def dealt_in(self) -> tuple[Seat, ...]:
        """The seats that have cards in the round, ascending, players who left among them."""
        return tuple([seat for seat in self.seats if seat.hands])

    @property
    def forfeits_when_left(self) -> bool:
        """Whether who leaves now has forfeited: in a ranked match that has started."""
        return self.started and self.rules.ranking is not Ranking.NONE

    @property
    def free_seats(self) -> int:
        """How many seats can be taken, now or between the coming rounds."""
        if self.phase is Phase.FINISHED or (self.started and self.rules.rounds):
            return 0
        return self.rules.max_seats - len(self.seats) if self.takes_newcomers else 0

    @property
    def takes_newcomers(self) -> bool:
        """Whether a player may come who never sat here."""
        return len(self.seats) + len(self.departed) < MOST_PLAYERS

    @property
    def rotates(self) -> bool:
        """Whether the players take turns as banker."""
        return self.rules.banker is Banker.ROTATING

    @property
    def waits_for_players(self) -> bool:
        """Whether a table that has started can't deal: nobody holds the bank, or none bets."""
        playing = sum(not (seat.out or seat.left) for seat in self.seats)
        return self.rotates and self.started and (self.banker == 0 or playing < 2)

    @property
    def betting_round(self) -> int:
        """The round that takes bets now, or will next."""
        return self.round + 1 if self.phase is Phase.SETTLED else self.round

    @property
    def between_rounds(self) -> bool:
        """Whether no round has been dealt and not settled."""
        return self.phase in (Phase.WAITING, Phase.BETTING, Phase.SETTLED)

    @property
    def running(self) -> bool:
        """Whether a round has been dealt and not settled."""
        return self.phase in (Phase.INSURANCE, Phase.TURNS, Phase.BANKER)
