"""Ids of tables and join codes come from keys; a rotation of keys loses none of them."""

import asyncio

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from service.audit.verify.check_failed import CheckFailed
from service.audit.verify.reading import first_head
from service.journal.codec import command_of
from service.journal.table_ids import derived_table_id
from service.keys.table_keys import CODE_LENGTH, TableKeys
from service.live.execute import Answer
from service.rules.presets import PRESETS
from service.rules.reasons import Reason, Refused
from service.table.commands import OpenTable
from tests.live.table_in_memory import OPERATOR, Clock, PlannedStore, Process

OLD, NEW = b"o" * 32, b"n" * 32
RULES = PRESETS["six-deck-h17"]


def test_what_is_derived_is_a_keys_own() -> None:
    keys, other = TableKeys([OLD]), TableKeys([NEW])
    assert keys.nonces("house", "ann", "r") == TableKeys([OLD]).nonces("house", "ann", "r")
    assert keys.nonces("house", "ann", "r") != other.nonces("house", "ann", "r")
    assert keys.nonces("house", "an", "nr") != keys.nonces("house", "ann", "r")
    assert len(keys.join_code("t")) == CODE_LENGTH
    assert keys.opens("t", keys.join_code("t").lower())
    for wrong in ("", "é", "\ud800", keys.join_code("u"), keys.join_code("t")[:-1]):
        assert not keys.opens("t", wrong)
    assert not other.opens("t", keys.join_code("t"))


def test_a_code_outlives_the_rotation_of_its_key() -> None:
    code = TableKeys([OLD]).join_code("t")
    rotated = TableKeys([NEW, OLD])
    assert rotated.opens("t", code)
    assert rotated.join_code("t") != code
    assert not TableKeys([NEW]).opens("t", code)


def process(store: PlannedStore, clock: Clock, *keys: str) -> Process:
    return Process(clock, store, sealing_keys=keys)


async def opened(one: Process) -> Answer:
    command = OpenTable("ann", "six-deck-h17", RULES)
    return await one.handler.open_table(OPERATOR, "ann", "open", command)


async def test_the_same_request_finds_its_table_after_a_rotation() -> None:
    clock = Clock()
    store = PlannedStore(clock.now)
    first = await opened(process(store, clock, "old"))
    for keys in (("old", "new"), ("new", "old"), ("newer", "new", "old")):
        again = await opened(process(store, clock, *keys))
        assert again.replayed
        assert again.table.head == first.table.head
    command = OpenTable("ann", "other", RULES)
    rotated = process(store, clock, "new", "old").handler
    with pytest.raises(Refused) as refused:
        await rotated.open_table(OPERATOR, "ann", "open", command)
    assert refused.value.reason is Reason.REQUEST_ID_REUSED


async def test_so_it_does_if_the_table_is_older_than_nonces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    store = PlannedStore(clock.now)
    with monkeypatch.context() as before:
        before.setattr("service.live.execute._as_made", lambda command, _: command)
        before.setattr(
            "service.live.execute.derived_table_id",
            lambda operator, actor, request_id, *_: derived_table_id(operator, actor, request_id),
        )
        first = await opened(process(store, clock, "old"))
    table_id = first.table.head.table_id
    assert table_id == derived_table_id(OPERATOR, "ann", "open")
    again = await opened(process(store, clock, "new", "old"))
    assert (again.replayed, again.table.head) == (True, first.table.head)
    assert not again.table.head.private  # as it was opened
    (row, *_) = await store.journal_of(table_id)
    assert "nonce" not in row.command


async def test_many_who_open_at_once_open_one() -> None:
    clock = Clock()
    store = PlannedStore(clock.now)
    processes = [process(store, clock, "key") for _ in range(4)]
    answers = await asyncio.gather(*(opened(one) for one in processes))
    assert len({answer.table.head.table_id for answer in answers}) == 1
    assert sorted(answer.replayed for answer in answers) == [False, True, True, True]


async def test_an_auditor_derives_the_operator_from_the_id() -> None:
    clock = Clock()
    store = PlannedStore(clock.now)
    first = await opened(process(store, clock, "key"))
    (row, *_) = await store.journal_of(first.table.head.table_id)
    command = command_of(row.command)
    assert isinstance(command, OpenTable)
    head = first.table.head
    assert first_head(head, row, command).private
    for changed_head, changed_row, changed_command in (
        (replace(head, operator="rival"), row, command),
        (head, replace(row, table_id="t"), command),
        (head, replace(row, actor="bob"), command),
        (head, row, replace(command, nonce="0" * 32)),
        (head, row, replace(command, nonce=UNSET)),
    ):
        with pytest.raises(CheckFailed):
            first_head(changed_head, changed_row, changed_command)
