"""Voiding while players play on: what the operator meant is voided, once."""

import asyncio
from collections.abc import Sequence

import pytest

from service.api.wire.tables import table_to_wire
from service.calls.access import Identity, Role
from service.journal.ports import SummaryRow
from service.live.execute import Answer
from service.live.shown_tables import show
from service.live.void import Voiding
from service.rules.reasons import Reason, Refused
from service.table.phase import Phase
from tests.live.table_in_memory import OPERATOR, Clock, PlannedStore, Process, next_command
from tests.watch.in_memory import WatchingProcess, changes, take

OWNER = Identity(Role.OPERATOR, OPERATOR, "")


@pytest.fixture
def store() -> PlannedStore:
    return PlannedStore(Clock().now)


@pytest.fixture
def process(store: PlannedStore) -> Process:
    return Process(Clock(), store)


async def void(process: Process, table_id: str, round: int, request_id: str = "void") -> Answer:
    voiding = Voiding(process.handler, process.lookup, process.store)
    until = asyncio.get_running_loop().time() + 5
    return await voiding.void(
        OWNER.operator, OWNER.actor, table_id, request_id, round, "a torn card", until
    )


async def settle(process: Process, table_id: str) -> None:
    """Play the running round to its end."""
    engine = await process.read(table_id)
    while engine.state.running:
        command = next_command(engine)
        engine = (await process.send(table_id, f"s-{engine.head.version}", command)).table


async def test_a_round_that_is_settled_while_the_void_is_on_its_way(
    process: Process, store: PlannedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = await process.open()
    engine = await process.deal(table_id)
    before = engine.state.seats[0].stack + engine.state.seats[0].staked
    look = store.round_summary

    async def and_then_it_is_settled(table_id: str, round: int) -> Sequence[SummaryRow]:
        monkeypatch.undo()
        books = await look(table_id, round)
        await settle(process, table_id)
        return books

    monkeypatch.setattr(store, "round_summary", and_then_it_is_settled)
    answer = await void(process, table_id, engine.state.round)
    assert answer.table.state.phase is Phase.BETTING
    assert answer.table.state.voided == (engine.state.round,)
    assert answer.table.state.seats[0].stack == before


async def test_two_operators_void_one_round(process: Process) -> None:
    table_id = await process.open()
    engine = await process.deal(table_id)
    number = engine.state.round
    answers = await asyncio.gather(
        *(void(process, table_id, number, f"void-{one}") for one in range(5)),
        return_exceptions=True,
    )
    refusals = [answer for answer in answers if isinstance(answer, Refused)]
    assert len(answers) - len(refusals) == 1
    assert {refusal.reason for refusal in refusals} == {Reason.ROUND_VOIDED}


async def test_one_operator_who_sends_it_many_times_at_once(process: Process) -> None:
    table_id = await process.open()
    engine = await process.deal(table_id)
    answers = await asyncio.gather(*(void(process, table_id, engine.state.round) for _ in range(5)))
    assert sorted(answer.replayed for answer in answers) == [False, True, True, True, True]
    assert {answer.table.head.version for answer in answers} == {engine.head.version + 1}


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "another process"])
async def test_whoever_watches_is_told_why(elsewhere: bool) -> None:
    clock = Clock()
    store = PlannedStore(clock.now)
    here, there = WatchingProcess(clock, store), WatchingProcess(clock, store)
    table_id = await here.open()
    engine = await here.deal(table_id)
    stream = changes(here, table_id)
    await take(stream, 1)
    await void(there if elsewhere else here, table_id, engine.state.round)
    await here.watch.poll()
    change = await anext(stream)
    assert change
    table = table_to_wire(show(change, "bob", None))
    assert table.void_reason == "a torn card"
    assert [(one.round, one.reason) for one in table.announcements if one.reason] == [
        (engine.state.round, "a torn card")
    ]
    await stream.aclose()
