"""Token buckets: what they let through at once and over time, and what they remember."""

import pytest

from service.calls.buckets import Buckets


class Time:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def had(buckets: Buckets, key: str, tries: int) -> int:
    """How many of so many tries succeed now."""
    count = 0
    for _ in range(tries):
        if not buckets.wait(key):
            buckets.take(key)
            count += 1
    return count


@pytest.mark.parametrize("per_minute", [0.25, 1, 2.5, 5, 7, 300, 6000])
def test_a_minutes_worth_at_once_and_then_as_much_as_grows_back(per_minute: float) -> None:
    time = Time()
    buckets = Buckets(per_minute, time)
    assert had(buckets, "ann", 7000) == max(1, int(per_minute))
    assert had(buckets, "bob", 1) == 1
    time.now += 600
    assert had(buckets, "ann", 7000) == max(1, int(per_minute))


@pytest.mark.parametrize("per_minute", [5, 300])
def test_who_waits_as_long_as_told_gets_one_and_nobody_gets_more_in_an_hour(
    per_minute: int,
) -> None:
    time = Time()
    buckets = Buckets(per_minute, time)
    got, end = 0, time.now + 3600
    while time.now < end:
        got += had(buckets, "ann", 1000)
        wait = buckets.wait("ann")
        assert wait > 0
        time.now += wait
        assert not buckets.wait("ann")
    assert 61 * per_minute - 1 <= got <= 61 * per_minute


def test_no_limit() -> None:
    assert had(Buckets(0, Time()), "ann", 10_000) == 10_000


def test_only_so_many_are_remembered_and_who_came_longest_ago_is_forgotten() -> None:
    buckets = Buckets(1, Time(), keys=3)
    for name in "abc":
        assert had(buckets, name, 2) == 1
    had(buckets, "d", 1)
    assert [bool(buckets.wait(name)) for name in "bcd"] == [True] * 3
    assert not buckets.wait("a")
