"""Reading against two other implementations, and however the bytes arrive.

ATTACK_EXAMPLES says how many random inputs each test takes.
"""

import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.rest.http1.limits import Limits
from tests.attacks.cases import REFUSED, TAKEN
from tests.attacks.random_requests import METHODS, in_pieces, nearly_requests, ordinary
from tests.attacks.readings import Reading, by_h11, by_llhttp, by_us, read

MANY = settings(
    max_examples=int(os.environ.get("ATTACK_EXAMPLES", "400")),
    deadline=None,
    derandomize="ATTACK_EXAMPLES" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

UPGRADES = 101
TIGHT = Limits(
    head_bytes=200, target_bytes=40, headers=4, body_bytes=20, chunks=3, extension_bytes=4,
    trailer_bytes=20,
)  # fmt: skip


@MANY
@given(nearly_requests())
def test_what_is_taken_is_what_others_take(data: bytes) -> None:
    """Each request that is carried out, h11 and llhttp read the same way from the same bytes."""
    ours = by_us([data])
    taken = len(ours.requests)
    assert by_h11(data).requests[:taken] == ours.requests
    theirs = by_llhttp(data)
    # It knows some methods only.
    known = [one.method in METHODS for one in ours.requests]
    taken = known.index(False) if False in known else taken
    if theirs.refused == UPGRADES:  # there it stops at the first offer
        taken = min(taken, len(theirs.requests) - 1)
    assert theirs.requests[:taken] == ours.requests[:taken]


@MANY
@given(st.lists(ordinary(), min_size=1, max_size=3), st.data())
def test_what_is_ordinary_is_taken(
    requests: list[tuple[bytes, tuple[str, str, bytes]]], draws: st.DataObject
) -> None:
    data = b"".join(text for text, _ in requests)
    wanted = Reading(tuple(read(*each) for _, each in requests))
    assert by_us([data]) == wanted
    assert by_us(draws.draw(in_pieces(data))) == wanted
    assert by_h11(data) == wanted


@MANY
@given(nearly_requests(), st.data())
def test_the_answers_are_the_same_however_the_bytes_arrive(
    data: bytes, draws: st.DataObject
) -> None:
    pieces = draws.draw(in_pieces(data))
    for limits in (Limits(), TIGHT):
        assert by_us(pieces, limits) == by_us([data], limits)


def test_every_known_case_is_the_same_byte_by_byte() -> None:
    for name, (attack, status) in REFUSED.items():
        reading = by_us(attack[at : at + 1] for at in range(len(attack)))
        assert reading == by_us([attack]) == Reading((), status), name
    for name, (pieces, (method, path, body)) in TAKEN.items():
        data = b"".join(pieces)
        reading = by_us(data[at : at + 1] for at in range(len(data)))
        assert reading == by_us(pieces), name
        [request] = reading.requests
        assert (request.method, request.target.split("?")[0], request.body) == (
            method,
            path,
            body,
        ), name
