"""Hypothesis plays random tables; what it finds it makes as small as it can."""

from datetime import timedelta
from random import Random

from hypothesis import HealthCheck, given, note, seed, settings
from hypothesis import strategies as st

from tests.properties.random_tables import play_random_table


@seed(633)
@settings(
    max_examples=600,
    deadline=timedelta(seconds=20),
    suppress_health_check=list(HealthCheck),
    database=None,
)
@given(st.randoms(use_true_random=False))
def test_engine_and_referee_agree_on_random_tables(random: Random) -> None:
    note(f"{play_random_table(random, rounds=3, probing=0.3)} rounds")


def test_engine_and_referee_agree_on_longer_tables() -> None:
    settled = sum(
        play_random_table(Random(number), rounds=15, probing=0.2) for number in range(1000)
    )
    assert settled > 3000
