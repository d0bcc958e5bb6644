"""Proofs of cards, as the API gives them while a shoe is in use: each card's path to the root.

Who has no sealing key can check with them that a card which was turned up lay at its place from the
start. A proof is no evidence by itself: it is held against the root in the journal.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

Paths = Mapping[int, tuple[bytes, ...]]
"""The paths of a shoe's cards, by place."""

ShoeProofs = Mapping[int, Paths]
"""Those of a table's shoes, by number."""


class ProofsUnreadable(ValueError):
    """A file holds no proofs of a shoe; the message says which and why."""


class _Card(msgspec.Struct):
    position: int
    path: list[str]


class _Shoe(msgspec.Struct):
    table_id: str
    number: int
    cards: list[_Card] = []


def read_proofs(files: Iterable[Path]) -> dict[str, ShoeProofs]:
    """The proofs in these files, by table: JSON of GetShoe's answers, one a file; ProofsUnreadable
    for anything else."""
    tables: dict[str, dict[int, dict[int, tuple[bytes, ...]]]] = {}
    for file in files:
        try:
            shoe = _shoe(msgspec.json.decode(file.read_bytes()))
            paths = {card.position: tuple(map(bytes.fromhex, card.path)) for card in shoe.cards}
        except ValueError as error:
            raise ProofsUnreadable(f"{file} holds no proofs of a shoe: {error}") from error
        tables.setdefault(shoe.table_id, {}).setdefault(shoe.number, {}).update(paths)
    return dict(tables)


def _shoe(document: Any) -> _Shoe:
    if isinstance(document, dict) and "shoe" in document:
        document = document["shoe"]
    if isinstance(document, dict):
        document = {_snake(name): value for name, value in document.items()}
    return msgspec.convert(document, _Shoe, strict=False)


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
