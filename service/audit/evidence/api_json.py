"""JSON as the API gives it: names in camelCase or as in the proto files, 64-bit numbers in quotes.

The files come from users, so what is wrong with them is raised as `EvidenceWrong`.
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
"""The largest file, in bytes; files are read as a whole."""


def objects_with(path: Path, name: str) -> Iterator[dict[str, Any]]:
    """Every object in a file's documents that has a field of that name, outermost first, in order.

    Objects inside a returned object are not searched.
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
    """A record from an object's fields; `what` names it in the error if it is incomplete."""
    try:
        return msgspec.convert(fields, kind, strict=False)
    except msgspec.ValidationError as error:
        raise EvidenceWrong(f"{path}: incomplete {what} ({error})") from error


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
        raise EvidenceWrong(f"{path}: not JSON ({error})") from error


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
