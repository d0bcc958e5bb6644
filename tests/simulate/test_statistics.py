import math

import pytest

from service.audit.simulate.statistics import chi_square, chi_square_tail, mean_of


@pytest.mark.parametrize(
    ("freedom", "five_per_cent", "one_in_ten_thousand"),
    [(1, 3.841459, 15.136705), (2, 5.991465, 18.420681), (5, 11.070498, 25.744832),
     (10, 18.307038, 35.564014), (51, 68.669294, None)],
)  # fmt: skip
def test_the_tail_of_chi_square_is_that_of_the_tables(
    freedom: int, five_per_cent: float, one_in_ten_thousand: float | None
) -> None:
    assert chi_square_tail(five_per_cent, freedom) == pytest.approx(0.05, rel=1e-5)
    if one_in_ten_thousand:
        assert chi_square_tail(one_in_ten_thousand, freedom) == pytest.approx(1e-4, rel=1e-4)


def test_the_tail_at_its_ends() -> None:
    assert chi_square_tail(0.0, 5) == 1.0
    assert 0 <= chi_square_tail(5000.0, 5) < 1e-300
    assert chi_square_tail(3.0, 0) == 1.0


def test_counts_as_expected_are_likely_and_others_not() -> None:
    assert chi_square([100, 200, 300], [0.1, 0.2, 0.3])[1] == pytest.approx(1.0)
    statistic, probability = chi_square([150, 150, 300], [1, 2, 3])
    assert statistic == pytest.approx(25 + 12.5)
    assert probability < 1e-7
    assert chi_square([1, 10], [0.0, 1.0]) == (math.inf, 0.0)


def test_a_mean_and_its_error() -> None:
    mean = mean_of([(-1.0, 50), (1.0, 50), (7.0, 0)])
    assert mean.mean == 0.0
    assert mean.deviation == pytest.approx(math.sqrt(100 / 99))
    assert mean.error == pytest.approx(mean.deviation / 10)
