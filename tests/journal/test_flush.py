"""Flushes: many tables share a commit, and none suffers for another."""

import asyncio
from collections.abc import Sequence

import pytest

from db.memory_store import MemoryStore
from service.journal.flush import Flusher
from service.journal.ports import Append, Outcome, StoreUnavailable
from tests.store.steps import step


class SlowStore(MemoryStore):
    """Each append waits for `go`, and is written down in `flushes`."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()
        self.asked = asyncio.Event()
        self.flushes: list[list[str]] = []
        self.fails = False

    async def append(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        self.flushes.append([one.row.table_id for one in appends])
        self.asked.set()
        await self.go.wait()
        if self.fails:
            raise StoreUnavailable("gone")
        return await super().append(appends)


async def all_of(*outcomes: "asyncio.Future[Outcome]") -> list[Outcome | BaseException]:
    """What each came to; none may keep a caller waiting for ever."""
    return await asyncio.wait_for(asyncio.gather(*outcomes, return_exceptions=True), 5)


@pytest.fixture
async def store() -> SlowStore:
    return SlowStore()


async def test_what_gathers_during_a_flush_goes_together(store: SlowStore) -> None:
    flusher = Flusher(store, lanes=1)
    outcomes = [flusher.append(step(f"t{number}", 1)) for number in range(6)]
    await asyncio.wait_for(store.asked.wait(), 5)
    more = [flusher.append(step(f"u{number}", 1)) for number in range(6)]
    store.go.set()
    assert set(await all_of(*outcomes, *more)) == {Outcome.APPENDED}
    assert len(store.flushes) == 2


async def test_what_comes_turn_by_turn_goes_together(store: SlowStore) -> None:
    store.go.set()
    flusher = Flusher(store)
    outcomes = []
    for number in range(12):
        outcomes.append(flusher.append(step(f"t{number}", 1)))
        await asyncio.sleep(0)
    assert set(await all_of(*outcomes)) == {Outcome.APPENDED}
    assert len(store.flushes) == 1


async def test_a_single_append_waits_for_no_company(store: SlowStore) -> None:
    store.go.set()
    outcome = Flusher(store).append(step("t", 1))
    assert await all_of(outcome) == [Outcome.APPENDED]


async def test_a_conflict_fails_no_neighbour(store: SlowStore) -> None:
    store.go.set()
    flusher = Flusher(store, lanes=1)
    assert await all_of(flusher.append(step("b", 1))) == [Outcome.APPENDED]
    busy = flusher.append(step("a", 1))
    outcomes = [flusher.append(step("b", 1)), flusher.append(step("c", 1))]
    assert await all_of(busy, *outcomes) == [
        Outcome.APPENDED,
        Outcome.CONFLICT,
        Outcome.APPENDED,
    ]


async def test_two_steps_of_one_table_never_share_a_flush(store: SlowStore) -> None:
    flusher = Flusher(store, lanes=1)
    outcomes = [
        flusher.append(step("busy", 1)),
        flusher.append(step("t", 1)),
        flusher.append(step("t", 2)),
        flusher.append(step("u", 1)),
    ]
    store.go.set()
    assert set(await all_of(*outcomes)) == {Outcome.APPENDED}
    assert all(len(set(flush)) == len(flush) for flush in store.flushes)
    assert sum(flush.count("t") for flush in store.flushes) == 2


async def test_a_flush_has_a_limit(store: SlowStore) -> None:
    store.go.set()
    flusher = Flusher(store, lanes=1, largest=4)
    await all_of(*(flusher.append(step(f"t{number}", 1)) for number in range(11)))
    assert max(len(flush) for flush in store.flushes) == 4


async def test_no_more_flushes_than_lanes_are_under_way(store: SlowStore) -> None:
    flusher = Flusher(store, lanes=2, largest=1)
    outcomes = [flusher.append(step(f"t{number}", 1)) for number in range(5)]
    await asyncio.sleep(0.01)
    assert len(store.flushes) == 2
    store.go.set()
    await all_of(*outcomes)
    assert len(store.flushes) == 5


async def test_a_failure_is_told_to_all_and_the_lane_is_free_again(store: SlowStore) -> None:
    store.go.set()
    store.fails = True
    flusher = Flusher(store, lanes=1)
    outcomes = [flusher.append(step(f"t{number}", 1)) for number in range(3)]
    found = await all_of(*outcomes)
    assert all(isinstance(one, StoreUnavailable) for one in found)
    store.fails = False
    assert await all_of(flusher.append(step("t0", 1))) == [Outcome.APPENDED]


async def test_who_stops_waiting_disturbs_nobody(store: SlowStore) -> None:
    flusher = Flusher(store, lanes=1)
    gone, stays = flusher.append(step("a", 1)), flusher.append(step("b", 1))
    await asyncio.wait_for(store.asked.wait(), 5)
    gone.cancel()
    store.go.set()
    assert await all_of(stays) == [Outcome.APPENDED]
    assert await store.load("a") is not None  # what was sent is not taken back
