"""Deciders by number: old rows keep theirs, tables under way go over when a round opens, and nobody
decides, folds or shows under a number that is not known.

The second decider here differs in one thing: a stake above the table's largest is taken down to it,
where the first refuses it.
"""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from service.audit.verify.replay import Replay
from service.journal import deciders, upcast
from service.journal.codec import row_hash
from service.journal.deciders import DECIDERS, TakesOver, UnknownEngine
from service.journal.ports import Head, JournalRow
from service.live.lookup import Asker
from service.records.verification import Fault, FaultKind
from service.rules.reasons import Reason, Refused
from service.table.chance import Chance
from service.table.commands import Command, PlaceBet
from service.table.deciding.decide import play
from service.table.events import BetPlaced, Event, StackRefilled
from service.table.phase import Phase
from service.table.state import State
from tests.live.table_in_memory import Clock, PlannedStore, Process, next_command

LARGEST = 1_000


def play_2(
    state: State, command: Command, chance: Chance, now: int
) -> tuple[tuple[Event, ...], State]:
    if isinstance(command, PlaceBet) and state.rules.max_bet:
        command = replace(command, stake=min(command.stake, state.rules.max_bet))
    return play(state, command, chance, now)


@pytest.fixture
def store() -> PlannedStore:
    return PlannedStore(Clock().now)


@pytest.fixture
def process(store: PlannedStore) -> Process:
    return Process(Clock(), store)


def release(
    patch: pytest.MonkeyPatch, in_use: int, takes_over: TakesOver = TakesOver.NEXT_ROUND
) -> None:
    """A release of the service that knows the second decider, and writes by `in_use`."""
    second = replace(DECIDERS[1], number=2, play=play_2, takes_over=takes_over)
    patch.setitem(DECIDERS, 2, second)
    patch.setattr(deciders, "IN_USE", in_use)


async def open_table(process: Process, request_id: str = "open") -> str:
    return await process.open(request_id, max_bet=LARGEST)


async def finish_round(process: Process, table_id: str, player: str = "ann") -> None:
    while (table := await process.read(table_id)).state.phase is not Phase.SETTLED:
        await process.send(table_id, f"go-on-{table.head.version}", next_command(table, player))


async def bet(process: Process, table_id: str, stake: int) -> JournalRow:
    """A bet on the round that takes bets; the row that it gave."""
    table = await process.read(table_id)
    request_id = f"bet-{table.head.version}-{stake}"
    await process.send(table_id, request_id, PlaceBet("ann", table.state.betting_round, stake))
    return (await process.store.journal_of(table_id))[-1]


def verified(head: Head, rows: Sequence[JournalRow]) -> Fault | None:
    """What verification says of a journal: its first fault."""
    replay = Replay(head, {})
    for row in rows:
        replay.read(row)
    return replay.fault


async def test_a_table_under_way_goes_over_when_its_next_round_opens(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = await open_table(process)
    release(monkeypatch, in_use=2)
    with pytest.raises(Refused) as refusal:  # round 1 was opened by the first decider
        await bet(process, table_id, 5 * LARGEST)
    assert refusal.value.reason is Reason.STAKE_ABOVE_MAXIMUM
    assert (await bet(process, table_id, LARGEST)).engine == 1
    await finish_round(process, table_id)

    assert (await process.read(table_id)).decider.number == 2  # what is offered follows it
    row = await bet(process, table_id, 5 * LARGEST)
    assert row.engine == 2
    assert BetPlaced(1, LARGEST, ()) in (await process.read(table_id)).latest
    await finish_round(process, table_id)

    rows = await process.store.journal_of(table_id)
    numbers = [row.engine for row in rows]
    assert numbers == sorted(numbers)
    assert set(numbers) == {1, 2}
    for one in rows:
        assert one.engine == (1 if one.round == 1 else 2)
    head = await process.lookup.head(table_id, Asker("house"))
    assert verified(head, rows) is None


async def test_a_decider_for_new_tables_leaves_the_others_alone(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = await open_table(process)
    release(monkeypatch, in_use=2, takes_over=TakesOver.NEW_TABLES)
    for _ in range(2):
        assert (await bet(process, old, LARGEST)).engine == 1
        await finish_round(process, old)
    with pytest.raises(Refused):
        await bet(process, old, 5 * LARGEST)
    new = await open_table(process, "another")
    assert (await bet(process, new, 5 * LARGEST)).engine == 2


async def test_what_is_known_is_not_in_use_before_the_next_release(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    release(monkeypatch, in_use=1)
    table_id = await open_table(process)
    for _ in range(2):
        assert (await bet(process, table_id, LARGEST)).engine == 1
        await finish_round(process, table_id)


async def test_who_writes_by_the_older_one_goes_on_under_the_newer(
    process: Process, store: PlannedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """During an update old and new processes serve the same table: a number never goes back."""
    release(monkeypatch, in_use=2)
    table_id = await open_table(process)
    await bet(process, table_id, LARGEST)
    await finish_round(process, table_id)
    monkeypatch.setattr(deciders, "IN_USE", 1)
    older = Process(Clock(), store)
    assert (await bet(older, table_id, 5 * LARGEST)).engine == 2


async def test_who_does_not_know_a_number_refuses_the_table(
    process: Process, store: PlannedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    release(monkeypatch, in_use=2)
    table_id = await open_table(process)
    monkeypatch.delitem(DECIDERS, 2)
    monkeypatch.setattr(deciders, "IN_USE", 1)
    older = Process(Clock(), store)
    with pytest.raises(UnknownEngine, match="engine 2 decided this; known here: 1"):
        await older.read(table_id)
    with pytest.raises(UnknownEngine):
        await older.send(table_id, "bet", PlaceBet("ann", 1, LARGEST))
    head = await older.lookup.head(table_id, Asker("house"))
    fault = verified(head, await store.journal_of(table_id))
    assert fault is not None
    assert (fault.version, fault.kind) == (1, FaultKind.ENGINE)


@pytest.mark.parametrize("change", ["back", "within a round", "to one for new tables"])
async def test_a_number_that_could_not_come_next_is_a_fault(
    process: Process, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    release(monkeypatch, in_use=2)
    table_id = await open_table(process)
    for _ in range(2):
        await bet(process, table_id, LARGEST)
        await finish_round(process, table_id)
    rows = await process.store.journal_of(table_id)
    opened = next(row for row in rows if row.round == 2)
    assert {row.engine for row in rows} == {2}
    match change:
        case "back":
            rows, wrong = numbered(rows, opened.version, 1), opened.version
        case "within a round":
            rows = numbered(numbered(rows, 1, 1), opened.version - 1, 2)
            wrong = opened.version - 1
        case _:
            release(monkeypatch, in_use=2, takes_over=TakesOver.NEW_TABLES)
            rows, wrong = numbered(numbered(rows, 1, 1), opened.version, 2), opened.version
    head = await process.lookup.head(table_id, Asker("house"))
    fault = verified(head, rows)
    assert fault is not None
    assert (fault.version, fault.kind) == (wrong, FaultKind.ENGINE)


async def test_a_row_is_decided_again_by_the_decider_that_it_names(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    release(monkeypatch, in_use=2)
    table_id = await open_table(process)
    await bet(process, table_id, 5 * LARGEST)
    rows = await process.store.journal_of(table_id)
    head = await process.lookup.head(table_id, Asker("house"))
    assert verified(head, rows) is None
    fault = verified(head, numbered(rows, 1, 1))  # which would have refused that bet
    assert fault is not None
    assert (fault.version, fault.kind) == (2, FaultKind.EVENTS)


async def test_an_old_event_is_read_as_a_new_one_and_its_bytes_stay(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hash is that of the bytes; only what is folded is another event."""
    table_id = await open_table(process)
    before = await process.store.journal_of(table_id)
    monkeypatch.setattr(upcast, "UPCASTS", {BetPlaced: _refilled_too})
    await bet(process, table_id, LARGEST)
    reader = Process(Clock(), process.store)
    read = await reader.read(table_id)
    assert read.state.seats[0].refilled
    decided = await process.read(table_id)
    assert (decided.state, decided.latest) == (read.state, read.latest)
    rows = await process.store.journal_of(table_id)
    assert verified(read.head, rows) is None
    rows = await process.store.journal_of(table_id)
    assert "StackRefilled" not in rows[-1].events
    assert rows[: len(before)] == before
    assert any(isinstance(event, StackRefilled) for event in read.latest)
    assert row_hash(rows[-2].hash, rows[-1]) == rows[-1].hash


def test_numbers_count_from_1_without_a_gap_and_none_is_in_use_that_is_not_known() -> None:
    assert list(DECIDERS) == list(range(1, len(DECIDERS) + 1))
    assert [decider.number for decider in DECIDERS.values()] == list(DECIDERS)
    assert deciders.IN_USE in DECIDERS


def _refilled_too(old: BetPlaced) -> Sequence[Event]:
    return (StackRefilled(old.seat, 77_000), old)


def numbered(rows: Sequence[JournalRow], from_version: int, engine: int) -> list[JournalRow]:
    """The same rows, from one on under another number, and hashed again."""
    changed: list[JournalRow] = []
    for row in rows:
        number = engine if row.version >= from_version else row.engine
        unhashed = replace(row, engine=number)
        before = changed[-1].hash if changed else bytes(32)
        changed.append(replace(unhashed, hash=row_hash(before, unhashed)))
    return changed
