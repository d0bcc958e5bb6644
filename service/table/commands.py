"""The commands of a table: what somebody asks for, before the rules have been asked.

A command names the player who gives it; which seat that is, the state knows. `decision` names the
open decision that an action answers (see `decision_token`), `round` the round that a bet is for, so
that a command which was overtaken is refused and not applied to something else.
"""

import msgspec
from msgspec import UNSET, UnsetType

from service.rules.hand import Action
from service.rules.rule_set import RuleSet
from service.table.causes import InterruptionCause


class PairBet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A side bet on the first two cards of a seat; `stake` in minor units."""

    seat: int
    stake: int


class Command(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """What all commands have in common: the tag `type`."""


class OpenTable(Command, frozen=True, tag=True):
    """Open a table under a rule set; at a table of one seat `player` takes it, if one is named.

    A `private` table exists only for those who play at it or bring its code. The table's id is
    derived from the request and the `nonce`, without which nobody can compute it.
    """

    player: str
    rule_set_id: str
    rule_set: RuleSet
    private: bool = False
    nonce: str | UnsetType = UNSET


class TakeSeat(Command, frozen=True, tag=True):
    """Sit down; seat 0 is any that is free. A `client_seed` goes into the next shoe."""

    player: str
    seat: int = 0
    client_seed: str = ""


class SetReady(Command, frozen=True, tag=True):
    """Say that the table may start."""

    player: str


class LeaveSeat(Command, frozen=True, tag=True):
    """Leave the table."""

    player: str


class PlaceBet(Command, frozen=True, tag=True):
    """Bet `stake` minor units on the round, and `pair_bets` beside it. A `client_seed` goes into
    the next shoe that is opened, be it for this round."""

    player: str
    round: int
    stake: int
    pair_bets: tuple[PairBet, ...] = ()
    client_seed: str = ""


class SitOut(Command, frozen=True, tag=True):
    """Take no cards in the round."""

    player: str
    round: int


class Act(Command, frozen=True, tag=True):
    """Answer the open decision of the player's seat."""

    player: str
    decision: str
    action: Action


class CloseTable(Command, frozen=True, tag=True):
    """Close the table. A player may do so between rounds only; for an operator (`player` empty) a
    dealt round is finished first."""

    player: str


class TimeOut(Command, frozen=True, tag=True):
    """The table's own command: the deadline has passed, so every open question is answered.

    With a `seat` only that seat's question is, whatever the clock says: hand histories need it.
    """

    seat: int = 0


class CloseIdle(Command, frozen=True, tag=True):
    """The table's own command: close a table that nothing has happened at for `seconds`."""

    seconds: int


class GiveTimeBack(Command, frozen=True, tag=True):
    """The table's own command: from `from_at` to `to_at` (microseconds since 1970, UTC) nobody
    could answer, so the open decision gets that time back."""

    cause: InterruptionCause
    from_at: int
    to_at: int


class SeatNet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a settled round brought a seat, minor units; never 0."""

    seat: int
    player: str
    net: int


class VoidRound(Command, frozen=True, tag=True):
    """An operator's: declare that a round does not count, and why.

    Of a settled round `settlement` is the version of the row that settled it, and `seats` what it
    brought each seat, ascending; of the one that is running 0 and nothing.
    """

    round: int
    reason: str
    settlement: int = 0
    seats: tuple[SeatNet, ...] = ()


AnyCommand = (
    OpenTable
    | TakeSeat
    | SetReady
    | LeaveSeat
    | PlaceBet
    | SitOut
    | Act
    | CloseTable
    | VoidRound
    | CloseIdle
    | TimeOut
    | GiveTimeBack
)
"""Every command there is, for the codec."""
