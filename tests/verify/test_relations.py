"""What a round inherits, and what stands beside the journal: changed, removed, added."""

import pytest

from tests.database import Databases
from tests.verify.cases import Case, Cases, Found, check
from tests.verify.conftest import Played
from tests.verify.tampering import Owner

tampering = Cases()


@tampering("ranked")
def carry_over_changed(owner: Owner) -> Found:
    row = owner.row_with("RoundOpened", 3)
    owner.edit(row, lambda events: events[0]["seats"][0].update(stack=123_400))
    owner.rehash()
    return Found(row.version, "carry_over", "does not inherit")


@tampering("twenty")
def place_in_the_shoe_changed(owner: Owner) -> Found:
    row = owner.row_with("RoundOpened", 3)
    owner.edit(row, lambda events: events[0]["shoe"].update(dealt=0))
    owner.rehash()
    return Found(row.version, "carry_over", "shoe of event 1")


def summary_version(owner: Owner, round: int) -> int:
    found = owner.sql(
        "SELECT version FROM round_summary WHERE table_id = $ AND round = %s LIMIT 1", round
    )
    return int(found[0][0])


@tampering("vegas")
def summary_changed(owner: Owner) -> Found:
    owner.sql("UPDATE round_summary SET net = net + 5 WHERE table_id = $ AND round = 6")
    return Found(summary_version(owner, 6), "summary", "net is")


@tampering("vegas")
def summary_removed(owner: Owner) -> Found:
    version = summary_version(owner, 6)
    owner.sql("DELETE FROM round_summary WHERE table_id = $ AND round = 6")
    return Found(version, "summary", "round 6, seat 1 is missing")


@tampering("vegas")
def summary_added(owner: Owner) -> Found:
    owner.sql(
        "INSERT INTO round_summary SELECT table_id, round, 5, 'ghost', operator, staked, returned,"
        " net, stack, version, at FROM round_summary WHERE table_id = $ AND round = 6"
    )
    return Found(summary_version(owner, 6), "summary", "seat 5, that was not settled")


@tampering("twenty")
def summary_given_to_another_operator(owner: Owner) -> Found:
    owner.sql("UPDATE round_summary SET operator = 'rival' WHERE table_id = $ AND round = 4")
    return Found(summary_version(owner, 4), "summary", "'rival'")


@tampering("twenty")
def void_changed(owner: Owner) -> Found:
    owner.sql("UPDATE round_void SET reason = 'a better one' WHERE table_id = $")
    return Found(owner.row_with("RoundVoided").version, "void", "reason is 'a better one'")


@tampering("twenty")
def void_removed(owner: Owner) -> Found:
    owner.sql("DELETE FROM round_void WHERE table_id = $")
    return Found(owner.row_with("RoundVoided").version, "void", "round 2 is missing")


@tampering("twenty")
def void_added(owner: Owner) -> Found:
    owner.sql("INSERT INTO round_void VALUES ($, 3, 'a whim', 30, 0)")
    return Found(30, "void", "a void of round 3")


@tampering("six-deck")
def summary_beyond_the_head(owner: Owner) -> Found:
    """Of the running round, as if it had been settled by a row that is yet to come."""
    owner.sql(
        "INSERT INTO round_summary SELECT table_id, (SELECT round FROM table_head WHERE table_id"
        " = $), seat, player, operator, staked, returned, net, stack, 1000000, at"
        " FROM round_summary WHERE table_id = $ AND round = 6"
    )
    return Found(owner.head().version, "summary", "that was not settled")


@tampering("six-deck")
def void_beyond_the_head(owner: Owner) -> Found:
    owner.sql("INSERT INTO round_void VALUES ($, 3, 'a whim', 1000000, 0)")
    return Found(owner.head().version, "void", "a void of round 3")


@tampering("ranked")
def head_changed(owner: Owner) -> Found:
    owner.sql("UPDATE table_head SET phase = 'settled' WHERE table_id = $")
    return Found(owner.head().version, "head", "phase is 'settled', by the journal 'finished'")


@tampering("ranked")
def head_given_to_another_operator(owner: Owner) -> Found:
    owner.sql("UPDATE table_head SET operator = 'rival' WHERE table_id = $")
    return Found(1, "head", "'rival'")


@tampering("ranked")
def rules_changed_in_the_head(owner: Owner) -> Found:
    owner.sql("UPDATE table_head SET rule_set = replace(rule_set, '3', '2') WHERE table_id = $")
    return Found(owner.head().version, "head", "rule_set is")


@tampering("rotating")
def head_removed(owner: Owner) -> Found:
    owner.sql("DELETE FROM table_head WHERE table_id = $")
    return Found(0, "orphan", "rows in journal")


@tampering("rotating")
def seat_taken_away(owner: Owner) -> Found:
    player = owner.sql("DELETE FROM seat WHERE table_id = $ RETURNING player")[0][0]
    return Found(owner.head().version, "seat", f"{player} has no seat")


@pytest.mark.parametrize("case", tampering.parameters)
async def test_tampering_is_found(databases: Databases, played: Played, case: Case) -> None:
    await check(databases, played, case)
