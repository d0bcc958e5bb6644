"""Playing a random table to some length: what Hypothesis and the long run share."""

from random import Random
from typing import NamedTuple

from service.table.phase import Phase
from tests.properties.game import Game
from tests.properties.mistakes import illegal_command
from tests.properties.moves import legal_command
from tests.properties.rule_sets import random_rule_set
from tests.properties.stacked_shoe import StackedChance


class Settled(NamedTuple):
    """How many rounds were settled, and how many of them at a table with a rotating banker."""

    rounds: int = 0
    rotating: int = 0


def play_random_table(random: Random, rounds: int, probing: float) -> Settled:
    """Play up to so many rounds on random rules, against a house or a rotating banker. `probing` is
    the share of decisions at which every action is tried, legal or not. Fails where anything
    disagrees."""
    rules = random_rule_set(random)
    game = Game(rules, StackedChance(random, rules.decks))
    settled = 0
    while settled < rounds:
        wrong = illegal_command(random, game)
        if wrong is not None:
            game.refuse(wrong)
        if random.random() > 1 - probing:
            for seat in game.deciders():
                game.try_every_action(seat)
        command = legal_command(random, game)
        if command is None:
            break
        game.now += 1
        before = len(game.log)
        game.send(command)
        settled += sum(event["type"] == "RoundSettled" for event in game.log[before:])
        if game.state.phase is Phase.FINISHED:
            break
    game.review()
    return Settled(settled, settled if game.state.rotates else 0)
