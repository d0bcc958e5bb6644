"""Hypothesis plays random tables; what it finds it makes as small as it can."""

from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.properties.random_tables import play_random_table

One = TypeVar("One")


class Drawn(Random):
    """Randomness drawn from Hypothesis in small whole numbers, which shrink fast; the first choice
    of a list and the low end of a range are the simplest."""

    def __init__(self, data: st.DataObject) -> None:
        super().__init__(0)
        self._data = data

    def randint(self, a: int, b: int) -> int:
        return self._data.draw(st.integers(a, b))

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        assert stop is None
        assert step == 1
        return self.randint(0, start - 1)

    def random(self) -> float:
        return self.randint(0, 99) / 100

    def choice(self, seq: Sequence[One]) -> One:  # type: ignore[override]
        return seq[self.randint(0, len(seq) - 1)]


@seed(633)
@settings(
    max_examples=300,
    deadline=timedelta(seconds=20),
    suppress_health_check=list(HealthCheck),
    database=None,
    phases=[Phase.generate, Phase.shrink],
)
@given(st.data())
def test_engine_and_referee_agree_on_random_tables(data: st.DataObject) -> None:
    play_random_table(Drawn(data), rounds=data.draw(st.integers(1, 3)), probing=0.3)


def test_engine_and_referee_agree_on_longer_tables() -> None:
    tables = [play_random_table(Random(number), rounds=15, probing=0.2) for number in range(700)]
    assert sum(one.rounds for one in tables) > 3000
    assert sum(one.rotating for one in tables) > 1000
