"""The simulated player: opens tables, makes the minimum bet and acts by the strategy.

Every command goes through `play`, as in the service, and gives the same events.
"""

from service.audit.simulate.chance import SimulatedChance
from service.audit.simulate.strategy import Strategy
from service.journal.deciders import newest_decider
from service.rules.hand import Action
from service.rules.rule_set import RuleSet
from service.table import commands as c
from service.table.deciding.decision import decision_token
from service.table.deciding.draft import upcard
from service.table.deciding.legal_actions import refusal
from service.table.events import Event
from service.table.phase import Phase
from service.table.state import Seat, State

DECIDER = newest_decider()
PLAYER = "player"
NOW = 0
"""The time of all commands: no one waits in a simulation."""


def open_table(rules: RuleSet, chance: SimulatedChance) -> State:
    """A table with only this player, ready for the first bet."""
    _, state = DECIDER.play(
        DECIDER.initial_state(rules), c.OpenTable(PLAYER, "", rules), chance, NOW
    )
    if not state.seats:
        _, state = DECIDER.play(state, c.TakeSeat(PLAYER), chance, NOW)
    if not state.started:
        _, state = DECIDER.play(state, c.SetReady(PLAYER), chance, NOW)
    return state


def play_round(
    state: State, chance: SimulatedChance, strategy: Strategy
) -> tuple[list[Event], State]:
    """Play one round from bet to settlement: its events, and the state after it."""
    bet = c.PlaceBet(PLAYER, state.betting_round, state.rules.min_bet)
    first, state = DECIDER.play(state, bet, chance, NOW)
    events = list(first)
    while state.phase is Phase.TURNS or state.phase is Phase.INSURANCE:
        seat = state.seats[0]
        token = decision_token(state, seat)
        action = _choose(state, seat, chance, strategy)
        more, state = DECIDER.play(state, c.Act(PLAYER, token, action), chance, NOW)
        events += more
    return events, state


def _choose(state: State, seat: Seat, chance: SimulatedChance, strategy: Strategy) -> Action:
    if state.phase is Phase.INSURANCE:
        return Action.DECLINE
    return strategy.action(
        seat.hands[state.active_hand - 1].cards,
        upcard(state),
        lambda action: refusal(state, seat, action, chance) is None,
    )
