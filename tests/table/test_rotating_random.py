"""Random games with a rotating banker: chips add up, stacks stay positive, offers are accepted."""

from collections import Counter

import pytest

from tests.table.random_tables import RandomTable

TABLES = 70
COMMANDS = 250


@pytest.fixture(scope="module")
def happened() -> Counter[str]:
    """Plays the tables, whose rows are checked one by one; what happened at them."""
    counts: Counter[str] = Counter()
    for seed in range(TABLES):
        table = RandomTable(seed)
        for _ in range(COMMANDS):
            table.go_on()
        counts += table.happened
    return counts


@pytest.mark.parametrize(
    "what",
    [
        "RoundSettled", "HandSplit", "HandDoubled", "InsuranceSettled", "PairBetReturned",
        "PairBetSettled", "FirstCardTurned", "BankerTurnStarted", "DealerStood", "BetReturned",
        "SeatOut", "NOT_COVERED", "bank: everybody_gained", "bank: too_small", "bank: left",
        "bank: vacant",
    ],
)  # fmt: skip
def test_random_games_hold_and_reach(what: str, happened: Counter[str]) -> None:
    assert happened[what]
