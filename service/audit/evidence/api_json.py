"""JSON as the API gives it: names in camelCase or as in the proto files, 64-bit numbers in quotes.

Files come from people: what is wrong with them is said as `EvidenceWrong`.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from service.audit.evidence.evidence import EvidenceWrong
from service.errors import using

T = TypeVar("T", bound=msgspec.Struct)

LARGEST_FILE = 64 * 1024 * 1024
"""Bytes; such files are read whole."""


def objects_with(path: Path, name: str) -> Iterator[dict[str, Any]]:
    """Every object in a file's documents that has a field of that name, outermost first, in order.

    Looks into no object that it gives.
    """
    for document in _documents(path):
        waiting = [document]
        while waiting:
            value = waiting.pop()
            if isinstance(value, list):
                waiting.extend(reversed(value))
            elif isinstance(value, dict):
                fields = {_camel(key): within for key, within in value.items()}
                if name in fields:
                    yield fields
                else:
                    waiting.extend(reversed(fields.values()))


def record(path: Path, fields: dict[str, Any], kind: type[T], what: str) -> T:
    """A record from an object's fields; `what` names it when it is not whole."""
    try:
        return msgspec.convert(fields, kind, strict=False)
    except msgspec.ValidationError as error:
        raise EvidenceWrong(f"{path}: no whole {what} ({error})") from error


def _documents(path: Path) -> Iterator[Any]:
    with using(path):
        if path.stat().st_size > LARGEST_FILE:
            raise EvidenceWrong(f"{path}: more than {LARGEST_FILE} bytes")
        data = path.read_bytes()
    decoder = json.JSONDecoder()
    try:
        text = data.decode().strip()
        while text:
            document, end = decoder.raw_decode(text)
            yield document
            text = text[end:].lstrip()
    except (ValueError, RecursionError) as error:
        raise EvidenceWrong(f"{path}: no JSON ({error})") from error


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
