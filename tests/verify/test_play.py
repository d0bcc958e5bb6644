"""Cards, payouts and decisions that were changed, and everything after made to fit."""

import json
from itertools import pairwise

import pytest

from service.journal.ports import JournalRow
from service.rules.cards import PIPS
from tests.database import Databases
from tests.verify.cases import Case, Cases, Found, check
from tests.verify.conftest import Played
from tests.verify.tampering import Owner, Plain, event

tampering = Cases()


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
def card_changed_that_a_later_row_contradicts(owner: Owner) -> Found:
    """A player who was bust would not have been: the later row is what shows it, the shoe tells
    which card was changed."""
    dealt, place = next(filter(None, map(_dealt_to_a_bust, pairwise(owner.rows()))))

    def edit(events: list[Plain]) -> None:
        card = event(events, "CardDealt")
        card["card"] = "2" + card["card"][1]

    owner.edit(dealt, edit)
    owner.rehash()
    return Found(dealt.version, "card", f"the card at position {place} of shoe")


def _dealt_to_a_bust(rows: tuple[JournalRow, JournalRow]) -> tuple[JournalRow, int] | None:
    """A deal whose player went bust with his third card, and the place of his first one; with a
    deuce in its stead he would not have."""
    deal, hit = (json.loads(row.events) for row in rows)
    own = [one for one in deal if one["type"] == "CardDealt"]
    drawn = [one for one in hit if one["type"] == "CardDealt"]
    bust = any(one["type"] == "HandEnded" and one["cause"] == "bust" for one in hit)
    if len(own) != 2 or len(drawn) != 1 or not bust:
        return None
    total = 2 + PIPS[own[1]["card"]] + PIPS[drawn[0]["card"]]
    return (rows[0], own[0]["position"]) if 12 < total < 22 else None


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


@tampering("vegas", decides_again=False)
def payout_that_nobody_decides_again(owner: Owner) -> Found:
    row = owner.row_with("HandSettled", 4)
    owner.edit(row, lambda events: event(events, "HandSettled").update(returned=12_300))
    owner.rehash()
    return Found(row.version, "referee", "12300 in the journal")


@tampering("rotating", decides_again=False)
def chips_that_nobody_decides_again(owner: Owner) -> Found:
    row = owner.row_with("RoundSettled", 4)
    owner.edit(row, lambda events: event(events, "RoundSettled")["seats"][0].update(stack=12_300))
    owner.rehash()
    return Found(row.version, "chips", "is not 12300")


@tampering("rotating", decides_again=False)
def inheritance_that_nobody_decides_again(owner: Owner) -> Found:
    row = owner.row_with("RoundOpened", 4)
    owner.edit(row, lambda events: events[0].update(banker=events[0]["banker"] % 4 + 1))
    owner.rehash()
    return Found(row.version, "carry_over", "banker of event 1")


@tampering("vegas")
def bet_changed_under_a_decider_that_nobody_knows(owner: Owner) -> Found:
    """All rows name it, so that nobody could decide them again."""
    row = owner.row_with("BetPlaced", 2)
    owner.edit(row, lambda events: event(events, "BetPlaced").update(stake=1_500))
    for each in owner.rows():
        owner.write(each, engine=7)
    owner.rehash()
    return Found(1, "engine", "engine 7 decided this; known here: 1")


@tampering("vegas")
def row_under_a_decider_that_nobody_knows(owner: Owner) -> Found:
    row = owner.rows()[10]
    owner.write(row, engine=0)
    owner.rehash()
    return Found(row.version, "engine", "engine 0 decided this")


@pytest.mark.parametrize("case", tampering.parameters)
async def test_tampering_is_found(databases: Databases, played: Played, case: Case) -> None:
    await check(databases, played, case)
