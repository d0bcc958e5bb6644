"""Every reason that a client can provoke, at both doors, with all that its metadata says.

That the keys are those of the declaration is held by `Refusal`, for these and all other tests.
"""

from pathlib import Path

import pytest

from service.rules.reasons import Reason
from tests.contract.doors import Door
from tests.contract.player import Caller
from tests.contract.provoking import People
from tests.contract.ways_alone import WAYS as ALONE
from tests.contract.ways_with_others import WAYS as WITH_OTHERS

WAYS = {**ALONE, **WITH_OTHERS}

ELSEWHERE = {
    Reason.TABLE_TOO_LONG: "contract/test_verify.py",
    Reason.STACK_LIMIT: "contract/test_bad_calls.py",
    Reason.UNAVAILABLE: "contract/test_newer_version.py",
    Reason.LIMIT_REACHED: "limits/test_both_doors.py",
    Reason.WATCH_BEHIND: "watch/test_doors.py",
}
"""What takes a long way to provoke: which tests take it, through both doors."""

OVER_REST_ONLY = {Reason.HTTP_MALFORMED: "attacks/test_framing.py"}
"""What gRPC has no words for: which tests provoke it."""

NOT_PROVOKED = {
    Reason.NOT_DUE: "only the table itself calls time",
    Reason.HIT_NOT_ALLOWED: "ends all split aces but a third one in a row",
    Reason.CONTENTION: "is for a process that is overtaken until its time is over",
    Reason.DEADLINE_EXCEEDED: "a client that sets a deadline does not wait for the answer",
    Reason.INTERNAL: "would be a fault of the service",
}
"""What no client can bring about, or none in the time of a test."""


@pytest.mark.parametrize("reason", WAYS, ids=lambda reason: reason.name)
async def test_a_reason_that_is_provoked_says_what_helps(
    reason: Reason, door: Door, player: Caller, stranger: Caller, operator: Caller
) -> None:
    assert player.door is stranger.door is operator.door is door
    refusal, metadata = await WAYS[reason](People(player, stranger, operator))
    assert (refusal.reason, refusal.metadata) == (reason.name, metadata)
    assert metadata.keys() == reason.metadata.keys()


def test_every_reason_is_provoked_or_it_is_said_why_not() -> None:
    elsewhere = {**ELSEWHERE, **OVER_REST_ONLY}
    assert sorted([*ALONE, *WITH_OTHERS, *elsewhere, *NOT_PROVOKED]) == sorted(Reason)
    for reason, file in elsewhere.items():
        assert f'"{reason.name}"' in (Path(__file__).parents[1] / file).read_text()
