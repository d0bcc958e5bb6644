from collections import Counter
from pathlib import Path

import pytest

from service.audit.simulate.batches import simulate
from service.audit.simulate.chance import SimulatedChance, shoe_seed, table_of
from service.audit.simulate.figures import UPCARDS, dealer_finals, edge, hands_histogram
from service.audit.simulate.player import NOW, PLAYER, open_table, play_round
from service.audit.simulate.strategy import Strategy, read_strategy
from service.rules.hand import Action
from service.rules.options import with_options
from service.rules.presets import PRESETS
from service.rules.rule_set import RuleSet
from service.shoes.chance import SeededChance
from service.table import commands as c
from service.table.deciding.decide import decide, play
from service.table.deciding.decision import decision_token
from service.table.deciding.draft import upcard
from service.table.deciding.legal_actions import legal_actions
from service.table.events import Event
from service.table.evolving.evolve import initial_state
from service.table.phase import Phase
from service.table.state import State

FILE = Path(__file__).parents[1] / "truth" / "strategy.yaml"
H17 = PRESETS["six-deck-h17"]


def strategy(rules: RuleSet) -> Strategy:
    return read_strategy(FILE, rules)


def test_the_same_seed_gives_the_same_rounds_with_any_number_of_processes() -> None:
    alone = simulate(H17, strategy(H17), "a", 5_100, processes=1)
    shared = simulate(H17, strategy(H17), "a", 5_100, processes=2)
    other = simulate(H17, strategy(H17), "b", 5_100, processes=1)
    assert (alone.rounds, alone.events) == (5_100, shared.events)
    assert alone.outcomes == shared.outcomes
    assert alone.outcomes != other.outcomes


def test_progress_hears_of_every_round() -> None:
    heard: list[int] = []
    simulate(H17, strategy(H17), "a", 5_010, processes=1, progress=heard.append)
    assert heard == [5_000, 10]


def served_round(state: State, chance: SeededChance, plays: Strategy) -> tuple[list[Event], State]:
    """A round as a service plays it: `decide`, legal actions from the list, real salts."""
    events: list[Event] = []
    command: c.Command = c.PlaceBet("guest", state.betting_round, state.rules.min_bet)
    while True:
        expected = decide(state, command, chance, NOW)
        more, state = play(state, command, chance, NOW)
        assert more == expected
        events += more
        if state.phase not in (Phase.TURNS, Phase.INSURANCE):
            return events, state
        seat = state.seats[0]
        legal = legal_actions(state, seat, chance)
        action = (
            Action.DECLINE
            if state.phase is Phase.INSURANCE
            else plays.action(
                seat.hands[state.active_hand - 1].cards, upcard(state), legal.__contains__
            )
        )
        command = c.Act("guest", decision_token(state, seat), action)


@pytest.mark.parametrize("preset", ["six-deck-h17", "twenty-rounds", "four-deck-vegas"])
def test_a_simulated_round_has_the_events_of_a_served_one(preset: str) -> None:
    rules = with_options(PRESETS[preset], {"rounds": "0"})
    plays = strategy(rules)
    simulated = SimulatedChance("run", "table", rules.decks)
    table = table_of("run", "table")
    seeds = {number: shoe_seed(table, number) for number in range(1, 12)}
    served = SeededChance("table", rules.decks, seeds, bytes)
    mine = open_table(rules, simulated)
    _, theirs = play(initial_state(rules), c.OpenTable("guest", preset, rules), served, NOW)
    for _ in range(200):
        events, mine = play_round(mine, simulated, plays)
        others, theirs = served_round(theirs, served, plays)
        assert [type(event) for event in events] == [type(event) for event in others]
        assert [seat.hands for seat in mine.seats] == [seat.hands for seat in theirs.seats]
        assert mine.dealer == theirs.dealer
        assert mine.seats[0].stack == theirs.seats[0].stack


def test_a_table_of_several_seats_is_played_alone() -> None:
    rules = PRESETS["ranked-match"]
    state = open_table(rules, SimulatedChance("run", "table", rules.decks))
    assert [seat.player for seat in state.seats] == [PLAYER]
    assert state.phase is Phase.BETTING


def test_a_finished_table_is_followed_by_another_one() -> None:
    rules = PRESETS["twenty-rounds"]
    assert simulate(rules, strategy(rules), "a", 50, processes=1).rounds == 50


def test_the_figures_add_up() -> None:
    tally = simulate(H17, strategy(H17), "a", 2_000, processes=1)
    assert tally.violations == Counter()
    assert sum(tally.outcomes.values()) == tally.rounds == 2_000
    assert sum(hands_histogram(tally).values()) == 2_000
    played_out = sum(n for outcome, n in tally.outcomes.items() if outcome.dealer_final)
    assert sum(sum(dealer_finals(tally, upcard)) for upcard in UPCARDS) == played_out
    net = sum(outcome.net * n for outcome, n in tally.outcomes.items())
    assert edge(tally, H17.min_bet).mean == pytest.approx(net / H17.min_bet / 2_000)
