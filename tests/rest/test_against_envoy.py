"""Our REST door and Envoy's gRPC-JSON transcoder give the same answers to the same requests.

Behind both stands the same echo, so a call that goes through shows how its request was understood.
"""

from collections.abc import Iterator

import pytest

from tests.rest.doors import Answer, send, two_doors
from tests.rest.echo import echo
from tests.rest.envoy_cases import CASES, DIFFERENCES, Case
from tests.rest.envoy_server import skip_where_envoy_cannot_run


@pytest.fixture(scope="module")
def answers(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[list[tuple[Case, Answer, Answer]]]:
    """Every case with our answer and Envoy's."""
    skip_where_envoy_cannot_run()
    with two_doors(lambda: echo, tmp_path_factory.mktemp("envoy")) as (ours, envoys):
        yield [(case, send(ours, case.request), send(envoys, case.request)) for case in CASES]


def test_the_same_requests_get_the_same_answers(
    answers: list[tuple[Case, Answer, Answer]],
) -> None:
    same = [answer for answer in answers if not answer[0].difference]
    assert len(same) >= 60
    wrong = [
        f"{case.name}\n  ours:    {ours}\n  Envoy's: {envoys}"
        for case, ours, envoys in same
        if not (ours == envoys or differs_in_words_only(ours, envoys))
    ]
    assert not wrong, "\n".join(wrong)


def differs_in_words_only(ours: Answer, envoys: Answer) -> bool:
    """The difference "own words": Envoy refused by itself, in plain text."""
    refused_alike = ours.status == envoys.status >= 400 and isinstance(envoys.body, str)
    return refused_alike and isinstance(ours.body, dict) and ours.body.keys() == STATUS


STATUS = {"code", "message", "details"}


def test_the_answers_differ_only_as_named(answers: list[tuple[Case, Answer, Answer]]) -> None:
    assert len(DIFFERENCES) <= 5
    differing = [answer for answer in answers if answer[0].difference]
    assert {case.difference for case, _, _ in differing} == DIFFERENCES.keys() - {"own words"}
    wrong = [
        f"{case.name}: {ours.status} and {envoys.status}"
        for case, ours, envoys in differing
        if (ours.status, envoys.status) != (case.ours, case.envoys)
    ]
    assert not wrong, "\n".join(wrong)


def test_both_served_most_of_it(answers: list[tuple[Case, Answer, Answer]]) -> None:
    """The comparison is worth something only if many requests go through."""
    served = [case for case, ours, envoys in answers if ours.status == envoys.status == 200]
    assert len(served) >= 60
