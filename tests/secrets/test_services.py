"""Two services whose tables differ only in hidden cards answer alike, to the byte: every RPC, at
both doors, to players, other players, the banker, spectators, strangers and the operator."""

from random import Random

import pytest

from service.api.contract import method_name, methods
from service.table.commands import TimeOut
from service.table.phase import Phase
from tests.secrets.games import Twins, find_twins
from tests.secrets.play import Play
from tests.secrets.requests import REQUESTS
from tests.secrets.services import twin_services
from tests.secrets.tables import TABLES, Rules

TURNS, INSURANCE = Phase.TURNS, Phase.INSURANCE
HOLE, FIRST_CARDS = True, False
"""What the twins differ in: the hole card, perhaps among others; or hidden first cards alone, so
that the banker may not tell them apart either."""


def test_every_rpc_is_listed() -> None:
    served = {method_name(method) for method in methods()}
    assert served == set(REQUESTS), (
        "an RPC of the contract is not held against leaks: give it a line in `REQUESTS` of"
        " tests/secrets/requests.py, whose docstring says how"
    )


@pytest.mark.parametrize(
    ("name", "phase", "hole"),
    [
        ("six-deck-h17", TURNS, HOLE),
        ("twenty-rounds", INSURANCE, HOLE),
        ("twenty-rounds, no peek", TURNS, HOLE),
        ("four-deck-vegas", INSURANCE, HOLE),
        ("ranked-match", TURNS, HOLE),
        ("ranked-match, first card hidden", INSURANCE, FIRST_CARDS),
        ("rotating-banker", INSURANCE, HOLE),
        ("rotating-banker", TURNS, FIRST_CARDS),
        ("rotating-banker, no peek", TURNS, HOLE),
    ],
)
async def test_twin_services_answer_alike(name: str, phase: Phase, hole: bool) -> None:
    rules = TABLES[name]
    twins = twins_of(rules, phase, Random(name), hole=hole)
    async with twin_services(twins) as services:
        await Play(services, twins, rules).all()
        assert services.compared > 1000


def twins_of(rules: Rules, phase: Phase, random: Random, *, hole: bool = HOLE) -> Twins:
    """Twins who have played for a while, and let time run out where there is a clock."""
    while True:
        twins = find_twins(random, rules.rule_set)
        if twins is None or twins.one.state.phase is not phase or twins.secrets.hole is not hole:
            continue
        moves = twins.one.moves
        in_time = not any(isinstance(move.command, TimeOut) for move in moves)
        if 8 <= len(moves) <= 25 and not (in_time and rules.rule_set.turn_seconds):
            return twins
