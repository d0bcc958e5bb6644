"""The receipts in a file: one or several documents of JSON from the API, with receipts anywhere.

Players keep different things: a receipt, a whole reply, or the output of a watch.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from service.audit.evidence.api_json import objects_with, record
from service.audit.evidence.evidence import EvidenceWrong
from service.keys.signing import Signature
from service.records.receipt import Receipt


class _Written(msgspec.Struct, rename="camel"):
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
    found = 0
    for fields in objects_with(path, "signature"):
        yield _receipt(path, record(path, fields, _Written, "receipt"))
        found += 1
    if not found:
        raise EvidenceWrong(f"{path}: it has no receipt")


def _receipt(path: Path, one: _Written) -> Receipt:
    try:
        return Receipt(
            one.operator,
            one.table_id,
            one.round,
            one.version,
            one.record_time_micros,
            bytes.fromhex(one.hash),
            Signature(one.key_id, bytes.fromhex(one.signature)),
        )
    except ValueError as error:
        raise EvidenceWrong(f"{path}: incomplete receipt ({error})") from error
