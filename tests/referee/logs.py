"""Logs for the referee to judge: rounds played by the engine, with the cards named."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from service.audit.hands.script import ScriptedChance
from service.rules.hand import Action
from service.rules.money import minor_units
from service.rules.options import with_options
from service.rules.presets import PRESETS
from service.table.commands import (
    Act,
    CloseIdle,
    CloseTable,
    Command,
    LeaveSeat,
    OpenTable,
    PairBet,
    PlaceBet,
    SitOut,
    TakeSeat,
    TimeOut,
)
from service.table.deciding.decide import play
from service.table.deciding.decision import decision_token
from service.table.events import RoundSettled
from service.table.evolving.evolve import initial_state
from service.table.state import State
from tests.table.driver import void_of

Json = dict[str, Any]


class Log(NamedTuple):
    """A table's rule set and events, as they stand in the journal."""

    rule_set: Json
    events: list[Json]


def played(cards: str, moves: str, preset: str = "six-deck-h17", **options: str) -> Log:
    """The log of a table: the cards in the order in which they leave the shoe, and moves such as
    `1 bet 50, 1 split, 1 stand`, the number being the seat's; pair bets go `1 bet 50 2:10`, and an
    operator, who has none, goes `0 voids 1`. At a
    table for several every seat is taken, in ascending order; so the first banker has seat 1."""
    rules = with_options(PRESETS[preset], options)
    chance = ScriptedChance()
    chance.lay(cards.split(), 1, 0)
    state = initial_state(rules)
    events: list[Json] = []
    opening: list[Command] = [OpenTable("p1", "rules", rules)]
    if rules.max_seats > 1:
        opening += [TakeSeat(f"p{seat}", seat) for seat in range(1, rules.max_seats + 1)]
    for command in opening:
        happened, state = play(state, command, chance, 0)
        events += msgspec.json.decode(msgspec.json.encode(happened))
    settled: dict[int, RoundSettled] = {}
    for move in moves.split(", "):
        happened, state = play(state, _command(state, settled, *move.split()), chance, 0)
        events += msgspec.json.decode(msgspec.json.encode(happened))
        for event in happened:
            if isinstance(event, RoundSettled):
                settled[state.round] = event
    return Log(msgspec.to_builtins(rules), events)


def _command(
    state: State, settled: Mapping[int, RoundSettled], seat: str, do: str, *amounts: str
) -> Command:
    sitting = [one.player for one in state.seats if one.number == int(seat)]
    player = sitting[0] if sitting else ""
    match do:
        case "comes":
            return TakeSeat(amounts[0], int(seat))
        case "bet":
            pairs = [pair.split(":") for pair in amounts[1:]]
            pair_bets = tuple(PairBet(int(on), minor_units(stake)) for on, stake in pairs)
            return PlaceBet(player, state.betting_round, minor_units(amounts[0]), pair_bets)
        case "sits-out":
            return SitOut(player, state.betting_round)
        case "leaves":
            return LeaveSeat(player)
        case "times-out":
            return TimeOut(int(seat))
        case "closes":
            return CloseTable(player)
        case "voids":
            return void_of(int(amounts[0]), settled.get(int(amounts[0])))
        case "idles":
            return CloseIdle(3600)
        case action:
            token = decision_token(state, state.seat(int(seat)))
            return Act(player, token, Action(action))
