"""The chips: a ledger of every stack, from the events that contain stacks.

Rule: a seat's stack after a round is its stack before, plus its net; the net is what was returned
minus what was staked. At a table with a rotating banker the nets of a round add up to zero, so the
stacks of all players, also of those who left, add up to what they brought. No stack is ever below
zero.
"""

from collections.abc import Sequence
from typing import NoReturn

from service.audit.verify.check_failed import CheckFailed
from service.records.verification import FaultKind
from service.rules.rule_set import Banker, RuleSet
from service.table import events as e

MOVES = frozenset(
    {
        e.SeatTaken,
        e.RoundOpened,
        e.StackRefilled,
        e.BetPlaced,
        e.PairBetReturned,
        e.BetReturned,
        e.HoleCardDealt,
        e.RoundSettled,
        e.RoundVoided,
    }
)
"""The events that change a stack between rounds: one in four."""


class Ledger:
    """Every player's stack between rounds, and the player's bets on the next round."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._stacks: dict[str, int] = {}
        self._laid: dict[str, int] = {}
        self._players: dict[int, str] = {}
        self._dealt = False

    def enter(self, events: Sequence[e.Event]) -> None:
        """Enter the events of the next row; raises CheckFailed if chips appear or vanish."""
        for event in events:
            if type(event) not in MOVES:
                continue
            match event:
                case e.SeatTaken():
                    self._sit(event)
                case e.RoundOpened():
                    self._players = {seat.seat: seat.player for seat in event.seats}
                case e.StackRefilled():
                    self._stacks[self._player(event.seat)] = event.stack
                case e.BetPlaced():
                    staked = event.stake + sum(bet.stake for bet in event.pair_bets)
                    self._laid[self._player(event.seat)] = staked
                case e.PairBetReturned():
                    self._laid[self._player(event.seat)] -= event.stake
                case e.BetReturned():
                    self._laid.pop(self._player(event.seat), None)
                case e.HoleCardDealt():
                    self._dealt = True
                case e.RoundSettled():
                    self._settle(event.seats)
                case e.RoundVoided() if not self._dealt:
                    self._reverse(event.seats)

    def _player(self, seat: int) -> str:
        player = self._players.get(seat)
        if player is None:
            raise CheckFailed(FaultKind.CHIPS, f"seat {seat} is empty, but its chips move")
        return player

    def _before(self, player: str) -> int:
        stack = self._stacks.get(player)
        if stack is None:
            raise CheckFailed(FaultKind.CHIPS, f"{player} never sat down, but is paid")
        return stack

    def _sit(self, event: e.SeatTaken) -> None:
        self._players[event.seat] = event.player
        stack = self._stacks.setdefault(event.player, event.stack)
        if event.stack not in (stack, self._rules.starting_stack):
            _wrong(f"{event.player} sits down with {event.stack}, but left with {stack}")
        self._stacks[event.player] = event.stack

    def _settle(self, seats: Sequence[e.SettledSeat]) -> None:
        for seat in seats:
            before = self._before(seat.player)
            if seat.net != seat.returned - seat.staked:
                _wrong(
                    f"seat {seat.seat} staked {seat.staked} and got {seat.returned}: the net is not"
                    f" {seat.net:+}"
                )
            if seat.stack != before + seat.net:
                _wrong(
                    f"seat {seat.seat} had {before} and won {seat.net:+}: the stack is not"
                    f" {seat.stack}"
                )
            if seat.stack < 0:
                _wrong(f"seat {seat.seat} has {seat.stack}")
            self._stacks[seat.player] = seat.stack
        self._conserve([seat.net for seat in seats])
        self._laid.clear()
        self._dealt = False

    def _reverse(self, seats: Sequence[e.VoidedSeat]) -> None:
        """Reverse a settled round; the chips of a voided running round are in its settlement."""
        for seat in seats:
            after = self._before(seat.player) + seat.reversed
            at_hand = after - self._laid.get(seat.player, 0)
            if seat.stack != at_hand or at_hand < 0:
                _wrong(f"{seat.player} has {at_hand} after the void, not {seat.stack}")
            self._stacks[seat.player] = after
        self._conserve([seat.reversed for seat in seats])

    def _conserve(self, moves: Sequence[int]) -> None:
        moved = sum(moves)
        if moved and self._rules.banker is Banker.ROTATING:
            _wrong(
                f"the players' chips change by {moved:+} in all, at a table without a house banker"
            )


def _wrong(message: str) -> NoReturn:
    raise CheckFailed(FaultKind.CHIPS, message)
