"""The figures of a simulation, under the names used by the known figures.

Unit: the initial stake, which is the same in every round.
"""

from collections import Counter
from collections.abc import Callable

from service.audit.simulate.statistics import Mean, mean_of
from service.audit.simulate.tally import Outcome, Tally

FREQUENCIES: dict[str, Callable[[Outcome], int]] = {
    "player_natural": lambda outcome: outcome.player_natural,
    "dealer_natural": lambda outcome: outcome.dealer_natural,
    "both_natural": lambda outcome: outcome.player_natural and outcome.dealer_natural,
    "dealer_plays_out": lambda outcome: outcome.dealer_final != "",
    "splits_per_round": lambda outcome: outcome.hands - 1,
    "doubled_hands_per_round": lambda outcome: outcome.doubled,
    "surrendered": lambda outcome: outcome.surrendered,
    "first_two_cards_of_one_rank": lambda outcome: outcome.one_rank,
    "all_hands_bust": lambda outcome: outcome.all_hands_bust,
}
"""The values that are counted per round, by name."""

UPCARDS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T")
FINALS = ("17", "18", "19", "20", "21", "bust")


def mean(tally: Tally, value: Callable[[Outcome], float]) -> Mean:
    """The mean of a value over all rounds."""
    return mean_of((value(outcome), times) for outcome, times in tally.outcomes.items())


def edge(tally: Tally, stake: int) -> Mean:
    """The mean net per round, in initial stakes: negative if the house wins."""
    return mean(tally, lambda outcome: outcome.net / stake)


def total_staked(tally: Tally, stake: int) -> Mean:
    """The mean total stake per round, in initial stakes."""
    return mean(tally, lambda outcome: outcome.staked / stake)


def net_histogram(tally: Tally, stake: int) -> Counter[float]:
    """The number of rounds by net, in initial stakes."""
    histogram: Counter[float] = Counter()
    for outcome, times in tally.outcomes.items():
        histogram[outcome.net / stake] += times
    return histogram


def hands_histogram(tally: Tally) -> Counter[int]:
    """The number of rounds by the number of hands at the end."""
    histogram: Counter[int] = Counter()
    for outcome, times in tally.outcomes.items():
        histogram[outcome.hands] += times
    return histogram


def dealer_finals(tally: Tally, upcard: str) -> list[int]:
    """How often the dealer, playing out with an upcard, reached each of `FINALS`."""
    counts: Counter[str] = Counter()
    for outcome, times in tally.outcomes.items():
        if outcome.upcard == upcard:
            counts[outcome.dealer_final] += times
    return [counts[final] for final in FINALS]
