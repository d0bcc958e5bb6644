"""A recording: one table's journal, column by column, and what it came to. A file has one JSON
object a line: the table, then each row, and after a row that settles, voids or ends something the
state and the payouts."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from service.journal.ports import JournalRow, SummaryRow, VoidRow
from service.table.state import State

FOLDER = Path(__file__).parent / "recordings"
MANIFEST = FOLDER / "manifest.json"
"""The SHA-256 of every recording, by the name of its file."""

Json = dict[str, Any]


class Opened(msgspec.Struct, frozen=True, tag="table"):
    """What stands beside the journal: whose the table is, its rules, and the seeds of its shoes,
    in the order of their numbers."""

    table_id: str
    operator: str
    owner: str
    rule_set_id: str
    rule_set: str
    private: bool
    seeds: tuple[bytes, ...]


class Row(msgspec.Struct, frozen=True, tag="row"):
    """A row of the journal."""

    row: JournalRow


class CameTo(msgspec.Struct, frozen=True, tag="came_to"):
    """What a table had come to after that row."""

    version: int
    state: Json
    payouts: tuple[SummaryRow, ...]
    voids: tuple[VoidRow, ...]


class Recording(msgspec.Struct, frozen=True):
    """A file as it was read. `came_to` is by version."""

    opened: Opened
    rows: tuple[JournalRow, ...]
    came_to: Mapping[int, CameTo]


_line = msgspec.json.Decoder(Opened | Row | CameTo)


def state_text(state: State) -> Json:
    """A state as plain JSON, without the rules, which are the table's."""
    plain: Json = msgspec.json.decode(msgspec.json.encode(state))
    del plain["rules"]
    return plain


def read(path: Path) -> Recording:
    """The recording in a file."""
    opened, *lines = [_line.decode(line) for line in path.read_bytes().splitlines()]
    assert isinstance(opened, Opened)
    return Recording(
        opened,
        tuple(line.row for line in lines if isinstance(line, Row)),
        {line.version: line for line in lines if isinstance(line, CameTo)},
    )


def written(recording: Recording) -> Iterator[bytes]:
    """The lines of a recording."""
    yield msgspec.json.encode(recording.opened) + b"\n"
    for row in recording.rows:
        yield msgspec.json.encode(Row(row)) + b"\n"
        if row.version in recording.came_to:
            yield msgspec.json.encode(recording.came_to[row.version]) + b"\n"


def files() -> list[Path]:
    """Every recording that there is."""
    return sorted(FOLDER.glob("*.jsonl"))


def manifest() -> dict[str, str]:
    """What the recordings must hash to."""
    return msgspec.json.decode(MANIFEST.read_bytes(), type=dict[str, str])
