"""Seeds, commitments and roots that were replaced; the clock, and what else stands in a row."""

import json

import pytest

from tests.database import Databases
from tests.verify.cases import Case, Cases, Found, check
from tests.verify.conftest import Played
from tests.verify.playing import KEYS
from tests.verify.tampering import Owner, Plain, event

tampering = Cases()


@tampering("six-deck")
def seed_replaced(owner: Owner) -> Found:
    row = owner.row_with("ShoeRevealed")
    owner.edit(row, lambda events: event(events, "ShoeRevealed").update(seed="ab" * 32))
    owner.rehash()
    return Found(row.version, "seed", "does not hash to the commitment")


@tampering("six-deck")
def commitment_replaced(owner: Owner) -> Found:
    """That of shoe 2: where it was published, where it is opened, and in the relation."""
    published, opened = owner.row_with("ShoeOpened"), owner.row_with("ShoeOpened", 1)
    owner.edit(
        published, lambda events: event(events, "ShoeOpened").update(next_commitment="0d" * 32)
    )
    owner.edit(opened, lambda events: event(events, "ShoeOpened").update(commitment="0d" * 32))
    owner.sql("UPDATE shoe SET commitment = repeat('0d', 32) WHERE table_id = $ AND number = 2")
    for row in owner.rows():
        if '"RoundOpened"' in row.events:
            owner.edit(row, _carry_the_commitment)
    owner.rehash()
    return Found(owner.row_with("ShoeRevealed", 1).version, "seed", "the commitment 0d0d")


def _carry_the_commitment(events: list[Plain]) -> None:
    shoe = event(events, "RoundOpened")["shoe"]
    if shoe["number"] == 1:
        shoe["next_commitment"] = "0d" * 32
    if shoe["number"] == 2:
        shoe["commitment"] = "0d" * 32


@tampering("six-deck")
def root_replaced(owner: Owner) -> Found:
    row = owner.row_with("ShoeOpened")
    owner.edit(row, lambda events: event(events, "ShoeOpened").update(root="ab" * 32))
    for later in owner.rows():
        if '"RoundOpened"' in later.events and '"number":1,' in later.events:
            owner.edit(later, lambda events: events[0]["shoe"].update(root="ab" * 32))
    owner.rehash()
    return Found(row.version, "root", "the root of shoe 1")


@tampering("vegas", decides_again=False)
def shoe_skipped_where_nobody_decides_again(owner: Owner) -> Found:
    row = owner.row_with("ShoeOpened", 1)
    owner.edit(row, lambda events: event(events, "ShoeOpened").update(shoe=3))
    owner.rehash()
    return Found(row.version, "events", "shoe 3 is opened after shoe 1")


@tampering("vegas")
def sealed_shoe_of_another_row(owner: Owner) -> Found:
    owner.sql("UPDATE shoe SET version = version + 1 WHERE table_id = $ AND number = 2")
    version = owner.row_with("ShoeOpened").version
    return Found(version, "shoe", f"has row {version + 1}, which is wrong")


@tampering("vegas", KEYS)
def sealed_seed_of_another_commitment(owner: Owner) -> Found:
    """Sealed with the right key for the right shoe, and yet not the seed that was committed to."""
    sealed = KEYS.seal(owner.table_id, 2, 0, bytes(32)).sealed
    owner.sql("UPDATE shoe SET sealed = %s WHERE table_id = $ AND number = 2", sealed)
    return Found(
        owner.row_with("ShoeOpened").version, "shoe", "a seed that does not match its commitment"
    )


@tampering("vegas")
def sealed_commitment_replaced(owner: Owner) -> Found:
    owner.sql("UPDATE shoe SET commitment = 'ab' WHERE table_id = $ AND number = 2")
    return Found(owner.row_with("ShoeOpened").version, "shoe", "the commitment ab")


@tampering("vegas", KEYS)
def sealed_seed_replaced(owner: Owner) -> Found:
    owner.sql(
        "UPDATE shoe SET sealed = (SELECT sealed FROM shoe WHERE table_id = $ AND number = 1)"
        " WHERE table_id = $ AND number = 2"
    )
    return Found(owner.row_with("ShoeOpened").version, "shoe", "be opened with its key")


@tampering("vegas")
def sealed_shoe_removed(owner: Owner) -> Found:
    owner.sql("DELETE FROM shoe WHERE table_id = $ AND number = 2")
    return Found(owner.row_with("ShoeOpened").version, "shoe", "is missing")


@tampering("vegas")
def sealed_shoe_added(owner: Owner) -> Found:
    owner.sql(
        "INSERT INTO shoe SELECT table_id, 99, key_id, sealed, commitment, version FROM shoe"
        " WHERE table_id = $ AND number = 2"
    )
    return Found(owner.row_with("ShoeOpened").version, "shoe", "sealed shoe 99")


@tampering("vegas")
def sealed_shoe_beyond_the_head(owner: Owner) -> Found:
    owner.sql(
        "INSERT INTO shoe SELECT table_id, 99, key_id, sealed, commitment, 1000000 FROM shoe"
        " WHERE table_id = $ AND number = 2"
    )
    return Found(owner.head().version, "shoe", "sealed shoe 99")


@tampering("six-deck")
def clock_running_backwards(owner: Owner) -> Found:
    row = owner.rows()[20]
    owner.write(row, at=row.at - 3_600_000_000)
    owner.rehash()
    return Found(row.version, "clock", "before the row before it")


@tampering("fresh")
def actor_changed(owner: Owner) -> Found:
    row = owner.rows()[6]
    owner.write(row, actor="somebody")
    owner.rehash()
    return Found(row.version, "actor", "'somebody'")


@tampering("fresh")
def text_written_otherwise(owner: Owner) -> Found:
    row = owner.rows()[6]
    owner.write(row, events=row.events.replace('":', '": ', 1))
    owner.rehash()
    return Found(row.version, "text", "is not the service's form")


@tampering("fresh")
def command_written_otherwise(owner: Owner) -> Found:
    row = owner.rows()[6]
    owner.write(row, command=row.command.replace('":', '": ', 1))
    owner.rehash()
    return Found(row.version, "text", "the text of its command")


@tampering("fresh", decides_again=False)
def text_of_a_row_that_nobody_decides_again(owner: Owner) -> Found:
    row = owner.rows()[6]
    owner.write(row, events=row.events.replace('":', '": ', 1))
    owner.rehash()
    return Found(row.version, "text", "the text of its events")


@tampering("fresh")
def row_without_events(owner: Owner) -> Found:
    row = owner.rows()[6]
    owner.write(row, events="[]")
    owner.rehash()
    return Found(row.version, "events", "it has no events")


@tampering("fresh")
def unknown_event(owner: Owner) -> Found:
    row = owner.rows()[6]
    owner.write(row, events='[{"type":"Miracle"}]')
    owner.rehash()
    return Found(row.version, "text", "can't be read")


@tampering("fresh")
def round_changed(owner: Owner) -> Found:
    row = owner.rows()[6]
    owner.write(row, round=row.round + 1)
    owner.rehash()
    return Found(row.version, "events", "its round is")


@tampering("fresh")
def void_of_something_else(owner: Owner) -> Found:
    """A void that takes back more than the round had brought."""
    row = owner.row_with("RoundVoided")
    command = json.loads(row.command)
    command["seats"][0]["net"] *= 2
    owner.write(row, command=json.dumps(command, separators=(",", ":")))
    owner.rehash()
    return Found(row.version, "events", "reversed")


@tampering("fresh")
def void_of_another_settlement(owner: Owner) -> Found:
    """Decided again it is the same: what it says of the round's end is held against the summary."""
    row = owner.row_with("RoundVoided")
    command = json.loads(row.command)
    command["settlement"] += 1
    owner.write(row, command=json.dumps(command, separators=(",", ":")))
    owner.rehash()
    return Found(row.version, "events", "differs from the result of that round")


def before_its_last_card(events: list[Plain]) -> None:
    """Take away the last card that a row deals, and what follows."""
    last = max(place for place, one in enumerate(events) if one["type"] == "CardDealt")
    del events[last:]


@tampering("six-deck", decides_again=False)
def end_that_is_no_end(owner: Owner) -> Found:
    """The last row stops half-way, where nobody decides it again."""
    row = owner.rows()[-1]
    owner.edit(row, before_its_last_card)
    owner.rehash()
    owner.cut(row.version)  # and the head says the same
    return Found(row.version, "referee", "the journal ends where the round waits for")


@pytest.mark.parametrize("case", tampering.parameters)
async def test_tampering_is_found(databases: Databases, played: Played, case: Case) -> None:
    await check(databases, played, case)
