"""No card, salt or seed shows before its time: in no reply, error, list, log line or database row.

Only the sealed column knows them, and these tests open its seal.
"""

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import psycopg
import pytest
from croupier.v1.history_service_pb2 import GetRoundRequest, ListEventsRequest, ListRoundsRequest
from croupier.v1.table_pb2 import Action, Phase
from croupier.v1.table_service_pb2 import ListTablesRequest
from google.protobuf import json_format, text_format

from service.fairness.salts import salt
from service.fairness.shuffle import ShuffledShoe
from service.journal.ports import SealedShoe
from service.shoes.sealing import parse_sealing_keys
from tests.contract.conftest import guest
from tests.contract.doors import Door, Refusal, open_door
from tests.contract.player import Caller
from tests.contract.random_play import random_stake
from tests.contract.server import SEALING_KEYS, Server

ROUNDS = 10
TABLES = int(os.environ.get("SOAK_ROUNDS", "60")) // 60
CARD = re.compile(r'"([A23456789TJQK][SHDC])"')
RELATIONS = ("journal", "table_head", "seat", "round_summary", "rule_set", "operator")


class Secrets:
    """What may not be seen of a table now: read from the database behind the service's back."""

    def __init__(self, database: "psycopg.Connection[Any]", table_id: str, decks: int) -> None:
        self._database = database
        self._table_id = table_id
        self._decks = decks
        self._keys = parse_sealing_keys(SEALING_KEYS)
        self._shoes: dict[int, tuple[bytes, list[str]]] = {}
        """Seed and salts of each shoe, by its number."""

    def events(self) -> list[dict[str, Any]]:
        rows = self._database.execute(
            "SELECT events FROM journal WHERE table_id = %s ORDER BY version", [self._table_id]
        )
        return [event for (text,) in rows for event in json.loads(text)]

    def seed(self, number: int) -> bytes:
        return self._shoe(number)[0]

    def _shoe(self, number: int) -> tuple[bytes, list[str]]:
        if number not in self._shoes:
            row = self._database.execute(
                "SELECT key_id, sealed, commitment, version FROM shoe"
                " WHERE table_id = %s AND number = %s",
                [self._table_id, number],
            ).fetchone()
            assert row is not None
            seed = self._keys.unseal(SealedShoe(self._table_id, number, *row))
            assert seed not in row[1]
            assert row[2] == hashlib.sha256(seed).hexdigest()
            cards = 52 * self._decks
            salts = [salt(seed, self._table_id, number, place) for place in range(cards)]
            self._shoes[number] = (seed, salts)
        return self._shoes[number]

    def texts(self, events: list[dict[str, Any]]) -> Iterator[str]:
        """Every text that would give something away: seeds, and salts of cards not turned up."""
        opened = [event["shoe"] for event in events if event["type"] == "ShoeOpened"]
        revealed = {event["shoe"] for event in events if event["type"] == "ShoeRevealed"}
        number = 0
        up: set[tuple[int, int]] = set()
        for event in events:
            if event["type"] == "ShoeOpened":
                number = event["shoe"]
            if "card" in event:
                up.add((number, event["position"]))
        for shoe in {number, number + 1} - revealed - {0}:
            seed, salts = self._shoe(shoe)
            yield seed.hex()
            if shoe in opened:
                yield from (text for place, text in enumerate(salts) if (shoe, place) not in up)

    def order(self, opened: dict[str, Any]) -> ShuffledShoe:
        number = opened["shoe"]
        given = [(one["seat"], one["player"], one["seed"]) for one in opened["client_seeds"]]
        return ShuffledShoe(self.seed(number), self._table_id, number, self._decks, given)


def face_up(events: list[dict[str, Any]]) -> Counter[str]:
    """The cards turned up in the round that the events end in."""
    cards: Counter[str] = Counter()
    for event in events:
        if event["type"] == "RoundOpened":
            cards.clear()
        if "card" in event:
            cards[event["card"]] += 1
    return cards


def cards_in(text: str) -> Counter[str]:
    return Counter(CARD.findall(text))


def text_of(message: Any) -> str:
    """A message with everything that it holds, as JSON and as protobuf has it."""
    return json_format.MessageToJson(message) + text_format.MessageToString(message)


async def look_everywhere(caller: Caller, table: Any, secrets: Secrets) -> None:
    """Hold all that a client can get at now against what is secret now."""
    events = secrets.events()
    hidden = list(secrets.texts(events))
    table_id = table.table_id
    answers = [
        table,
        (await caller.call(GetRoundRequest(table_id=table_id, round=table.round))).table,
        *(await caller.call(ListEventsRequest(table_id=table_id, page_size=1000))).rows,
        await caller.call(ListRoundsRequest(table_id=table_id)),
        await caller.call(ListTablesRequest()),
    ]
    texts = [text_of(answer) for answer in answers]
    if table.your.decision:
        for action in (Action.ACTION_UNSPECIFIED, Action.ACTION_INSURE, Action.ACTION_SPLIT):
            if action not in [one.action for one in table.your.legal_actions]:
                with pytest.raises(Refusal) as refused:
                    await caller.act(table, action)
                texts.append(f"{refused.value}")
    for text in texts:
        found = [secret for secret in hidden if secret in text]
        assert found == [], text
    for answer in answers[:2]:
        assert cards_in(json_format.MessageToJson(answer)) == face_up(events)
    # The journal names no card but in the events that turn one up, each once.
    told = sum((cards_in(row.events) for row in answers[2:-2]), Counter[str]())
    assert told == Counter(event["card"] for event in events if "card" in event)
    assert not any(cards_in(row.command) for row in answers[2:-2])


@pytest.mark.parametrize("preset", ["six-deck-h17", "twenty-rounds", "four-deck-vegas"])
async def test_nothing_tells_what_is_face_down(
    preset: str, door: Door, owner: str, player: Caller
) -> None:
    random = Random(preset)
    with psycopg.connect(owner, autocommit=True) as database:
        for _ in range(TABLES):
            table = await player.open(preset)
            secrets = Secrets(database, table.table_id, table.rule_set.decks)
            await play_and_look(player, table, secrets, random)


async def play_and_look(player: Caller, table: Any, secrets: Secrets, random: Random) -> None:
    """Some rounds at a table, with a look at everything after every call."""
    for _ in range(ROUNDS):
        if table.phase == Phase.PHASE_FINISHED:
            break
        table = await player.bet(table, random_stake(table, random))
        await look_everywhere(player, table, secrets)
        while table.your.decision:
            action = random.choice(table.your.legal_actions).action
            table = await player.act(table, action)
            await look_everywhere(player, table, secrets)
    for event in secrets.events():
        if event["type"] == "ShoeOpened":
            order = secrets.order(event)
        if "card" in event:
            assert event["card"] == order.card(event["position"])


async def test_neither_the_database_nor_the_log_tells(server: Server, owner: str) -> None:
    """A round that is open: no row beside the sealed seeds, and no line, knows a secret of it."""
    async with open_door("grpc", server) as door:
        caller = await guest(door)
        with psycopg.connect(owner, autocommit=True) as database:
            hidden: list[str] = []
            for _ in range(10):
                table = await caller.deal_until_a_decision(await caller.open("six-deck-h17"))
                secrets = Secrets(database, table.table_id, 6)
                hidden += secrets.texts(secrets.events())
                with pytest.raises(Refusal):
                    await caller.act(table, Action.ACTION_UNSPECIFIED)
            assert len(hidden) > 3_000
            found = set(re.findall(r"[0-9a-f]{32,}", server.log.read_text()))
            for relation in RELATIONS:
                for (row,) in database.execute(f"SELECT to_jsonb(t)::text FROM {relation} t"):
                    found.update(re.findall(r"[0-9a-f]{32,}", row))
            assert found.isdisjoint(hidden)
            columns = database.execute(
                "SELECT table_name || '.' || column_name FROM information_schema.columns"
                " WHERE table_schema = 'public' AND data_type = 'bytea' ORDER BY 1"
            ).fetchall()
    assert [name for (name,) in columns] == [
        "journal.hash", "operator.key_hash", "shoe.sealed", "table_head.hash"
    ]  # fmt: skip
    log = server.log.read_text()
    assert '"reason": "FIELD_INVALID"' in log
    assert not CARD.findall(log)
    for secret in (caller.token, "ck_"):
        assert secret not in log


def test_the_search_finds_what_is_there() -> None:
    assert cards_in('["AS", "??", "TD"] x "ASX" AS') == Counter(["AS", "TD"])
