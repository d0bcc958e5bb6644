"""Proofs of cards, as the API gives them while a shoe is in use: the path of each card to the root.

They show, without a sealing key, that a card that was turned up was at its position from the start.
A proof alone is not evidence: it is compared with the root in the journal.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from service.audit.evidence.api_json import objects_with, record
from service.audit.evidence.evidence import EvidenceWrong

Paths = Mapping[int, tuple[bytes, ...]]
"""The paths of a shoe's cards, by position."""

ShoeProofs = Mapping[int, Paths]
"""The paths of a table's shoes, by number of the shoe."""


class _Card(msgspec.Struct):
    path: list[str]
    position: int = 0


class _Shoe(msgspec.Struct, rename="camel"):
    table_id: str
    number: int
    cards: list[_Card] = []


def read_proofs(files: Iterable[Path]) -> dict[str, ShoeProofs]:
    """The proofs in these files, by table. A file has JSON with shoes anywhere in it, such as the
    answers of `GetShoe`; EvidenceWrong for a file that has none."""
    tables: dict[str, dict[int, dict[int, tuple[bytes, ...]]]] = {}
    for file in files:
        shoes = [record(file, one, _Shoe, "shoe") for one in objects_with(file, "openVersion")]
        if not shoes:
            raise EvidenceWrong(f"{file}: it has no shoe with proofs")
        for shoe in shoes:
            paths = tables.setdefault(shoe.table_id, {}).setdefault(shoe.number, {})
            paths |= {card.position: _path(file, card) for card in shoe.cards}
    return dict(tables)


def _path(file: Path, card: _Card) -> tuple[bytes, ...]:
    try:
        return tuple(map(bytes.fromhex, card.path))
    except ValueError as error:
        raise EvidenceWrong(f"{file}: the path of position {card.position}: {error}") from error
