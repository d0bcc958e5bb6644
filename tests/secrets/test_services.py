"""Two services whose tables differ only in hidden cards answer alike, to the byte: every RPC, at
both doors, to players, other players, the banker, spectators, strangers and the operator."""

from random import Random

import pytest

from service.api.contract import method_name, methods
from tests.secrets.games import Twins, find_twins
from tests.secrets.play import Play
from tests.secrets.requests import REQUESTS
from tests.secrets.services import twin_services
from tests.secrets.tables import TABLES, Rules


def test_every_rpc_is_listed() -> None:
    served = {method_name(method) for method in methods()}
    assert served == set(REQUESTS), (
        "an RPC of the contract is not held against leaks: give it a line in `REQUESTS` of"
        " tests/secrets/requests.py, whose docstring says how"
    )


@pytest.mark.parametrize("name", TABLES)
async def test_twin_services_answer_alike(name: str) -> None:
    rules = TABLES[name]
    twins = twins_of(rules, Random(f"services {name}"))
    async with twin_services(twins) as services:
        play = Play(services, twins, rules)
        await play.game()
        await play.every_request()
        await play.owners_see()
        await play.the_end()
        assert services.compared > 1000


def twins_of(rules: Rules, random: Random) -> Twins:
    """Twins who have played for a while."""
    while True:
        twins = find_twins(random, rules.rule_set)
        if twins and 8 <= len(twins.one.moves) <= 25:
            return twins
