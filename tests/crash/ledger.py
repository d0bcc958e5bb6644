"""What must hold of a journal as ListEvents gives it, recomputed from its description alone.

Imports nothing of the project but the tests' own shuffle: versions without a gap, the chain of
hashes, the chips, and the cards against the shoe that the revealed seed gives.
"""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from tests.fairness.recompute import shoe_order

Row = dict[str, Any]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def check_chain(table_id: str, rows: Sequence[Row]) -> None:
    """Versions are 1 to n, no request is there twice, each hash follows from the row before."""
    assert [int(row["version"]) for row in rows] == list(range(1, len(rows) + 1))
    requests = Counter((row["actor"], row["requestId"]) for row in rows if row["requestId"])
    assert not [request for request, times in requests.items() if times > 1]
    previous = bytes(32)
    for row in rows:
        moment = datetime.fromisoformat(row["recordTime"])
        columns = [
            table_id,
            row["version"],
            row["round"],
            row["actor"],
            row["requestId"],
            row["command"],
            row["events"],
            (moment - EPOCH) // timedelta(microseconds=1),
            row["engine"],
        ]
        texts = [str(column).encode() for column in columns]
        chained = b"".join(len(text).to_bytes(8, "big") + text for text in texts)
        previous = sha256(previous + chained).digest()
        assert row["hash"] == previous.hex(), f"version {row['version']}"


def events(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Every event, in order."""
    return [event for row in rows for event in json.loads(row["events"])]


def stack_of(rows: Sequence[Row]) -> int:
    """The stack of a one-seat table's player, from what left it and what came back."""
    stack = 0
    for event in events(rows):
        match event["type"]:
            case "SeatTaken" | "StackRefilled":
                stack = event["stack"]
            case "BetPlaced" | "HandDoubled" | "HandSplit" | "InsuranceTaken":
                stack -= event["stake"]
            case "HandSettled" | "InsuranceSettled" | "BetReturned":
                stack += event["returned"]
    return stack


def face_up(table: dict[str, Any]) -> "Counter[str]":
    """The cards that everybody sees of the round shown."""
    cards = Counter(card for card in table["dealer"]["cards"] if card != "??")
    for seat in table["seats"]:
        for hand in seat["hands"]:
            cards.update(hand["cards"])
    return cards


def check_cards(table_id: str, decks: int, rows: Sequence[Row]) -> int:
    """Every card of a finished table is the one that its shoe had at its place, and every shoe was
    dealt from the top without a gap; how many shoes there were."""
    seeds: dict[int, str] = {}
    dealt: dict[int, dict[int, str]] = {}
    commitments: dict[int, str] = {}
    given: dict[int, list[tuple[int, str, str]]] = {}
    shoe, faced_down = 0, set()
    for event in events(rows):
        match event["type"]:
            case "TableOpened":
                commitments[1] = event["commitment"]
            case "ShoeOpened":
                shoe = event["shoe"]
                assert event["commitment"] == commitments[shoe]
                commitments[shoe + 1] = event["next_commitment"]
                dealt[shoe] = {}
                given[shoe] = [
                    (one["seat"], one["player"], one["seed"]) for one in event["client_seeds"]
                ]
            case "HoleCardDealt":
                faced_down.add((shoe, event["position"]))
            case "ShoeRevealed":
                seeds[event["shoe"]] = event["seed"]
            case _ if "card" in event and "position" in event:
                assert event["position"] not in dealt[shoe], "a card was dealt twice"
                dealt[shoe][event["position"]] = event["card"]
    assert all(position in dealt[number] for number, position in faced_down)
    assert dealt
    for number, cards in dealt.items():
        seed = bytes.fromhex(seeds[number])
        assert sha256(seed).hexdigest() == commitments[number]
        order = shoe_order(seed, table_id, number, decks, given[number])
        assert [cards[place] for place in range(len(cards))] == order[: len(cards)]
    return len(dealt)
