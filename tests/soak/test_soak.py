"""The soak tests in small: a few seconds of each, for what a busy machine can't spoil.

`make soak` runs them at length, and holds their times too.
"""

from collections.abc import Callable

import pytest

from tests.soak import banks, matches, watchers
from tests.soak.figures import Figures


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(lambda: matches.run(4, 4, 2, 2.0), id="matches"),
        pytest.param(lambda: banks.run(3, 8), id="banks"),
        pytest.param(lambda: watchers.run(5, 40, 2.0, 0), id="watchers"),
    ],
)
def test_in_small(run: Callable[[], Figures]) -> None:
    figures = run()
    assert [figure for figure in figures.failed if not figure.timed] == [], figures.table()
