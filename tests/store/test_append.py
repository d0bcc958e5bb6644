"""Appending and loading, on both stores: versions arbitrate, and nothing is ever half written."""

import asyncio

import pytest

from service.journal.ports import Outcome, SeatRow, Store
from tests.store.steps import sealed, settled, step

APPENDED, CONFLICT = Outcome.APPENDED, Outcome.CONFLICT


async def test_an_unknown_table_is_none(store: Store) -> None:
    assert await store.load("t1") is None


async def test_what_was_appended_is_loaded_byte_for_byte(store: Store) -> None:
    opened = step(
        "t1",
        1,
        request_id="r1",
        command='{ "type":"OpenTable", "note":"žluťoučký \\u0000 \'\\\\\' %s 🂡" }',
        shoes=[sealed("t1", 1)],
    )
    assert await store.append([opened]) == [APPENDED]
    loaded = await store.load("t1")
    assert loaded is not None
    assert loaded.head == opened.head
    assert loaded.rows == (opened.row,)
    assert loaded.shoes == opened.shoes
    assert loaded.request is None


async def test_the_largest_amounts_and_times_fit(store: Store) -> None:
    largest = 2**53
    opened = step("t1", 1, opened_at=largest, shoes=[sealed("t1", 1)])
    assert await store.append([opened]) == [APPENDED]
    loaded = await store.load("t1")
    assert loaded is not None
    assert loaded.head.opened_at == largest


async def test_a_table_opens_once(store: Store) -> None:
    first = step("t1", 1, request_id="r1")
    other = step("t1", 1, request_id="r2", actor="bob", shoes=[sealed("t1", 9)])
    assert await store.append([first]) == [APPENDED]
    assert await store.append([other]) == [CONFLICT]
    loaded = await store.load("t1", "bob", "r2")
    assert loaded is not None
    assert (loaded.head, loaded.rows, loaded.shoes) == (first.head, (first.row,), ())
    assert loaded.request is None


@pytest.mark.parametrize("version", [2, 4], ids=["behind", "ahead"])
async def test_a_step_on_another_version_changes_nothing(store: Store, version: int) -> None:
    for each in (1, 2):
        await store.append([step("t1", each)])
    before = await store.load("t1")
    late = step(
        "t1",
        version,
        request_id="late",
        shoes=[sealed("t1", 7)],
        seats=[SeatRow("t1", "bob", 2)],
        summaries=[settled("t1", 1)],
    )
    assert await store.append([late]) == [CONFLICT]
    assert await store.load("t1", "ann", "late") == before
    assert await store.load_shoes("t1", 0) == []


async def test_a_step_of_a_table_that_is_not_there_is_a_conflict(store: Store) -> None:
    assert await store.append([step("t1", 2)]) == [CONFLICT]
    assert await store.load("t1") is None


async def test_a_request_id_counts_once_an_actor(store: Store) -> None:
    await store.append([step("t1", 1, actor="ann", request_id="r1")])
    assert await store.append([step("t1", 2, actor="ann", request_id="r1")]) == [CONFLICT]
    assert await store.append([step("t1", 2, actor="bob", request_id="r1")]) == [APPENDED]
    assert await store.append([step("t2", 1, actor="ann", request_id="r1")]) == [APPENDED]


async def test_the_tables_own_steps_have_no_request_id(store: Store) -> None:
    for version in (1, 2, 3):
        assert await store.append([step("t1", version, actor="table")]) == [APPENDED]
    loaded = await store.load("t1", "table", "")
    assert loaded is not None
    assert [row.request_id for row in loaded.rows] == ["", "", ""]
    assert loaded.request is None


async def test_a_load_brings_the_current_round_and_the_open_shoe_only(store: Store) -> None:
    await store.append([step("t1", 1, request_id="r1", shoes=[sealed("t1", 1)])])
    await store.append([step("t1", 2, request_id="r2", shoes=[sealed("t1", 2)])])
    third = step(
        "t1", 3, request_id="r3", round=2, round_version=3, shoe=2, shoes=[sealed("t1", 3)]
    )
    fourth = step("t1", 4, request_id="r4", round=2, round_version=3, shoe=2)
    await store.append([third])
    await store.append([fourth])
    loaded = await store.load("t1", "ann", "r2")
    assert loaded is not None
    assert loaded.rows == (third.row, fourth.row)
    assert [shoe.number for shoe in loaded.shoes] == [2, 3]
    assert loaded.request is not None
    assert loaded.request.version == 2
    assert [shoe.number for shoe in await store.load_shoes("t1", 1)] == [1, 2, 3]


async def test_many_tables_in_one_call_and_no_conflict_touches_a_neighbour(store: Store) -> None:
    await store.append([step("b", 1, request_id="r1")])
    outcomes = await store.append(
        [
            step("d", 1, shoes=[sealed("d", 1)]),
            step("b", 2, request_id="r1"),
            step("a", 1, seats=[SeatRow("a", "ann", 1)]),
            step("c", 5),
        ]
    )
    assert outcomes == [APPENDED, CONFLICT, APPENDED, CONFLICT]
    there = [await store.load(table_id) for table_id in "abcd"]
    assert [loaded.head.version if loaded else None for loaded in there] == [1, 1, None, 1]


async def test_one_call_may_not_take_two_steps_of_a_table(store: Store) -> None:
    with pytest.raises(ValueError, match="two steps"):
        await store.append([step("t1", 1), step("t1", 2)])
    assert await store.load("t1") is None


async def test_nothing_to_append_is_no_fault(store: Store) -> None:
    assert await store.append([]) == []


async def test_of_many_at_once_exactly_one_is_taken(store: Store) -> None:
    await store.append([step("t1", 1)])
    outcomes = await asyncio.gather(
        *(store.append([step("t1", 2, request_id=f"r{each}")]) for each in range(12))
    )
    assert [outcome for (outcome,) in outcomes].count(APPENDED) == 1


async def test_the_same_request_twice_at_once_is_taken_once(store: Store) -> None:
    await store.append([step("t1", 1)])
    twice = step("t1", 2, request_id="same")
    outcomes = await asyncio.gather(store.append([twice]), store.append([twice]))
    assert sorted(outcome.value for (outcome,) in outcomes) == ["appended", "conflict"]
    loaded = await store.load("t1", "ann", "same")
    assert loaded is not None
    assert loaded.request == twice.row


async def test_a_table_opened_twice_at_once_is_opened_once(store: Store) -> None:
    opened = step("t1", 1, request_id="same", shoes=[sealed("t1", 1)])
    outcomes = await asyncio.gather(store.append([opened]), store.append([opened]))
    assert sorted(outcome.value for (outcome,) in outcomes) == ["appended", "conflict"]
    assert await store.load_shoes("t1", 1) == [sealed("t1", 1)]


async def test_changes_are_what_came_after_the_known_versions(store: Store) -> None:
    for table_id in ("a", "b", "c"):
        for version in (1, 2, 3):
            await store.append([step(table_id, version)])
    rows = await store.changes([("b", 3), ("a", 1), ("c", 2), ("gone", 0)])
    assert [(row.table_id, row.version) for row in rows] == [("a", 2), ("a", 3), ("c", 3)]
    assert await store.changes([]) == []


async def test_a_round_is_found_among_others_with_and_without_summaries(store: Store) -> None:
    # Round 2 was settled without a stake, so nothing is summarized of it; round 3 was settled by
    # version 5, and version 6 came between the rounds.
    rounds = [1, 1, 2, 3, 3, 3, 4]
    settlements = {2: [settled("t1", 1, version=2)], 5: [settled("t1", 3, version=5)]}
    for version, number in enumerate(rounds, start=1):
        summaries = settlements.get(version, [])
        await store.append([step("t1", version, round=number, summaries=summaries)])
    assert [row.version for row in await store.load_round("t1", 1, 99)] == [1, 2]
    assert [row.version for row in await store.load_round("t1", 2, 99)] == [3]
    assert [row.version for row in await store.load_round("t1", 3, 99)] == [4, 5, 6]
    assert [row.version for row in await store.load_round("t1", 3, 4)] == [4]
    assert [row.version for row in await store.load_round("t1", 4, 99)] == [7]
    assert await store.load_round("t1", 5, 99) == []
    assert await store.load_round("gone", 1, 99) == []
