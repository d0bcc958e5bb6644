"""Receipts: signed as the vectors say, at a settlement and at the end, and refused when changed."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from service.keys.key_list import KeysMissing
from service.keys.signing import (
    PublicKeys,
    Signature,
    SignatureWrong,
    SigningKeys,
    parse_signing_keys,
    signed_message,
)
from service.live.live_table import LiveTable
from service.live.lookup import Asker
from service.live.receipts import Receipts
from service.records.receipt import PURPOSE, Receipt
from service.table.commands import CloseIdle, CloseTable, LeaveSeat, SetReady, TakeSeat
from service.table.phase import Phase
from tests.live.table_in_memory import OPERATOR, Clock, PlannedStore, Process, next_command

VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text())
KEYS = SigningKeys({"s2": bytes([2]) * 32, "s1": bytes([1]) * 32})


@pytest.fixture
def process() -> Process:
    clock = Clock()
    return Process(clock, PlannedStore(clock.now))


def signed() -> Receipt:
    unsigned = Receipt("house", "table-1", 3, 17, 1_700_000_000_000_001, b"\7" * 32, NO_SIGNATURE)
    parts: list[str | bytes] = ["house", "table-1", "3", "17", "1700000000000001", b"\7" * 32]
    return replace(unsigned, signed=KEYS.sign(PURPOSE, parts))


NO_SIGNATURE = Signature("", b"")


@pytest.mark.parametrize("vector", VECTORS["receipts"])
def test_a_published_receipt(vector: dict[str, Any]) -> None:
    keys = parse_signing_keys(f"{vector['key_id']}:{vector['seed']}")
    assert keys.public.by_id == {vector["key_id"]: bytes.fromhex(vector["public_key"])}
    parts: list[str | bytes] = [
        vector["operator"],
        vector["table_id"],
        str(vector["round"]),
        str(vector["version"]),
        str(vector["record_time_micros"]),
        bytes.fromhex(vector["hash"]),
    ]
    texts = [PURPOSE, vector["key_id"], *parts]
    data = [text.encode() if isinstance(text, str) else text for text in texts]
    message = b"".join(len(part).to_bytes(4, "big") + part for part in data)
    assert signed_message(PURPOSE, vector["key_id"], parts) == message
    assert message.hex() == vector["message"]
    assert keys.sign(PURPOSE, parts).signature.hex() == vector["signature"]
    receipt = Receipt(
        vector["operator"],
        vector["table_id"],
        vector["round"],
        vector["version"],
        vector["record_time_micros"],
        bytes.fromhex(vector["hash"]),
        Signature(vector["key_id"], bytes.fromhex(vector["signature"])),
    )
    receipt.check(keys.public)


@pytest.mark.parametrize(
    "change",
    [
        {"operator": "hous"},
        {"table_id": "table-2"},
        {"round": 4},
        {"version": 18},
        {"at": 1_700_000_000_000_000},
        {"hash": b"\7" * 31 + b"\6"},
        {"operator": "", "table_id": "housetable-1"},
    ],
    ids=str,
)
def test_a_receipt_that_was_changed(change: dict[str, Any]) -> None:
    signed().check(KEYS.public)
    with pytest.raises(SignatureWrong, match="'s2' did not sign this"):
        replace(signed(), **change).check(KEYS.public)


def test_a_signature_that_was_changed() -> None:
    receipt = signed()
    for place in range(64):
        other = bytearray(receipt.signed.signature)
        other[place] ^= 1
        with pytest.raises(SignatureWrong, match="did not sign"):
            replace(receipt, signed=Signature("s2", bytes(other))).check(KEYS.public)
    with pytest.raises(SignatureWrong, match="did not sign"):
        replace(receipt, signed=Signature("s2", b"")).check(KEYS.public)


def test_a_signature_of_another_key_or_purpose() -> None:
    receipt = signed()
    with pytest.raises(SignatureWrong, match="'s1' did not sign"):
        replace(receipt, signed=Signature("s1", receipt.signed.signature)).check(KEYS.public)
    with pytest.raises(SignatureWrong, match="key 's3'; known: s2, s1"):
        replace(receipt, signed=Signature("s3", receipt.signed.signature)).check(KEYS.public)
    with pytest.raises(SignatureWrong, match="known: none"):
        receipt.check(PublicKeys({}))
    twins = SigningKeys({"a": bytes(32), "b": bytes(32)})
    of_a = twins.sign(PURPOSE, ["x"])
    with pytest.raises(SignatureWrong):  # the same key under another id says another thing
        twins.public.check(PURPOSE, ["x"], Signature("b", of_a.signature))
    with pytest.raises(SignatureWrong):
        twins.public.check("croupier digest 1", ["x"], of_a)


@pytest.mark.parametrize("text", ["", "s1", "s1:zz", "s1:00", f"s 1:{'0' * 64}", f":{'0' * 64}"])
def test_settings_that_are_no_signing_keys(text: str) -> None:
    with pytest.raises(KeysMissing, match="signing key") as error:
        parse_signing_keys(text)
    assert "0" * 64 not in str(error.value)


async def test_a_receipt_comes_with_each_settlement_and_with_nothing_else(process: Process) -> None:
    receipts = Receipts(KEYS)
    table = await process.open()
    rounds: set[int] = set()
    while len(rounds) < 5:
        before = await process.read(table)
        answer = await process.send(table, f"r{before.head.version}", next_command(before))
        receipt = receipts.of(answer.table)
        assert bool(receipt) == (answer.table.state.phase is Phase.SETTLED)
        if receipt:
            row = (await process.store.journal_of(table))[-1]
            assert receipt == receipts.of(await process.read(table))
            assert row == replace(row, **{name: getattr(receipt, name) for name in ROW})
            assert receipt.operator == OPERATOR
            receipt.check(KEYS.public)
            rounds.add(receipt.round)
    later = (await process.reader.round(table, Asker(OPERATOR), 1)).table
    first = receipts.of(later)
    assert first
    assert first.round == 1
    assert first.version < receipts_of(receipts, await process.read(table)).version


ROW = ("table_id", "round", "version", "at", "hash")


def receipts_of(receipts: Receipts, engine: LiveTable) -> Receipt:
    receipt = receipts.of(engine)
    assert receipt
    return receipt


@pytest.mark.parametrize("settled", [True, False])
@pytest.mark.parametrize("command", [CloseTable(""), LeaveSeat("ann"), CloseIdle(1)])
async def test_a_finished_table_has_a_receipt_of_its_last_row(
    process: Process, command: Any, settled: bool
) -> None:
    receipts = Receipts(KEYS)
    table = await process.open()
    if settled:
        await process.deal(table)
        while not receipts.of(engine := await process.read(table)):
            await process.send(table, f"r{engine.head.version}", next_command(engine))
    if isinstance(command, CloseIdle):
        await process.handler.close_idle(table, 2**62, 1)
    else:
        await process.send(table, "end", command)
    engine = await process.read(table)
    assert engine.state.phase is Phase.FINISHED
    receipt = receipts_of(receipts, engine)
    row = (await process.store.journal_of(table))[-1]
    assert row == replace(row, **{name: getattr(receipt, name) for name in ROW})


async def test_sitting_down_after_a_settlement_opens_a_round_without_a_receipt(
    process: Process,
) -> None:
    receipts = Receipts(KEYS)
    table = await process.open(max_seats=2, min_seats=1, penetration=0)
    await process.send(table, "ann", TakeSeat("ann"))
    await process.send(table, "ready", SetReady("ann"))
    while not receipts.of(engine := await process.read(table)):
        await process.send(table, f"r{engine.head.version}", next_command(engine))
    await process.send(table, "bob", TakeSeat("bob"))
    assert receipts.of(await process.read(table)) is None
    settled = (await process.reader.round(table, Asker(OPERATOR), 1)).table
    assert receipts.of(settled) == receipts.of(engine)


async def test_a_receipt_is_signed_once(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    signatures = 0
    sign = KEYS.sign

    def counted(purpose: str, parts: Any) -> Signature:
        nonlocal signatures
        signatures += 1
        return sign(purpose, parts)

    monkeypatch.setattr(KEYS, "sign", counted)
    receipts = Receipts(KEYS)
    table = await process.open()
    await process.send(table, "end", CloseTable(""))
    for _ in range(3):
        assert receipts.of(await process.read(table))
    assert signatures == 1
