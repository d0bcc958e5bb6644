"""The service is killed in the middle of a round, and goes on as if nothing had been.

`make crash` does the same at greater length.
"""

import pytest

from tests.crash.crash_run import CrashRun, Point

KILLS = 5


@pytest.mark.parametrize("point", Point)
def test_a_killed_service_goes_on_with_the_same_round(
    point: Point, record_property: pytest.FixtureRequest
) -> None:
    with CrashRun(point, seed="test") as run:
        kills = [run.kill() for _ in range(KILLS)]
        run.finish()
    assert len(kills) == KILLS
