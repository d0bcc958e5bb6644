"""Appends for the stores' tests: short to write, and each field with a value of its own."""

import hashlib
from collections.abc import Sequence

from service.journal.ports import Append, Head, JournalRow, SealedShoe, SeatRow, SummaryRow, VoidRow

FUTURE = 4_000_000_000_000_000
"""Microseconds since 1970: a time that no append is late for."""


def step(
    table_id: str,
    version: int,
    *,
    round: int = 1,
    round_version: int = 1,
    actor: str = "ann",
    request_id: str = "",
    operator: str = "house",
    owner: str = "ann",
    phase: str = "turns",
    opened_at: int = 1_000,
    shoe: int = 1,
    command: str = '{"type":"Hit"}',
    events: str = '[{"type":"CardDealt","card":"AS"},{"type":"CardDealt","card":"TD"}]',
    shoes: Sequence[SealedShoe] = (),
    seats: Sequence[SeatRow] = (),
    summaries: Sequence[SummaryRow] = (),
    voids: Sequence[VoidRow] = (),
) -> Append:
    """The step that makes `version` of a table; version 1 opens it."""
    at = FUTURE + version
    digest = hashlib.sha256(f"{table_id} {version} {actor} {request_id}".encode()).digest()
    row = JournalRow(
        table_id, version, round, actor, request_id, command, events, at, engine=1, hash=digest
    )
    head = Head(
        table_id=table_id,
        operator=operator,
        owner=owner,
        rule_set_id="single",
        rule_set='{"decks":6}',
        opened_at=opened_at,
        version=version,
        hash=digest,
        phase=phase,
        round=round,
        round_version=round_version,
        shoe=shoe,
        deadline=at + 30_000_000,
        at=at,
    )
    derived = tuple(shoes), tuple(seats), tuple(summaries), tuple(voids)
    return Append(version - 1, row, head, *derived)


def sealed(table_id: str, number: int) -> SealedShoe:
    return SealedShoe(table_id, number, "key-1", bytes([0, 255, number]), f"commitment {number}", 7)


def settled(
    table_id: str, round: int, seat: int = 1, *, player: str = "ann", at: int = 0, version: int = 9
) -> SummaryRow:
    return SummaryRow(
        table_id,
        round,
        seat,
        player,
        staked=100,
        returned=250,
        net=150,
        stack=1_150 + round,
        version=version,
        at=at or 1_000_000 + round,
    )
