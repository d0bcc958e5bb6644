"""The events of a table: facts, in the order in which they happened.

Each event carries its outcome, so that replaying them applies no rule and needs no card that is
still face down. All are emitted by `decide`; each docstring says when, and what it guarantees.
Amounts are minor units, hands of a seat count from 1 left to right, `position` is a card's place
in the shoe from 0, and `salt` what proves that the card was there from the start.

As text an event is a JSON object whose `type` is its name.
"""

from enum import StrEnum

import msgspec

from service.rules.hand import EndCause, Result
from service.rules.rule_set import RuleSet
from service.table.causes import Cause, InterruptionCause
from service.table.chance import ClientSeed
from service.table.commands import PairBet
from service.table.phase import FinishCause
from service.table.state import Departed, Shoe, Standing


class BankMove(StrEnum):
    """What moved chips between the bank and a seat."""

    PAIR_BETS = "pair_bets"
    PREMIUM = "premium"
    HANDS = "hands"


class BankChange(StrEnum):
    """Why the bank moved on."""

    FIRST = "first"  # the first to sit down, or the earliest seated before the start
    EVERYBODY_GAINED = "everybody_gained"  # each punter's hands together were a gain
    TOO_SMALL = "too_small"  # the banker holds less than one and a half times the minimum bet
    LEFT = "left"
    VACANT = "vacant"  # nobody held the bank


class Event(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """What all events have in common: the tag `type`."""


class TableOpened(Event, frozen=True, tag=True):
    """The first event of a table. `commitment` is the one to shoe 1."""

    rule_set_id: str
    rule_set: RuleSet
    commitment: str
    private: bool = False


class SeatTaken(Event, frozen=True, tag=True):
    """A player sat down with this stack: the starting one, or the one they once left with."""

    seat: int
    player: str
    stack: int


class ClientSeedGiven(Event, frozen=True, tag=True):
    """A player gave a seed for the next shoe, to which the service has committed already. It
    replaces an earlier one of the same player, and counts no more if the player leaves before the
    shoe is opened."""

    seat: int
    seed: str


class SeatReady(Event, frozen=True, tag=True):
    """A seated player said that the table may start."""

    seat: int


class TableStarted(Event, frozen=True, tag=True):
    """Enough players are ready, or every seat is taken: bets are taken from now on."""


class SeatLeft(Event, frozen=True, tag=True):
    """A player left. Between rounds the seat is free at once, and what had been bet on the coming
    round went back to the stack that the player takes along; in a running round the events that
    follow forfeit the hands, and the seat is free after the settlement."""

    seat: int
    stack: int
    forfeited: bool


class CarriedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat as one round hands it to the next."""

    seat: int
    player: str
    stack: int
    last_stake: int
    out: bool
    client_seed: str


class RoundOpened(Event, frozen=True, tag=True):
    """The first event after a settlement: all that the new round inherits. `deadline` is that of
    the betting, which runs since the settlement (0: no limit)."""

    round: int
    seats: tuple[CarriedSeat, ...]
    departed: tuple[Departed, ...]
    shoe: Shoe
    entrants: int
    deadline: int
    banker: int
    last_banker: int
    voided: tuple[int, ...]


class StackRefilled(Event, frozen=True, tag=True):
    """A stack below the minimum bet was replaced by the starting stack, before the seat's bet."""

    seat: int
    stack: int


class BetPlaced(Event, frozen=True, tag=True):
    """A stake and its pair bets have left the seat's stack, for good."""

    seat: int
    stake: int
    pair_bets: tuple[PairBet, ...]


class SatOut(Event, frozen=True, tag=True):
    """A seat gets no cards in this round."""

    seat: int
    cause: Cause


class PairBetReturned(Event, frozen=True, tag=True):
    """A pair bet came back, because the seat that it names was not dealt in."""

    seat: int
    on: int
    stake: int


class BetReturned(Event, frozen=True, tag=True):
    """All that a seat had bet came back before the deal: the table was closed, or the seat or
    the banker left."""

    seat: int
    returned: int


class ShoeRevealed(Event, frozen=True, tag=True):
    """A shoe is retired, or its table finished: its seed, hence every card of it, is public."""

    shoe: int
    seed: str


class ShoeOpened(Event, frozen=True, tag=True):
    """A fresh shoe for this round. `commitment` is its own, `next_commitment` its successor's;
    `client_seeds` are mixed in, in the order of the seats, and `root` stands for all its cards."""

    shoe: int
    cards: int
    cut_card: int
    commitment: str
    next_commitment: str
    root: str
    client_seeds: tuple[ClientSeed, ...]


class CardDealt(Event, frozen=True, tag=True):
    """A card, face up, to a hand."""

    seat: int
    hand: int
    card: str
    position: int
    salt: str


class FirstCardDealt(Event, frozen=True, tag=True):
    """A seat's first card, face down: only its owner may know it until it is turned up."""

    seat: int
    position: int


class FirstCardTurned(Event, frozen=True, tag=True):
    """A first card that lay face down was turned up."""

    seat: int
    hand: int
    card: str
    position: int
    salt: str


class DealerCardDealt(Event, frozen=True, tag=True):
    """A card to the dealer, face up: the upcard, or a draw."""

    card: str
    position: int
    salt: str


class HoleCardDealt(Event, frozen=True, tag=True):
    """The dealer's hole card, face down."""

    position: int


class HoleCardTurned(Event, frozen=True, tag=True):
    """The hole card was turned up; every round that was played to its end has exactly one."""

    card: str
    position: int
    salt: str


class PairBetSettled(Event, frozen=True, tag=True):
    """A pair bet of `seat` on the cards of `on`, won or lost; `returned` includes the stake."""

    seat: int
    on: int
    stake: int
    returned: int


class InsuranceOffered(Event, frozen=True, tag=True):
    """The upcard is an ace: these seats may insure, each once."""

    seats: tuple[int, ...]


class InsuranceTaken(Event, frozen=True, tag=True):
    """Half the stake has left the seat's stack as insurance."""

    seat: int
    stake: int


class InsuranceDeclined(Event, frozen=True, tag=True):
    """A seat is not insured."""

    seat: int
    cause: Cause


class DealerPeeked(Event, frozen=True, tag=True):
    """The dealer looked at the hole card; with a natural the round ends at once."""

    natural: bool


class TurnStarted(Event, frozen=True, tag=True):
    """A hand is open: its seat has to decide."""

    seat: int
    hand: int


class HandHit(Event, frozen=True, tag=True):
    """The seat asked for a card, which follows."""

    seat: int
    hand: int


class HandDoubled(Event, frozen=True, tag=True):
    """As much again as the stake has left the stack; exactly one card follows."""

    seat: int
    hand: int
    stake: int


class HandSplit(Event, frozen=True, tag=True):
    """The second card became the first of a new hand to the right, on a stake of its own."""

    seat: int
    hand: int
    stake: int


class HandEnded(Event, frozen=True, tag=True):
    """A hand takes no more cards, and why."""

    seat: int
    hand: int
    cause: EndCause


class HandSettled(Event, frozen=True, tag=True):
    """The result of a hand; `returned` went to the stack and includes the stake."""

    seat: int
    hand: int
    result: Result
    returned: int


class InsuranceSettled(Event, frozen=True, tag=True):
    """What came back of an insurance."""

    seat: int
    returned: int


class SettledSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's round: all that it staked, all that came back, the difference, and the stack. For a
    banker: all that was paid out, all that was taken in."""

    seat: int
    player: str
    staked: int
    returned: int
    net: int
    stack: int


class RoundSettled(Event, frozen=True, tag=True):
    """The round is over. `seats` are those that had anything at stake, ascending."""

    seats: tuple[SettledSeat, ...]


class VoidedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a void changed: `seat` is where the player sat in the voided round, `reversed` what the
    stack gained or (negative) lost by the void, `stack` what it is now, at whatever seat."""

    seat: int
    player: str
    reversed: int
    stack: int


class RoundVoided(Event, frozen=True, tag=True):
    """An operator declared that a round does not count. Of one that was running every stake went
    back, and `RoundSettled` follows; a settled one was reversed as far as the stacks reach. At a
    finished table `standings` are the new ones."""

    round: int
    reason: str
    seats: tuple[VoidedSeat, ...]
    standings: tuple[Standing, ...]


class SeatBackIn(Event, frozen=True, tag=True):
    """A void gave a seat that was out enough for the minimum bet: it plays again."""

    seat: int


class SeatOut(Event, frozen=True, tag=True):
    """A stack is below the minimum bet and is not refilled: the seat plays no more."""

    seat: int


class BankerChanged(Event, frozen=True, tag=True):
    """The bank moved to a seat; seat 0: nobody can hold it, and the table waits."""

    seat: int
    cause: BankChange


class BankMoved(Event, frozen=True, tag=True):
    """Chips moved into (negative: out of) the banker's stack from or to the punters."""

    amount: int
    cause: BankMove


class BankerTurnStarted(Event, frozen=True, tag=True):
    """The dealer's hand is soft 17 to 20: the banker has to choose."""

    seat: int


class DealerStood(Event, frozen=True, tag=True):
    """The banker stands on a soft hand: by decision, by time-out, or by leaving."""

    cause: Cause


class TableClosing(Event, frozen=True, tag=True):
    """The table was closed during a round, which is played to its end first."""


class TableFinished(Event, frozen=True, tag=True):
    """The table is closed for good. `standings` are by rank, then by seat."""

    cause: FinishCause
    standings: tuple[Standing, ...]


class DeadlineSet(Event, frozen=True, tag=True):
    """The open decisions have to be made by then (microseconds since 1970, UTC); 0: the betting
    clock stands still again, because every bet came back."""

    deadline: int


class TimeGivenBack(Event, frozen=True, tag=True):
    """Nobody could answer from `from_at` to `to_at`: the service was away, or the database's clock
    was set forward. The deadline `was` moved to `deadline`, so that the open decision has as long
    as it had left; after an outage at least some seconds. It happens once for each interruption,
    and five times at most for a decision (microseconds since 1970, UTC)."""

    cause: InterruptionCause
    from_at: int
    to_at: int
    was: int
    deadline: int


AnyEvent = (
    TableOpened
    | SeatTaken
    | ClientSeedGiven
    | SeatReady
    | TableStarted
    | SeatLeft
    | RoundOpened
    | StackRefilled
    | BetPlaced
    | SatOut
    | PairBetReturned
    | BetReturned
    | ShoeRevealed
    | ShoeOpened
    | CardDealt
    | FirstCardDealt
    | FirstCardTurned
    | DealerCardDealt
    | HoleCardDealt
    | HoleCardTurned
    | PairBetSettled
    | InsuranceOffered
    | InsuranceTaken
    | InsuranceDeclined
    | DealerPeeked
    | TurnStarted
    | HandHit
    | HandDoubled
    | HandSplit
    | HandEnded
    | HandSettled
    | InsuranceSettled
    | RoundSettled
    | RoundVoided
    | SeatOut
    | SeatBackIn
    | BankerChanged
    | BankMoved
    | BankerTurnStarted
    | DealerStood
    | TableClosing
    | TableFinished
    | DeadlineSet
    | TimeGivenBack
)
"""Every event there is, for the codec."""
