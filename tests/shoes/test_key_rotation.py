"""Sealing keys that are taken away once the shoes that they sealed are retired."""

import pytest

from service.api.wire.tables import table_to_wire
from service.live.lookup import Asker
from service.live.shown_tables import show
from service.shoes.proofs import ShoeProver
from service.shoes.sealing import SealBroken
from service.table.commands import CloseTable, PlaceBet
from tests.live.table_in_memory import OPERATOR, Clock, PlannedStore, Process, next_command

SHOES = 4
OLD, NEW = ("old",), ("new",)


async def play(process: Process, table_id: str, rounds: int) -> None:
    """Play whole rounds, at a table with a fresh shoe for each."""
    engine = await process.read(table_id)
    last = engine.state.round + rounds
    while engine.state.round < last or engine.state.running:
        command = next_command(engine)
        engine = (await process.send(table_id, f"r-{engine.head.version}", command)).table


@pytest.fixture
def store() -> PlannedStore:
    return PlannedStore(Clock().now)


async def rotated(store: PlannedStore) -> str:
    """A table whose first shoes were sealed with a key that is gone; its id."""
    old = Process(Clock(), store, sealing_keys=OLD)
    table_id = await old.open(penetration=0)
    await play(old, table_id, SHOES)
    both = Process(Clock(), store, sealing_keys=(*NEW, *OLD))
    await play(both, table_id, 2)
    return table_id


async def test_the_table_is_played_on(store: PlannedStore) -> None:
    table_id = await rotated(store)
    await play(Process(Clock(), store, sealing_keys=NEW), table_id, 2)


async def test_rounds_and_shoes_of_before_are_shown(store: PlannedStore) -> None:
    table_id = await rotated(store)
    both = Process(Clock(), store, sealing_keys=(*NEW, *OLD))
    now = Process(Clock(), store, sealing_keys=NEW)
    head = await now.lookup.head(table_id, Asker(OPERATOR))
    for number in range(1, SHOES):
        seen = [await one.reader.round(table_id, Asker(OPERATOR), number) for one in (both, now)]
        assert (
            len({table_to_wire(show(one.table, "ann", None)).SerializeToString() for one in seen})
            == 1
        )
        shoes = [
            await ShoeProver(store, store, one.shoes).shoe(head, number, 0) for one in (both, now)
        ]
        assert shoes[0] == shoes[1]
        assert shoes[0].cards


async def test_a_command_of_before_is_known_when_it_is_sent_again(store: PlannedStore) -> None:
    table_id = await rotated(store)
    rows = await store.journal_of(table_id)
    row = next(row for row in rows if '"PlaceBet"' in row.command)
    now = Process(Clock(), store, sealing_keys=NEW)
    answer = await now.send(table_id, row.request_id, PlaceBet("ann", 1, 1000))
    assert (answer.replayed, answer.table.head.version) == (True, row.version)


async def test_a_finished_table_needs_no_key(store: PlannedStore) -> None:
    old = Process(Clock(), store, sealing_keys=OLD)
    table_id = await old.open()
    await play(old, table_id, 1)
    await old.send(table_id, "close", CloseTable("ann"))
    now = Process(Clock(), store, sealing_keys=NEW)
    assert (await now.read(table_id)).state.finish
    assert (await now.reader.round(table_id, Asker(OPERATOR), 1)).seats


async def test_no_card_is_dealt_without_the_key(store: PlannedStore) -> None:
    old = Process(Clock(), store, sealing_keys=OLD)
    table_id = await old.open()
    with pytest.raises(SealBroken, match="'old', which the settings do not have"):
        await play(Process(Clock(), store, sealing_keys=NEW), table_id, 1)
