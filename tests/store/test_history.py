"""Settled rounds and journals over all tables, on both stores: filtered, in order, page by page."""

import time

from msgspec.structs import replace

from service.journal.ports import LATEST_APPEND, JournalRow, Outcome, Store, SummaryRow
from service.records.history import RoundFilter, RoundKey, RowFilter, RowKey
from tests.store.conftest import Both
from tests.store.steps import FUTURE, settled, step


def now() -> int:
    return time.time_ns() // 1_000


async def settle(store: Store) -> None:
    await store.append(
        [
            step(
                "a", 1, summaries=[settled("a", 1, at=10), settled("a", 1, 2, player="bob", at=10)]
            ),
            step("b", 1, summaries=[settled("b", 1, at=30)]),
            step("x", 1, operator="other", summaries=[settled("x", 1, at=15)]),
        ]
    )
    await store.append([step("a", 2, summaries=[settled("a", 2, at=20)])])
    await store.append([step("a", 3, summaries=[settled("a", 3, at=30)])])


def places(rows: object) -> list[str]:
    assert isinstance(rows, list)
    return [f"{row.table_id}{row.round}.{row.seat}" for row in rows]


HOUSE = RoundFilter(operator="house")


async def test_settled_rounds_newest_first(both: Both) -> None:
    await settle(both.store)

    async def found(wanted: RoundFilter) -> list[str]:
        return places(await both.history.rounds(wanted, None, 10))

    everything = ["b1.1", "a3.1", "a2.1", "a1.2", "a1.1"]
    assert await found(HOUSE) == everything
    assert await found(replace(HOUSE, table_id="a")) == everything[1:]
    assert await found(replace(HOUSE, player="bob")) == ["a1.2"]
    assert await found(RoundFilter(player="ann")) == ["b1.1", "a3.1", "a2.1", "x1.1", "a1.1"]
    assert await found(RoundFilter(operator="other", table_id="a")) == []


async def test_settled_rounds_of_a_window_have_its_begin_and_not_its_end(both: Both) -> None:
    await settle(both.store)

    async def found(**wanted: int) -> list[str]:
        return places(await both.history.rounds(replace(HOUSE, **wanted), None, 10))

    assert await found(from_at=20) == ["b1.1", "a3.1", "a2.1"]
    assert await found(to_at=20) == ["a1.2", "a1.1"]
    assert await found(from_at=10, to_at=30) == ["a2.1", "a1.2", "a1.1"]
    assert await found(from_at=11, to_at=20) == []


async def test_settled_rounds_under_a_rule_set(both: Both) -> None:
    await settle(both.store)
    opened = step("m", 1, summaries=[settled("m", 1, at=25)])
    head = replace(opened.head, rule_set_id="match")
    await both.store.append([replace(opened, head=head)])
    match = replace(HOUSE, rule_set_id="match")
    assert places(await both.history.rounds(match, None, 10)) == ["m1.1"]
    single = replace(HOUSE, rule_set_id="single", to_at=30)
    assert places(await both.history.rounds(single, None, 10)) == ["a2.1", "a1.2", "a1.1"]


async def test_settled_rounds_page_by_page(both: Both) -> None:
    await settle(both.store)
    for table_id in ("", "a"):
        wanted = replace(HOUSE, table_id=table_id)
        newest_first = list(await both.history.rounds(wanted, None, 10))
        for oldest_first, whole in ((False, newest_first), (True, newest_first[::-1])):
            seen: list[SummaryRow] = []
            after: RoundKey | None = None
            while page := await both.history.rounds(wanted, after, 1, oldest_first=oldest_first):
                seen += page
                after = (page[-1].at, page[-1].table_id, page[-1].round, page[-1].seat)
            assert seen == whole


async def test_the_seats_of_one_round(both: Both) -> None:
    await settle(both.store)
    assert places(await both.catalog.round_summary("a", 1)) == ["a1.1", "a1.2"]
    assert places(await both.catalog.round_summary("a", 4)) == []
    assert await both.catalog.round_summary("b", 1) == [settled("b", 1, at=30)]


async def record(store: Store) -> list[JournalRow]:
    """Rows of three tables of the house and one of another operator; those of the house, by time.
    Two tables share a time."""
    rows = []
    for table_id, version, at, operator in (
        ("b", 1, 5, "house"),
        ("a", 1, 5, "house"),
        ("x", 1, 6, "other"),
        ("b", 2, 7, "house"),
        ("b", 3, 7, "house"),
        ("c", 1, 9, "house"),
        ("a", 2, 9, "house"),
    ):
        made = step(table_id, version, operator=operator)
        row = replace(made.row, at=FUTURE + at)
        await store.append([replace(made, row=row, head=replace(made.head, at=row.at))])
        if operator == "house":
            rows.append(row)
    return sorted(rows, key=lambda row: (row.at, row.table_id, row.version))


def names(rows: object) -> str:
    assert isinstance(rows, list)
    return " ".join(f"{row.table_id}{row.version}" for row in rows)


async def test_rows_of_all_tables_by_time(both: Both) -> None:
    rows = await record(both.store)

    async def found(**wanted: str | int) -> str:
        return names(await both.history.rows(RowFilter(**wanted), None, 10))  # type: ignore[arg-type]

    assert await found(operator="house") == names(rows) == "a1 b1 b2 b3 a2 c1"
    assert await found() == "a1 b1 x1 b2 b3 a2 c1"
    assert await found(operator="other") == "x1"
    assert await found(operator="house", table_id="b") == "b1 b2 b3"
    assert await found(operator="other", table_id="b") == ""
    assert await found(from_at=FUTURE + 7, to_at=FUTURE + 9) == "b2 b3"


async def test_rows_page_by_page(both: Both) -> None:
    rows = await record(both.store)
    for table_id in ("", "b"):
        wanted = RowFilter(operator="house", table_id=table_id)
        for size in (1, 2, 4):
            seen: list[JournalRow] = []
            after: RowKey | None = None
            while page := await both.history.rows(wanted, after, size):
                seen += page
                after = (page[-1].at, page[-1].table_id, page[-1].version)
            assert seen == [row for row in rows if table_id in {"", row.table_id}]


async def test_a_late_row_is_refused_and_nothing_of_it_written(both: Both) -> None:
    late = step("t1", 1)
    row = replace(late.row, at=now() - LATEST_APPEND - 500_000)
    assert await both.store.append([replace(late, row=row)]) == [Outcome.LATE]
    assert await both.store.load("t1") is None
    opened = step("t1", 1)
    row = replace(opened.row, at=now() - LATEST_APPEND + 1_000_000)
    neighbour = step("t2", 1)
    assert await both.store.append([replace(opened, row=row), neighbour]) == [Outcome.APPENDED] * 2
    again, other = step("t1", 2), step("t2", 2)
    row = replace(again.row, at=now() - LATEST_APPEND - 500_000)
    outcomes = await both.store.append([replace(again, row=row), other])
    assert outcomes == [Outcome.LATE, Outcome.APPENDED]
    head = await both.catalog.head("t1")
    assert head is not None
    assert head.version == 1


async def test_a_conflict_is_none_for_being_late(both: Both) -> None:
    await both.store.append([step("t1", 1, request_id="r1")])
    assert await both.store.append([step("t1", 2, request_id="r1")]) == [Outcome.CONFLICT]


async def test_the_horizon_is_as_far_behind_as_a_row_may_be(both: Both) -> None:
    before = now()
    horizon = await both.history.horizon()
    assert before - 60_000_000 < horizon <= now() - LATEST_APPEND
