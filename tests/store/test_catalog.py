"""The lists over tables, on both stores: newest first, page by page, each to whom it belongs."""

import time
from typing import Any

from msgspec.structs import replace

from service.journal.ports import (
    Catalog,
    Head,
    RuleSetRow,
    SeatRow,
    Store,
    TableFilter,
    VoidRow,
)
from tests.store.conftest import Both
from tests.store.steps import FUTURE, step


async def test_the_clock_counts_microseconds(catalog: Catalog) -> None:
    assert abs(await catalog.database_time() - time.time() * 1_000_000) < 60_000_000


async def test_a_head_is_that_of_its_newest_step(both: Both) -> None:
    await both.store.append([step("t1", 1)])
    newest = step("t1", 2, phase="settled", round=3, round_version=2)
    await both.store.append([newest])
    assert await both.catalog.head("t1") == newest.head
    assert await both.catalog.head("t2") is None


async def open_tables(store: Store) -> None:
    for table_id, opened_at, operator, owner, phase in (
        ("b", 1_000, "house", "ann", "turns"),
        ("a", 1_000, "house", "bob", "finished"),
        ("c", 3_000, "house", "", "turns"),
        ("d", 2_000, "other", "ann", "turns"),
        ("B", 1_000, "house", "cat", "turns"),
    ):
        opened = step(table_id, 1, opened_at=opened_at, operator=operator, owner=owner, phase=phase)
        await store.append([opened])


def ids(heads: object) -> str:
    assert isinstance(heads, list)
    return "".join(head.table_id for head in heads)


async def test_an_operators_tables_newest_first(both: Both) -> None:
    await open_tables(both.store)
    assert ids(await both.catalog.tables("house", TableFilter(), None, 10)) == "cbaB"
    assert ids(await both.catalog.tables("other", TableFilter(), None, 10)) == "d"
    assert ids(await both.catalog.tables("nobody", TableFilter(), None, 10)) == ""
    assert ids(await both.catalog.tables("house", TableFilter(phase="finished"), None, 10)) == "a"


async def test_tables_page_by_page(both: Both) -> None:
    await open_tables(both.store)
    seen: list[Head] = []
    after = None
    while page := await both.catalog.tables("house", TableFilter(), after, 2):
        assert len(page) <= 2
        seen += page
        after = (page[-1].opened_at, page[-1].table_id)
    assert ids(seen) == "cbaB"


async def test_a_players_tables_are_those_he_owns_or_sits_at(both: Both) -> None:
    await open_tables(both.store)
    assert ids(await both.catalog.tables("house", TableFilter(player="ann"), None, 10)) == "b"
    taken = step("c", 2, opened_at=3_000, owner="", seats=[SeatRow("c", "ann", 4)])
    await both.store.append([taken])
    assert ids(await both.catalog.tables("house", TableFilter(player="ann"), None, 10)) == "cb"
    moved = [SeatRow("c", "ann", 0), SeatRow("c", "bob", 4)]
    await both.store.append([step("c", 3, opened_at=3_000, owner="", seats=moved)])
    assert ids(await both.catalog.tables("house", TableFilter(player="ann"), None, 10)) == "b"
    assert ids(await both.catalog.tables("house", TableFilter(player="bob"), None, 10)) == "ca"
    again = [SeatRow("c", "bob", 5)]
    await both.store.append([step("c", 4, opened_at=3_000, owner="", seats=again)])
    assert ids(await both.catalog.tables("house", TableFilter(player="bob"), None, 10)) == "ca"


async def test_tables_to_join(both: Both) -> None:
    for table_id, rule_set_id, free_seats, private in (
        ("a", "match", 0, False),
        ("b", "match", 1, False),
        ("c", "match", 3, False),
        ("d", "match", 3, True),
        ("e", "bank", 2, False),
    ):
        opened = step(table_id, 1)
        head = replace(opened.head, rule_set_id=rule_set_id, free_seats=free_seats, private=private)
        await both.store.append([replace(opened, head=head)])

    async def found(**wanted: Any) -> str:
        return ids(await both.catalog.tables("house", TableFilter(**wanted), None, 10))

    assert await found() == "edcba"
    assert await found(free_seats=1) == "ecb"
    assert await found(free_seats=3) == "c"
    assert await found(free_seats=1, rule_set_id="match") == "cb"
    assert await found(rule_set_id="bank") == "e"


async def test_deadlines_that_have_passed_the_longest_overdue_first(both: Both) -> None:
    for table_id, deadline in (("a", 50), ("b", 30), ("c", 0), ("d", 51)):
        opened = step(table_id, 1)
        await both.store.append([replace(opened, head=replace(opened.head, deadline=deadline))])
    assert await both.catalog.due(50, 10) == [("b", "house"), ("a", "house")]
    assert await both.catalog.due(50, 1) == [("b", "house")]
    assert await both.catalog.due(29, 10) == []


async def test_idle_tables_are_between_rounds_and_wait_for_nothing(both: Both) -> None:
    for table_id, phase, deadline, at in (
        ("waits", "waiting", 0, FUTURE),
        ("bets", "betting", 0, FUTURE),
        ("settled", "settled", 0, FUTURE),
        ("fresh", "settled", 0, FUTURE + 10),
        ("timed", "betting", 90, FUTURE),
        ("plays", "turns", 0, FUTURE),
        ("over", "finished", 0, FUTURE),
    ):
        opened = step(table_id, 1, phase=phase)
        head = replace(opened.head, deadline=deadline, at=at)
        await both.store.append([replace(opened, head=head, row=replace(opened.row, at=at))])
    idle = await both.catalog.idle(FUTURE + 10, 10)
    assert sorted(table_id for table_id, _ in idle) == ["bets", "settled", "waits"]
    assert len(await both.catalog.idle(FUTURE + 10, 2)) == 2


async def test_the_journal_page_by_page_and_of_one_round(both: Both) -> None:
    for version, number in enumerate([1, 1, 1, 2, 2], start=1):
        await both.store.append([step("t1", version, round=number)])

    async def versions(round: int, after: int, limit: int) -> list[int]:
        return [row.version for row in await both.catalog.journal("t1", round, after, limit)]

    assert await versions(0, 0, 10) == [1, 2, 3, 4, 5]
    assert await versions(0, 2, 2) == [3, 4]
    assert await versions(1, 0, 2) == [1, 2]
    assert await versions(1, 2, 2) == [3]
    assert await versions(2, 0, 10) == [4, 5]
    assert await versions(3, 0, 10) == []


async def test_rule_sets_belong_to_their_operator(catalog: Catalog) -> None:
    mine = RuleSetRow("house", "b", '{"decks":1}', 5)
    assert await catalog.create_rule_set(mine) == mine
    again = RuleSetRow("house", "b", '{"decks":8}', 6)
    assert await catalog.create_rule_set(again) == mine
    theirs = RuleSetRow("other", "b", '{"decks":2}', 7)
    assert await catalog.create_rule_set(theirs) == theirs
    assert await catalog.rule_set("house", "b") == mine
    assert await catalog.rule_set("house", "a") is None
    await catalog.create_rule_set(RuleSetRow("house", "a", "{}", 8))
    await catalog.create_rule_set(RuleSetRow("house", "C", "{}", 9))
    listed = await catalog.rule_sets("house", "", 10)
    assert [row.rule_set_id for row in listed] == ["C", "a", "b"]
    assert [row.rule_set_id for row in await catalog.rule_sets("house", "C", 1)] == ["a"]


async def test_a_key_names_its_operator_until_it_is_replaced(catalog: Catalog) -> None:
    await catalog.ensure_operator("house", b"\x00old")
    await catalog.ensure_operator("other", b"their")
    assert await catalog.operator_of_key(b"\x00old") == "house"
    await catalog.ensure_operator("house", b"new")
    assert await catalog.operator_of_key(b"\x00old") is None
    assert await catalog.operator_of_key(b"new") == "house"


async def test_voided_rounds_are_found_by_table_and_number(store: Store, catalog: Catalog) -> None:
    void = VoidRow("t1", 1, "the dealer's \u2660 sleeve", version=2, at=FUTURE)
    other = VoidRow("t2", 3, "a torn card", version=2, at=FUTURE)
    await store.append([step("t1", 1), step("t2", 1)])
    await store.append([step("t1", 2, voids=[void]), step("t2", 2, voids=[other])])
    assert await catalog.voids([("t1", 1), ("t1", 3), ("t2", 1)]) == [void]
