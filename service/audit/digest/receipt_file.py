"""Receipts in a file: JSON as the API gives it, one or several documents, receipts anywhere in it.

A player keeps what he has: a receipt, a whole reply, or all that a watch printed.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from service.app.receipts import Receipt
from service.app.signing import Signature
from service.audit.digest.evidence import EvidenceWrong

LARGEST_FILE = 64 * 1024 * 1024
"""Bytes; files of receipts are read whole."""


class _Written(msgspec.Struct, rename="camel"):
    """A receipt as JSON has it; the API writes 64-bit numbers as strings."""

    operator: str
    table_id: str
    round: int
    version: int
    record_time_micros: int
    hash: str
    key_id: str
    signature: str


def receipts_in(path: Path) -> Iterator[Receipt]:
    """The receipts in a file, unchecked; EvidenceWrong if there is none, or one is incomplete."""
    if path.stat().st_size > LARGEST_FILE:
        raise EvidenceWrong(f"{path}: more than {LARGEST_FILE} bytes")
    found = 0
    for document in _documents(path):
        for written in _receipts(document):
            yield _receipt(path, written)
            found += 1
    if not found:
        raise EvidenceWrong(f"{path}: there is no receipt in it")


def _documents(path: Path) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    try:
        text = path.read_text(encoding="utf-8").strip()
        while text:
            document, end = decoder.raw_decode(text)
            yield document
            text = text[end:].lstrip()
    except (ValueError, RecursionError) as error:
        raise EvidenceWrong(f"{path}: no JSON ({error})") from error


def _receipts(document: Any) -> Iterator[dict[str, Any]]:
    """Every object within that has a signature."""
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value))
        elif isinstance(value, dict) and "signature" in value:
            yield value
        elif isinstance(value, dict):
            waiting.extend(reversed(value.values()))


def _receipt(path: Path, written: dict[str, Any]) -> Receipt:
    camel = {_camel(name): value for name, value in written.items()}
    try:
        one = msgspec.convert(camel, _Written, strict=False)
        return Receipt(
            one.operator,
            one.table_id,
            one.round,
            one.version,
            one.record_time_micros,
            bytes.fromhex(one.hash),
            Signature(one.key_id, bytes.fromhex(one.signature)),
        )
    except (msgspec.ValidationError, ValueError) as error:
        raise EvidenceWrong(f"{path}: no whole receipt ({error})") from error


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
