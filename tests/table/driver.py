"""A table to tell stories at: players by name, amounts in chips, seconds on a clock, cards named.

Every row is checked as it is made: folding its events gives the state that the decider went on
from, so what a test sees is what a replay would see.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

import pytest

from service.audit.hands.script import ScriptedChance
from service.rules.hand import Action
from service.rules.money import CHIP
from service.rules.options import with_options
from service.rules.presets import PRESETS
from service.rules.reasons import Reason, Refused
from service.table.commands import (
    Act,
    CloseIdle,
    CloseTable,
    Command,
    LeaveSeat,
    OpenTable,
    PairBet,
    PlaceBet,
    SetReady,
    SitOut,
    TakeSeat,
    TimeOut,
    VoidRound,
)
from service.table.deciding.decide import play
from service.table.deciding.decision import decision_token
from service.table.deciding.draft import SECOND
from service.table.deciding.voiding import nets_of
from service.table.events import Event, RoundSettled
from service.table.evolving.evolve import fold, initial_state
from service.table.phase import Phase
from service.table.showing.shown import TableView
from service.table.showing.view import view
from service.table.state import Seat, State

AnEvent = TypeVar("AnEvent", bound=Event)


class Place(NamedTuple):
    """Where a player came in; the stack in chips."""

    player: str
    rank: int
    stack: int


class Table:
    """A table of a preset, with options as RULES.md names them, and the events of its last row."""

    def __init__(self, preset: str, *players: str, **options: str) -> None:
        rules = with_options(PRESETS[preset], options)
        self.now = 1000
        self.state: State = initial_state(rules)
        self.last: tuple[Event, ...] = ()
        self.settled: dict[int, RoundSettled] = {}
        self._chance = ScriptedChance()
        self._send(OpenTable("", preset, rules))
        self.sit(*players)
        if not self.state.started:
            self.ready(*players)

    def sit(self, *players: str, seat: int = 0) -> None:
        """Sit down one after the other, on the lowest free seats unless one is named."""
        for player in players:
            self._send(TakeSeat(player, seat))

    def ready(self, *players: str) -> None:
        for player in players:
            self._send(SetReady(player))

    def leave(self, *players: str) -> None:
        for player in players:
            self._send(LeaveSeat(player))

    def cards(self, cards: str) -> None:
        """The cards of the next round, in the order in which they leave the shoe."""
        shoe = self.state.shoe
        self._chance.lay(cards.split(), shoe.number, shoe.dealt)

    def bet(self, player: str, stake: int, *on_pairs: tuple[int, int]) -> None:
        """Bet chips, and chips on the pairs of seats: (seat, chips)."""
        pairs = tuple(PairBet(seat, chips * CHIP) for seat, chips in on_pairs)
        self._send(PlaceBet(player, self.state.betting_round, stake * CHIP, pairs))

    def sit_out(self, *players: str) -> None:
        for player in players:
            self._send(SitOut(player, self.state.betting_round))

    def act(self, player: str, action: Action) -> None:
        token = decision_token(self.state, self.seat(player))
        self._send(Act(player, token, action))

    def stand(self, *players: str) -> None:
        for player in players:
            self.act(player, Action.STAND)

    def wait(self, seconds: int) -> None:
        """Let time pass, and the table answer for those whose time is over."""
        self.now += seconds
        self._send(TimeOut())

    def close(self) -> None:
        """As an operator does."""
        self._send(CloseTable(""))

    def void(self, round: int, reason: str = "a torn card") -> None:
        """As an operator does, who has the books of the round, if it is settled."""
        self._send(void_of(round, self.settled.get(round), reason))

    def close_idle(self) -> None:
        self._send(CloseIdle(3600))

    def round(self, cards: str, **bets: int) -> None:
        """A whole round: who is not named sits out, everybody stands, nobody insures."""
        self.cards(cards)
        for seat in self.state.seats:
            if seat.number != self.state.banker and not (seat.out or seat.left):
                stake = bets.get(seat.player, 0)
                self.bet(seat.player, stake) if stake else self.sit_out(seat.player)
        while not self.state.between_rounds and self.state.finish is None:
            asked = next(seat for seat in self.state.seats if decision_token(self.state, seat))
            insurance = asked.insurance_open
            self.act(asked.player, Action.DECLINE if insurance else Action.STAND)

    def seat(self, player: str) -> Seat:
        seat = self.state.seat_of(player)
        assert seat, f"{player} does not sit here"
        return seat

    def stack(self, player: str) -> int:
        """In chips."""
        return self.seat(player).stack // CHIP

    def phase(self) -> Phase:
        """What the table waits for."""
        return self.state.phase

    @property
    def banker(self) -> str:
        """Who holds the bank, or nothing."""
        return self.state.seat(self.state.banker).player if self.state.banker else ""

    @property
    def seconds_left(self) -> int:
        """Until the deadline; 0: there is none."""
        return self.state.deadline // SECOND - self.now if self.state.deadline else 0

    @property
    def places(self) -> list[Place]:
        """The final standing."""
        return [Place(one.player, one.rank, one.stack // CHIP) for one in self.state.standings]

    def seen_by(self, player: str) -> TableView:
        return view(self.state, player, self._chance, self.last)

    def happened(self, kind: type[AnEvent]) -> list[AnEvent]:
        """The events of a kind in the last row."""
        return [event for event in self.last if isinstance(event, kind)]

    def _send(self, command: Command) -> None:
        events, state = play(self.state, command, self._chance, self.now * SECOND)
        assert events, command
        assert fold(self.state, events) == state
        self.last, self.state = events, state
        for settled in self.happened(RoundSettled):
            self.settled[state.round] = settled


def void_of(round: int, settled: RoundSettled | None, reason: str = "a torn card") -> VoidRound:
    """The command that voids a round, running or settled."""
    if settled is None or not settled.seats:
        return VoidRound(round, reason)
    return VoidRound(round, reason, settlement=1, seats=nets_of(settled.seats))


@contextmanager
def refused(reason: Reason) -> Iterator[None]:
    """What is done inside must be refused for this reason."""
    with pytest.raises(Refused) as caught:
        yield
    assert caught.value.reason is reason, caught.value.message
