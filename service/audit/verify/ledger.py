"""The chips: a ledger of every stack, kept from the events that say what a stack is.

Rule: a seat's stack after a round is its stack before, plus its net; what it staked and what came
back differ by that net. At a table whose players take turns as banker the nets of a round add up to
nothing, so that all stacks together, of those who sit and those who left, are what was brought. No
stack is ever below zero.
"""

from collections.abc import Sequence

from service.app.verification import FaultKind
from service.audit.verify.wrong import Wrong
from service.rules.rule_set import Banker, RuleSet
from service.table import events as e


class Ledger:
    """Every player's stack between rounds."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._stacks: dict[str, int] = {}
        self._players: dict[int, str] = {}

    def enter(self, events: Sequence[e.Event]) -> None:
        """The events of the next row; raises Wrong where chips appear or vanish."""
        for event in events:
            match event:
                case e.SeatTaken():
                    self._sit(event)
                case e.StackRefilled():
                    self._stacks[self._players[event.seat]] = event.stack
                case e.RoundSettled():
                    self._settle(event.seats)
                case e.RoundOpened():
                    self._players = {seat.seat: seat.player for seat in event.seats}

    def _sit(self, event: e.SeatTaken) -> None:
        self._players[event.seat] = event.player
        stack = self._stacks.setdefault(event.player, event.stack)
        if event.stack not in (stack, self._rules.starting_stack):
            _wrong(f"{event.player} sits down with {event.stack}, and left with {stack}")
        self._stacks[event.player] = event.stack

    def _settle(self, seats: Sequence[e.SettledSeat]) -> None:
        for seat in seats:
            before = self._stacks.get(seat.player)
            if before is None:
                _wrong(f"{seat.player} never sat down, and is paid")
            elif seat.net != seat.returned - seat.staked:
                _wrong(
                    f"seat {seat.seat} staked {seat.staked} and got {seat.returned}: that is not"
                    f" {seat.net:+}"
                )
            elif seat.stack != before + seat.net:
                _wrong(
                    f"seat {seat.seat} had {before} and won {seat.net:+}: that is not {seat.stack}"
                )
            elif seat.stack < 0:
                _wrong(f"seat {seat.seat} has {seat.stack}")
            self._stacks[seat.player] = seat.stack
        moved = sum(seat.net for seat in seats)
        if moved and self._rules.banker is Banker.ROTATING:
            _wrong(f"the players' nets add up to {moved:+}, and no house plays")


def _wrong(message: str) -> None:
    raise Wrong(FaultKind.CHIPS, message)
