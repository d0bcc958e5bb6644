"""Two games that differ only in hidden cards look the same to everybody: views, refusals, events.

Many of them, and fast, because no service stands around them; `test_services` looks at some through
both doors.
"""

from random import Random

import pytest

from service.rules.rule_set import RuleSet
from tests.properties.rule_sets import random_rule_set
from tests.secrets.games import Twins, find_twins
from tests.secrets.looks import look_from_all_sides
from tests.secrets.tables import TABLES

TRIES = 100


def rule_sets(name: str, random: Random) -> list[RuleSet]:
    """The rule set of that name again and again, or random ones."""
    if name == "random":
        return [random_rule_set(random) for _ in range(2 * TRIES)]
    return [TABLES[name].rule_set] * TRIES


@pytest.mark.parametrize("name", [*TABLES, "random"])
def test_twin_games_look_the_same(name: str) -> None:
    random = Random(name)
    found: list[Twins] = []
    for rules in rule_sets(name, random):
        twins = find_twins(random, rules)
        if twins:
            look_from_all_sides(twins)
            found.append(twins)
    assert len(found) > TRIES // 2
    # Of a round that is settled something lies face down only if it was voided.
    assert {twins.one.state.phase for twins in found} - {"settled"} == {"insurance", "turns"}
    if found[0].one.rules.first_card_hidden:
        assert any(twins.secrets.owners for twins in found)
        assert any(twins.secrets.seats and not twins.secrets.hole for twins in found)
