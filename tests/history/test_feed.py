"""The feed of an operator: each row at least once, in order, whatever becomes of its reader."""

from collections.abc import Callable

from tests.history.feed_run import run


def test_readers_killed_at_random_miss_nothing(
    database: str, owner_database: str, record_property: Callable[[str, object], None]
) -> None:
    """`make soak` does it for longer."""
    findings = run(database, owner_database, writers=4, tables=6, seconds=6.0, seed="test")
    assert findings.kills >= 4
    assert findings.inverted >= 20, "the writers are too orderly to show anything"
    record_property("report", f"feed: {findings}")
