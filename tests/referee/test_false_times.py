"""Time given back that was not lost, too much of it, or more than once: the referee objects."""

import msgspec
import pytest

from tests.referee.faults import Fault, both, change, objections, repeat, under
from tests.referee.logs import Log
from tests.replay.recording import FOLDER, read

RECORDED = read(FOLDER / "interrupted.jsonl")
LOG = Log(
    msgspec.json.decode(RECORDED.opened.rule_set),
    [event for row in RECORDED.rows for event in msgspec.json.decode(row.events)],
)
A_SECOND = 1_000_000

FALSE: dict[str, tuple[Fault, str]] = {
    "a microsecond too much": (change("TimeGivenBack", deadline=lambda at: at + 1), "the deadline"),
    "a microsecond too little": (
        change("TimeGivenBack", deadline=lambda at: at - 1),
        "the deadline",
    ),
    "another deadline was open": (
        change("TimeGivenBack", was=lambda at: at + 1),
        "the deadline that is moved",
    ),
    "an earlier beginning": (
        change("TimeGivenBack", 2, from_at=lambda at: at - A_SECOND),
        "the deadline",
    ),
    "a later end": (change("TimeGivenBack", to_at=lambda at: at + A_SECOND), "the deadline"),
    "no time at all": (change("TimeGivenBack", to_at=0), "for no time at all"),
    "twice": (repeat("TimeGivenBack"), "given back twice"),
    "it was over before": (
        change("TimeGivenBack", from_at=lambda at: at + 3600 * A_SECOND),
        "for no time at all",
    ),
    "a table without a clock": (
        under(turn_seconds=0, bet_seconds=0, insurance_seconds=0),
        "a deadline, where",
    ),
    "six times": (
        both(
            both(both(repeat("TimeGivenBack"), repeat("TimeGivenBack")), repeat("TimeGivenBack")),
            both(repeat("TimeGivenBack"), repeat("TimeGivenBack")),
        ),
        "too often",
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_times(name: str) -> None:
    fault, objection = FALSE[name]
    assert objection in objections(LOG, fault)
