"""Appending: the one way in which a table changes.

One statement a table. The head moves first, if it still has the version that was expected and the
request is new, and everything else is inserted from the row that this returns; so a conflict or a
repeated request is an empty result, never an error, and never half an append. Two that come at once
meet at the head's row: the second waits, then finds another version.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
from psycopg import AsyncCursor

from db.columns import HEAD, HEAD_MOVING, JOURNAL, SHOE, SUMMARY
from db.connections import Connection
from service.app.ports import Append, Outcome

OPEN_HEAD = f"""
INSERT INTO table_head ({", ".join(HEAD)})
VALUES ({", ".join(f"%(head_{name})s" for name in HEAD)})
ON CONFLICT (table_id) DO NOTHING RETURNING table_id, operator"""

MOVE_HEAD = f"""
UPDATE table_head SET {", ".join(f"{name} = %(head_{name})s" for name in HEAD_MOVING)}
WHERE table_id = %(table_id)s AND version = %(expected)s AND NOT EXISTS (
    SELECT FROM journal
    WHERE table_id = %(table_id)s AND actor = %(actor)s AND request_id = %(request_id)s)
RETURNING table_id, operator"""

JOURNAL_ROW = f"""
INSERT INTO journal ({", ".join(JOURNAL)})
SELECT {", ".join(f"%({name})s" for name in JOURNAL)} FROM head"""

SHOES = f"""
INSERT INTO shoe ({", ".join(SHOE)})
SELECT head.table_id, new.* FROM head, unnest(
    %(shoe_number)s::bigint[], %(shoe_key_id)s::text[], %(shoe_sealed)s::bytea[],
    %(shoe_commitment)s::text[]) AS new"""

SEATS_TAKEN = """
INSERT INTO seat (table_id, player, seat)
SELECT head.table_id, new.* FROM head, unnest(
    %(taken_player)s::text[], %(taken_seat)s::bigint[]) AS new
ON CONFLICT (table_id, player) DO UPDATE SET seat = excluded.seat"""

SEATS_LEFT = """
DELETE FROM seat USING head
WHERE seat.table_id = %(table_id)s AND seat.table_id = head.table_id
  AND seat.player = ANY(%(left_player)s::text[])"""

SUMMARIES = f"""
INSERT INTO round_summary ({", ".join(SUMMARY)}, operator)
SELECT head.table_id, new.*, head.operator FROM head, unnest(
    %(sum_round)s::bigint[], %(sum_seat)s::bigint[], %(sum_player)s::text[],
    %(sum_staked)s::bigint[], %(sum_returned)s::bigint[], %(sum_net)s::bigint[],
    %(sum_stack)s::bigint[], %(sum_version)s::bigint[], %(sum_at)s::bigint[]) AS new"""


async def append_all(connection: Connection, appends: Sequence[Append]) -> Sequence[Outcome]:
    """Append to many tables, at most once to each, and return the outcomes in the same order.

    Several go in one transaction, sent at once, in the order of their tables: two transactions that
    take the same rows in different orders would wait for each other for ever.
    """
    if len(appends) == 1:
        return [await _outcome(await _send(connection, appends[0]))]
    order = sorted(range(len(appends)), key=lambda place: appends[place].head.table_id)
    outcomes = [Outcome.CONFLICT] * len(appends)
    async with connection.pipeline():
        async with connection.transaction():
            cursors = [(place, await _send(connection, appends[place])) for place in order]
        for place, cursor in cursors:
            outcomes[place] = await _outcome(cursor)
    return outcomes


async def _send(connection: Connection, append: Append) -> AsyncCursor[tuple[Any, ...]]:
    query = _statement(
        append.expected == 0,
        bool(append.shoes),
        any(seat.seat for seat in append.seats),
        any(not seat.seat for seat in append.seats),
        bool(append.summaries),
    )
    return await connection.execute(query, _parameters(append))


async def _outcome(cursor: AsyncCursor[tuple[Any, ...]]) -> Outcome:
    return Outcome.APPENDED if await cursor.fetchone() else Outcome.CONFLICT


@cache
def _statement(opens: bool, shoes: bool, taken: bool, left: bool, summaries: bool) -> bytes:
    """The statement with no more parts than the append has: most are a head and a row."""
    parts = [f"head AS ({OPEN_HEAD if opens else MOVE_HEAD})", f"row AS ({JOURNAL_ROW})"]
    if shoes:
        parts.append(f"shoes AS ({SHOES})")
    if taken:
        parts.append(f"seats_taken AS ({SEATS_TAKEN})")
    if left:
        parts.append(f"seats_left AS ({SEATS_LEFT})")
    if summaries:
        parts.append(f"summaries AS ({SUMMARIES})")
    return f"WITH {', '.join(parts)} SELECT table_id FROM head".encode()


def _parameters(append: Append) -> dict[str, object]:
    values: dict[str, object] = msgspec.structs.asdict(append.row)
    values["request_id"] = append.row.request_id or None
    values["expected"] = append.expected
    for name in HEAD:
        values[f"head_{name}"] = getattr(append.head, name)
    if append.shoes:
        for name in SHOE[1:]:
            values[f"shoe_{name}"] = [getattr(shoe, name) for shoe in append.shoes]
    if append.seats:
        values["taken_player"] = [seat.player for seat in append.seats if seat.seat]
        values["taken_seat"] = [seat.seat for seat in append.seats if seat.seat]
        values["left_player"] = [seat.player for seat in append.seats if not seat.seat]
    if append.summaries:
        for name in SUMMARY[1:]:
            values[f"sum_{name}"] = [getattr(summary, name) for summary in append.summaries]
    return values
