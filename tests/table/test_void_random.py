"""Voids at every moment of random games: a running round leaves no trace in any stack, a settled
one is reversed, and no stack falls below zero."""

from collections import Counter
from random import Random

import pytest

from service.rules.presets import PRESETS
from service.rules.rule_set import RuleSet
from service.table import events as e
from service.table.commands import VoidRound
from service.table.phase import Phase
from service.table.state import State
from tests.table.driver import void_of
from tests.table.random_tables import RandomTable, chips_at, random_rules

COMMANDS = 200
CASES = [
    *((name, rules) for name, rules in PRESETS.items() for _ in range(4)),
    *((f"rotating-{seed}", random_rules(Random(seed))) for seed in range(12)),
]


def held(state: State) -> dict[str, int]:
    """What each player has: his stack, and what he has laid out on a round not dealt yet."""
    laid = state.phase is Phase.BETTING
    holds = {one.player: one.stack for one in state.departed}
    for seat in state.seats:
        bets = seat.stake + sum(bet.stake for bet in seat.pair_bets) if laid else 0
        holds[seat.player] = seat.stack + bets
    return holds


class VoidedTable:
    """A random table, and what its players had before the running round."""

    def __init__(self, seed: int, rules: RuleSet) -> None:
        self.table = RandomTable(seed, rules)
        self.before: dict[str, int] = {}
        self.seen: Counter[str] = Counter()
        self._random = Random(seed)

    def go_on(self) -> None:
        """One more command; then a void of whatever can be voided is tried."""
        table = self.table
        if not table.state.running:
            self.before = held(table.state)
        refills = table.happened["StackRefilled"]
        table.go_on()
        if table.happened["StackRefilled"] > refills:
            self.before = {"p1": table.rules.starting_stack}
        if table.state.running:
            self._void_running()
            if self._random.random() < 0.02:
                table.void(VoidRound(table.state.round, "for good"))
        else:
            self._void_settled()

    def _void_running(self) -> None:
        state = self.table.state
        _, after = self.table.would_void(VoidRound(state.round, "a torn card"))
        assert {player: self.before[player] for player in held(after)} == held(after)
        assert after.phase in (Phase.SETTLED, Phase.FINISHED)
        assert after.void_reason == "a torn card"
        assert not any(hand.result for seat in after.seats for hand in seat.hands)
        self.seen[state.phase] += 1

    def _void_settled(self) -> None:
        table = self.table
        for number, settled in table.settled.items():
            if number in table.state.voided:
                continue
            command = void_of(number, settled)
            voided, after = table.would_void(command)
            self._check(settled, voided, after)
            if self._random.random() < 0.02:
                table.void(command)
                break

    def _check(self, settled: e.RoundSettled, voided: e.RoundVoided, after: State) -> None:
        held_now = held(self.table.state)
        changes = {one.player: one.reversed for one in voided.seats}
        for seat in settled.seats:
            change = changes.get(seat.player, 0)
            assert abs(change) <= abs(seat.net)
            assert change * seat.net <= 0
            if seat.net < 0 and not self.table.state.rotates:
                assert change == -seat.net
            if seat.net > 0 and not self.table.state.rotates:
                assert change == -seat.net or held_now[seat.player] + change >= 0
            self.seen["short" if abs(change) < abs(seat.net) else "whole"] += 1
        assert all(chips >= 0 for chips in held(after).values())
        if not after.running:
            assert held(after) == {
                player: chips + changes.get(player, 0) for player, chips in held_now.items()
            }
        if after.rotates:
            assert chips_at(after) == chips_at(self.table.state)


@pytest.fixture(scope="module")
def seen() -> Counter[str]:
    """Plays the tables; at which moments a round was voided."""
    counts: Counter[str] = Counter()
    for seed, (_, rules) in enumerate(CASES):
        game = VoidedTable(seed, rules)
        for _ in range(COMMANDS):
            if game.table.state.phase is Phase.FINISHED:
                break
            game.go_on()
        counts += game.seen
    return counts


@pytest.mark.parametrize("what", ["insurance", "turns", "banker", "short", "whole"])
def test_voids_hold_at_every_moment(what: str, seen: Counter[str]) -> None:
    assert seen[what]
