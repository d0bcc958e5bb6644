"""The games that are recorded. One that has a recording stays as it is; new ones may come."""

from collections.abc import Mapping
from typing import NamedTuple


class Game(NamedTuple):
    """A table to record: how many rounds, how it ends, and what else differs from the preset.

    `ends`: closed by the operator within a round, closed because it lies `idle`, `left` by all, or
    left `open`. `interrupted`: now and then nobody can answer for a while.
    """

    name: str
    preset: str
    rounds: int
    ends: str
    seed: int
    options: Mapping[str, str] = {}
    interrupted: bool = False


GAMES = (
    Game("six-deck-h17", "six-deck-h17", 20, "idle", 0),
    Game("twenty-rounds", "twenty-rounds", 20, "open", 0),
    Game("twenty-rounds-sevens", "twenty-rounds", 20, "open", 10, {"triple_sevens": "2:1 / 3:1"}),
    Game("rotating-banker", "rotating-banker", 24, "closed", 15),
    Game("ranked-match", "ranked-match", 10, "open", 14),
    Game("four-deck-vegas", "four-deck-vegas", 30, "closed", 14),
    Game(
        "house-table", "ranked-match", 14, "open", 28,
        {
            "rounds": "0", "ranking": "none", "pair_bet": "5:1", "triple_sevens": "2:1 / 3:1",
            "peek": "none", "dealer_natural_takes": "original_bets", "surrender": "late",
            "first_card_hidden": "yes", "penetration": "0", "seats": "3",
        },
    ),
    Game(
        "small-bank", "rotating-banker", 14, "open", 28,
        {"starting_stack": "60", "insurance": "two_to_one", "seats": "2-3", "max_bet": "0"},
    ),
    Game("broke", "four-deck-vegas", 30, "open", 0, {"starting_stack": "15"}),
    Game("all-left", "ranked-match", 3, "left", 6),
    Game("empty-bank", "rotating-banker", 4, "open", 143, {"seats": "2-3", "starting_stack": "30"}),
    Game("leaving-bank", "rotating-banker", 6, "open", 237, {"seats": "2-3"}),
    Game("interrupted", "ranked-match", 10, "open", 5, {}, interrupted=True),
)  # fmt: skip
