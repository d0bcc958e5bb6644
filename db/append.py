"""Appending: the only way to change a table.

One statement per table. It first updates the head, if that still has the expected version and the
request is new; everything else is inserted from the row that this update returns. So a conflict or
a repeated request gives an empty result, never an error or half an append. Two appends at the same
time both need the head's row: the second waits, then finds another version.

A late row is refused, too (`LATEST_APPEND`). The clock is read when the row is written and not when
its transaction began. By then every other session can see the transaction; a session that did not
see it looked at an earlier time (`db/history.py` relies on this).

Lists (shoes, seats, summaries, voids) are sent as JSON, which takes a tenth of the time of one
array per column.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
from psycopg import AsyncCursor

from db.columns import HEAD, HEAD_MOVING, JOURNAL, SHOE, SUMMARY, VOID
from db.connections import Connection
from service.journal.ports import LATEST_APPEND, Append, Outcome

# A value that is in both the head and the journal's row is sent once.
HEAD_ONLY = tuple(name for name in HEAD if name not in JOURNAL)
HEAD_VALUES = {name: f"%(head_{name})s" if name in HEAD_ONLY else f"%({name})s" for name in HEAD}

EARLIEST = f"(extract(epoch FROM clock_timestamp()) * 1000000)::bigint - {LATEST_APPEND}"

OPEN_HEAD = f"""
INSERT INTO table_head ({", ".join(HEAD)})
SELECT {", ".join(HEAD_VALUES[name] for name in HEAD)} WHERE %(at)s >= {EARLIEST}
ON CONFLICT (table_id) DO NOTHING RETURNING table_id, operator"""

MOVE_HEAD = f"""
UPDATE table_head SET {", ".join(f"{name} = {HEAD_VALUES[name]}" for name in HEAD_MOVING)}
WHERE table_id = %(table_id)s AND version = %(expected)s AND %(at)s >= {EARLIEST} AND NOT EXISTS (
    SELECT FROM journal
    WHERE table_id = %(table_id)s AND actor = %(actor)s AND request_id = %(request_id)s)
RETURNING table_id, operator"""

JOURNAL_ROW = f"""
INSERT INTO journal ({", ".join(JOURNAL)})
SELECT {", ".join(f"%({name})s" for name in JOURNAL)} FROM head"""

SHOES = f"""
INSERT INTO shoe ({", ".join(SHOE)})
SELECT head.table_id, number, key_id, decode(sealed, 'base64'), commitment, new.version
FROM head, json_to_recordset(%(shoes)s)
    AS new (number integer, key_id text, sealed text, commitment text, version bigint)"""

SEATS_TAKEN = """
INSERT INTO seat (table_id, player, seat)
SELECT head.table_id, player, seat
FROM head, json_to_recordset(%(seats)s) AS new (player text, seat integer)
WHERE seat > 0
ON CONFLICT (table_id, player) DO UPDATE SET seat = excluded.seat"""

SEATS_LEFT = """
DELETE FROM seat USING head, json_to_recordset(%(seats)s) AS gone (player text, seat integer)
WHERE seat.table_id = %(table_id)s AND seat.table_id = head.table_id
  AND seat.player = gone.player AND gone.seat = 0"""

SUMMARIES = f"""
INSERT INTO round_summary ({", ".join(SUMMARY)}, operator)
SELECT head.table_id, {", ".join(f"new.{name}" for name in SUMMARY[1:])}, head.operator
FROM head, json_to_recordset(%(summaries)s) AS new (
    round integer, seat integer, player text, staked bigint, returned bigint, net bigint,
    stack bigint, version bigint, at bigint)"""

VOIDS = f"""
INSERT INTO round_void ({", ".join(VOID)})
SELECT head.table_id, {", ".join(f"new.{name}" for name in VOID[1:])}
FROM head, json_to_recordset(%(voids)s) AS new (
    round integer, reason text, version bigint, at bigint)"""


async def append_all(connection: Connection, appends: Sequence[Append]) -> Sequence[Outcome]:
    """Append to many tables, at most once to each; the outcomes are in the same order.

    Several appends share one transaction, in the order of their table ids: two transactions that
    lock the same rows in different orders would deadlock.
    """
    if len(appends) == 1:
        return [await _outcome(await _send(connection, appends[0]))]
    order = sorted(range(len(appends)), key=lambda place: appends[place].head.table_id)
    outcomes = [Outcome.CONFLICT] * len(appends)
    # A pipeline is one transaction: it needs no BEGIN and no COMMIT.
    async with connection.pipeline():
        cursors = [(place, await _send(connection, appends[place])) for place in order]
    for place, cursor in cursors:
        outcomes[place] = await _outcome(cursor)
    return outcomes


async def _send(connection: Connection, append: Append) -> AsyncCursor[tuple[Any, ...]]:
    query = statement(
        opens=append.expected == 0,
        shoes=bool(append.shoes),
        seats=bool(append.seats),
        summaries=bool(append.summaries),
        voids=bool(append.voids),
    )
    return await connection.execute(query, _parameters(append))


async def _outcome(cursor: AsyncCursor[tuple[Any, ...]]) -> Outcome:
    match await cursor.fetchone():
        case None:
            return Outcome.CONFLICT
        case (appended,):
            return Outcome.APPENDED if appended else Outcome.LATE
    raise AssertionError("the statement has one column")


@cache
def statement(
    *, opens: bool, shoes: bool, seats: bool, summaries: bool, voids: bool = False
) -> bytes:
    """The statement with only the parts that an append has: most have only a head and a row."""
    parts = [f"head AS ({OPEN_HEAD if opens else MOVE_HEAD})", f"row AS ({JOURNAL_ROW})"]
    if shoes:
        parts.append(f"shoes AS ({SHOES})")
    if seats:
        parts += [f"seats_taken AS ({SEATS_TAKEN})", f"seats_left AS ({SEATS_LEFT})"]
    if summaries:
        parts.append(f"summaries AS ({SUMMARIES})")
    if voids:
        parts.append(f"voids AS ({VOIDS})")
    # The head comes first: a row that was on time is reported as written, however long that took.
    outcome = f"SELECT true FROM head UNION ALL SELECT false WHERE %(at)s < {EARLIEST}"
    return f"WITH {', '.join(parts)} {outcome}".encode()


def _parameters(append: Append) -> dict[str, object]:
    values: dict[str, object] = msgspec.structs.asdict(append.row)
    values["request_id"] = append.row.request_id or None
    values["expected"] = append.expected
    for name in HEAD_ONLY:
        values[f"head_{name}"] = getattr(append.head, name)
    values["shoes"] = _json(append.shoes)
    values["seats"] = _json(append.seats)
    values["summaries"] = _json(append.summaries)
    values["voids"] = _json(append.voids)
    return values


def _json(records: Sequence[msgspec.Struct]) -> str:
    return msgspec.json.encode(records).decode() if records else ""
