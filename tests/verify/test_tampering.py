"""Fifteen kinds of tampering, and some more: each is found, with the table, the row and the fault.

Whoever does it owns the database. Where he covers his tracks the hashes are made whole again.
"""

import json
from collections.abc import Callable
from typing import NamedTuple

import psycopg
import pytest

from db.audit_reader import PostgresAuditReader
from service.app.ports import JournalRow
from tests.database import Databases
from tests.verify.conftest import Played
from tests.verify.judging import InTransaction, verdicts
from tests.verify.playing import KEYS
from tests.verify.tampering import Owner, Plain


class Found(NamedTuple):
    """What verification has to say: the row (0: none), the fault, a part of the message."""

    version: int
    kind: str
    message: str


Tamper = Callable[[Owner], Found]
TAMPERINGS: list[tuple[str, str, Tamper]] = []


def tampering(table: str) -> Callable[[Tamper], Tamper]:
    """A way to tamper with one of the tables that were played."""

    def add(tamper: Tamper) -> Tamper:
        TAMPERINGS.append((tamper.__name__, table, tamper))
        return tamper

    return add


def event(events: list[Plain], kind: str) -> Plain:
    return next(one for one in events if one["type"] == kind)


# --- 1 to 5: rows and their order


@tampering("six-deck")
def events_changed(owner: Owner) -> Found:
    row = owner.row_with("HandSettled", 3)
    owner.edit(row, lambda events: event(events, "HandSettled").update(returned=77_700))
    return Found(row.version, "hash", "hash")


@tampering("six-deck")
def command_changed(owner: Owner) -> Found:
    row = owner.row_with("BetPlaced", 4)
    owner.write(row, command=row.command.replace('"stake":', '"stake":1'))
    return Found(row.version, "hash", "hash")


@tampering("six-deck")
def command_changed_and_rehashed(owner: Owner) -> Found:
    row = owner.row_with("BetPlaced", 4)
    command = json.loads(row.command)
    command["stake"] *= 2
    owner.write(row, command=json.dumps(command, separators=(",", ":")))
    owner.rehash()
    return Found(row.version, "events", "stake of event")


@tampering("ranked")
def row_removed(owner: Owner) -> Found:
    owner.sql("DELETE FROM journal WHERE table_id = $ AND version = 9")
    return Found(9, "version", "row 9 is missing")


@tampering("ranked")
def last_row_removed(owner: Owner) -> Found:
    last = owner.head().version
    owner.sql("DELETE FROM journal WHERE table_id = $ AND version = %s", last)
    return Found(last, "version", f"row {last} is missing")


def insert(owner: Owner, row: JournalRow) -> None:
    """The row once more, after itself."""
    move = "UPDATE journal SET version = version + %s WHERE table_id = $ AND version > %s"
    owner.sql(move, 1_000_001, row.version)
    owner.sql(move, -1_000_000, 1_000_000)
    owner.sql(
        "INSERT INTO journal SELECT table_id, version + 1, round, actor, 'again', command, events,"
        " at, engine, hash FROM journal WHERE table_id = $ AND version = %s",
        row.version,
    )
    owner.sql("UPDATE table_head SET version = version + 1 WHERE table_id = $")


@tampering("vegas")
def row_inserted(owner: Owner) -> Found:
    row = owner.row_with("BetPlaced", 4)
    insert(owner, row)
    return Found(row.version + 1, "hash", "hash")


@tampering("vegas")
def row_inserted_and_rehashed(owner: Owner) -> Found:
    row = owner.row_with("BetPlaced", 4)
    insert(owner, row)
    owner.rehash()
    return Found(row.version + 1, "card", f"was turned up in row {row.version}, too")


@tampering("vegas")
def row_beyond_the_head(owner: Owner) -> Found:
    last = owner.head().version
    owner.sql(
        "INSERT INTO journal SELECT table_id, version + 1, round, actor, 'again', command, events,"
        " at, engine, hash FROM journal WHERE table_id = $ AND version = %s",
        last,
    )
    return Found(last + 1, "version", "beyond the head")


def swap(owner: Owner) -> int:
    """A row that settles a round, and the next one, which opens another; where they lie."""
    settling = owner.row(
        lambda row, _: '"RoundSettled"' in row.events and '"RoundOpened"' not in row.events
    )
    first, second, aside = settling.version, settling.version + 1, 100_000
    for version, other in ((first, aside), (second, first), (aside, second)):
        owner.sql(
            "UPDATE journal SET version = %s WHERE table_id = $ AND version = %s", other, version
        )
    return first


@tampering("twenty")
def two_rows_swapped(owner: Owner) -> Found:
    return Found(swap(owner), "hash", "hash")


@tampering("twenty")
def two_rows_swapped_and_rehashed(owner: Owner) -> Found:
    first = swap(owner)
    owner.rehash()
    return Found(first, "carry_over", "before the last one is settled")


# --- 6 to 8: cards, payouts, decisions


def of_other_suit(card: str) -> str:
    return card[0] + ("H" if card[1] == "S" else "S")


@tampering("six-deck")
def card_changed(owner: Owner) -> Found:
    """Of equal value, so that nothing else is wrong; the shoe is retired by now."""
    row = owner.row_with("CardDealt", 3)
    card = event(json.loads(row.events), "CardDealt")["card"]
    owner.edit(row, lambda events: event(events, "CardDealt").update(card=of_other_suit(card)))
    owner.rehash()
    return Found(row.version, "card", f"not {of_other_suit(card)}")


@tampering("six-deck")
def card_changed_with_what_follows(owner: Owner) -> Found:
    """The hole card of a settled round: another total, another result."""
    row = owner.row_with("HoleCardTurned", 5)

    def edit(events: list[Plain]) -> None:
        turned = event(events, "HoleCardTurned")
        turned["card"] = ("2" if turned["card"][0] != "2" else "9") + turned["card"][1]

    owner.edit(row, edit)
    owner.rehash()
    return Found(row.version, "card", "by its seed it is")


@tampering("six-deck")
def salt_changed(owner: Owner) -> Found:
    row = owner.row_with("HoleCardTurned", 2)
    owner.edit(row, lambda events: event(events, "HoleCardTurned").update(salt="00" * 16))
    owner.rehash()
    return Found(row.version, "card", "salt")


@tampering("rotating")
def first_card_changed(owner: Owner) -> Found:
    row = owner.row_with("FirstCardTurned", 2)
    card = event(json.loads(row.events), "FirstCardTurned")["card"]
    owner.edit(
        row, lambda events: event(events, "FirstCardTurned").update(card=of_other_suit(card))
    )
    owner.rehash()
    return Found(row.version, "card", "by its seed")


@tampering("six-deck")
def payout_changed_and_everything_after(owner: Owner) -> Found:
    """The books of the round, its summary and every later stack agree with the new payout."""
    row = owner.row_with("RoundSettled", 4)

    def pay(events: list[Plain]) -> None:
        event(events, "HandSettled")["returned"] += 100
        seat = event(events, "RoundSettled")["seats"][0]
        for name in ("returned", "net", "stack"):
            seat[name] += 100

    def inherit(events: list[Plain]) -> None:
        for one in events:
            for seat in one.get("seats", ()):
                if isinstance(seat, dict) and "stack" in seat:
                    seat["stack"] += 100

    owner.edit(row, pay)
    owner.sql(
        "UPDATE round_summary SET returned = returned + 100, net = net + 100, stack = stack + 100"
        " WHERE table_id = $ AND version = %s",
        row.version,
    )
    for later in owner.rows()[row.version :]:
        owner.edit(later, inherit)
    owner.sql(
        "UPDATE round_summary SET stack = stack + 100 WHERE table_id = $ AND version > %s",
        row.version,
    )
    owner.rehash()
    return Found(row.version, "events", "returned of event")


@tampering("ranked")
def stand_changed_to_hit(owner: Owner) -> Found:
    row = owner.row(lambda row, _: '"action":"stand"' in row.command, 2)
    owner.write(row, command=row.command.replace('"stand"', '"hit"'))
    owner.rehash()
    return Found(row.version, "events", "which its events do not")


@tampering("rotating")
def peek_changed(owner: Owner) -> Found:
    """What the peek found is known when the hole card is up."""
    row = owner.row(
        lambda _, events: any(e["type"] == "DealerPeeked" and not e["natural"] for e in events)
    )
    owner.edit(row, lambda events: event(events, "DealerPeeked").update(natural=True))
    owner.rehash()
    return Found(row.version, "events", "natural of event")


@tampering("vegas")
def payout_that_nobody_decides_again(owner: Owner) -> Found:
    """By rows that say that another implementation of the rules has decided them."""
    row = owner.row_with("HandSettled", 4)
    owner.edit(row, lambda events: event(events, "HandSettled").update(returned=12_300))
    owner.write(row, engine=99)
    owner.rehash()
    return Found(row.version, "referee", "12300 in the log")


@tampering("rotating")
def chips_that_nobody_decides_again(owner: Owner) -> Found:
    row = owner.row_with("RoundSettled", 4)
    owner.edit(row, lambda events: event(events, "RoundSettled")["seats"][0].update(stack=12_300))
    owner.write(row, engine=99)
    owner.rehash()
    return Found(row.version, "chips", "that is not 12300")


@tampering("rotating")
def inheritance_that_nobody_decides_again(owner: Owner) -> Found:
    row = owner.row_with("RoundOpened", 4)
    owner.edit(row, lambda events: events[0].update(banker=events[0]["banker"] % 4 + 1))
    owner.write(row, engine=99)
    owner.rehash()
    return Found(row.version, "carry_over", "banker of event 1")


# --- 9 to 11: what is carried over, and what is derived


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
    return Found(version, "summary", "round 6, seat 1, is missing")


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


# --- 14 and 15: seeds, commitments, the clock


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


@tampering("vegas")
def sealed_commitment_replaced(owner: Owner) -> Found:
    owner.sql("UPDATE shoe SET commitment = 'ab' WHERE table_id = $ AND number = 2")
    return Found(owner.row_with("ShoeOpened").version, "shoe", "the commitment ab")


@tampering("vegas")
def sealed_seed_replaced(owner: Owner) -> Found:
    owner.sql(
        "UPDATE shoe SET sealed = (SELECT sealed FROM shoe WHERE table_id = $ AND number = 1)"
        " WHERE table_id = $ AND number = 2"
    )
    return Found(owner.row_with("ShoeOpened").version, "shoe", "does not open")


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


@tampering("six-deck")
def clock_running_backwards(owner: Owner) -> Found:
    row = owner.rows()[20]
    owner.write(row, at=row.at - 3_600_000_000)
    owner.rehash()
    return Found(row.version, "clock", "before the row before it")


# --- what else is written in a row


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
    return Found(row.version, "text", "not written as the service writes")


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
    return Found(row.version, "events", "it says round")


@tampering("fresh")
def void_of_something_else(owner: Owner) -> Found:
    """A void that takes back more than the round had brought."""
    row = owner.row_with("RoundVoided")
    command = json.loads(row.command)
    command["seats"][0]["net"] *= 2
    owner.write(row, command=json.dumps(command, separators=(",", ":")))
    owner.rehash()
    return Found(row.version, "events", "reversed")


@pytest.mark.parametrize(("name", "table", "tamper"), TAMPERINGS, ids=[t[0] for t in TAMPERINGS])
async def test_tampering_is_found(
    databases: Databases, played: Played, name: str, table: str, tamper: Tamper
) -> None:
    table_id = played.tables[table]
    keys = KEYS if tamper is sealed_seed_replaced else None
    with psycopg.connect(databases.conninfo(played.database)) as connection:
        found = tamper(Owner(connection, table_id))
        judged = await verdicts(PostgresAuditReader(InTransaction(connection)), keys)
        connection.rollback()
    fault = judged.pop(table_id).fault
    assert fault is not None
    assert (fault.version, fault.kind) == (found.version, found.kind), fault
    assert found.message in fault.message
    assert [one for one in judged.values() if one.fault] == []
