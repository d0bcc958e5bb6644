"""The service is killed in the middle of a round, and goes on as if nothing had been.

`make crash` does the same at greater length.
"""

from collections.abc import Callable

import pytest

from tests.crash.crash_run import CrashRun, Point

KILLS = 4


@pytest.mark.parametrize("point", Point)
def test_a_killed_service_goes_on_with_the_same_round(
    point: Point, record_property: Callable[[str, object], None]
) -> None:
    with CrashRun(point, seed="test") as run:
        kills = [run.kill() for _ in range(KILLS)]
        run.finish()
    slowest = max(kill.restart_seconds for kill in kills)
    record_property(
        "report", f"killed {point}: {len(kills)} times; restarted in {slowest:.1f} s at most"
    )
