"""Two services whose tables differ only in hidden cards answer alike, to the byte: every RPC, at
both doors, to players, other players, the banker, spectators, strangers and the operator."""

from itertools import cycle
from random import Random

import pytest

from service.api.contract import method_name, methods
from service.table.state import Phase
from tests.secrets.games import Twins, find_twins
from tests.secrets.play import Play
from tests.secrets.requests import REQUESTS
from tests.secrets.services import twin_services
from tests.secrets.tables import TABLES, Rules

PHASES = cycle([Phase.TURNS, Phase.INSURANCE])


def test_every_rpc_is_listed() -> None:
    served = {method_name(method) for method in methods()}
    assert served == set(REQUESTS), (
        "an RPC of the contract is not held against leaks: give it a line in `REQUESTS` of"
        " tests/secrets/requests.py, whose docstring says how"
    )


@pytest.mark.parametrize(("name", "phase"), [(name, next(PHASES)) for name in TABLES])
async def test_twin_services_answer_alike(name: str, phase: Phase) -> None:
    rules = TABLES[name]
    twins = twins_of(rules, phase, Random(name))
    async with twin_services(twins) as services:
        await Play(services, twins, rules).all()
        assert services.compared > 1000


def twins_of(rules: Rules, phase: Phase, random: Random) -> Twins:
    """Twins who have played for a while and differ in the hole card, among others."""
    while True:
        twins = find_twins(random, rules.rule_set)
        if twins is None or twins.one.state.phase is not phase or not twins.secrets.hole:
            continue
        if 8 <= len(twins.one.moves) <= 25:
            return twins
