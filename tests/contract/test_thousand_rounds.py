"""Rounds played over REST by a script, held against a second reading of the rules.

`SOAK_ROUNDS` says how many at each preset: 1,000 with `make soak`.
"""

import json
import os
from collections.abc import Sequence
from itertools import groupby
from random import Random

import pytest
from croupier.v1.history_service_pb2 import JournalRow, ListRoundsRequest
from croupier.v1.table_pb2 import Table

from service.api.wire.tables import table_to_wire
from service.audit.referee import review
from service.journal.codec import events_of
from service.journal.ports import Head
from service.journal.text import to_text
from service.live.live_table import LiveTable
from service.live.shown_tables import show
from service.shoes.chance import SeededChance
from service.table.events import Event, TableOpened
from service.table.evolving.evolve import fold, initial_state
from tests.contract.conftest import guest
from tests.contract.doors import open_door
from tests.contract.player import Caller, bytes_of
from tests.contract.random_play import play_random_tables
from tests.contract.server import Server

ROUNDS = int(os.environ.get("SOAK_ROUNDS", "60"))


def no_seed() -> bytes:
    raise AssertionError("a replay draws no seed")


def replayed(table: Table, opened: TableOpened, rows: Sequence[JournalRow], player: str) -> Table:
    """What the player would see of the table that these rows add up to."""
    rules = opened.rule_set
    state = initial_state(rules)
    latest: tuple[Event, ...] = ()
    for row in rows:
        latest = events_of(row.events)
        state = fold(state, latest)
    last = rows[-1]
    head = Head(
        table_id=table.table_id,
        operator="",
        owner=player,
        rule_set_id=table.rule_set_id,
        rule_set=to_text(rules),
        opened_at=0,
        version=last.version,
        hash=bytes.fromhex(last.hash),
        phase="",
        round=state.round,
        round_version=0,
        shoe=0,
        deadline=state.deadline,
        at=0,
        private=opened.private,
    )
    chance = SeededChance(table.table_id, rules.decks, {}, no_seed)
    return table_to_wire(show(LiveTable(head, state, chance, latest, 1), player, None))


async def check_table(caller: Caller, table: Table) -> int:
    """Hold a table's whole journal against the referee and the API; how many rounds it settled."""
    rows = await caller.journal(table.table_id)
    opened = events_of(rows[0].events)[0]
    assert isinstance(opened, TableOpened)
    rounds = [list(of_round) for _, of_round in groupby(rows, key=lambda row: row.round)]
    plain = [[event for row in each for event in json.loads(row.events)] for each in rounds]
    rules = plain[0][0]["rule_set"]
    assert review(rules, [event for each in plain for event in each]) == []
    for each in plain:
        assert review(rules, each) == []

    seen = await caller.see(table.table_id)
    assert bytes_of(seen) == bytes_of(table)
    seen.ClearField("receipt")  # no replay can sign
    assert bytes_of(replayed(table, opened, rows, caller.id)) == bytes_of(seen)
    assert bytes_of(replayed(table, opened, rounds[-1], caller.id)) == bytes_of(seen)

    settled = [event for each in plain for event in each if event["type"] == "RoundSettled"]
    nets: list[int] = []
    request = ListRoundsRequest(table_id=table.table_id, page_size=100)
    more = True
    while more:
        page = await caller.call(request)
        nets += [one.seats[0].net for one in page.rounds]
        request.page_token = page.next_page_token
        more = bool(page.next_page_token)
    assert nets[::-1] == [event["seats"][0]["net"] for event in settled]
    return len(settled)


@pytest.mark.parametrize("preset", ["six-deck-h17", "twenty-rounds", "four-deck-vegas"])
async def test_the_referee_agrees_with_every_payout(preset: str, server: Server) -> None:
    seed = os.environ.get("SOAK_SEED", "1")
    async with open_door("rest", server) as door:
        caller = await guest(door)
        tables = await play_random_tables(caller, preset, ROUNDS, Random(f"{seed} {preset}"))
        settled = [await check_table(caller, table) for table in tables]
    assert sum(settled) == ROUNDS
    if preset == "twenty-rounds":
        assert max(settled) <= 20
