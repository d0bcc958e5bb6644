"""Loading a table: one statement, so that all parts come from one snapshot.

The parts are different records, so the result is a union of rows that have the columns of all
parts; each row has one part filled in and the others NULL.
"""

from db.columns import HEAD, JOURNAL, READ_HEAD, READ_JOURNAL, READ_SHOE, SHOE
from db.connections import Connection
from service.journal.ports import Head, JournalRow, Loaded, SealedShoe

NO_HEAD = ", ".join(f"(NULL::table_head).{name}" for name in HEAD)
NO_SHOE = ", ".join(f"(NULL::shoe).{name}" for name in SHOE)
NO_ROW = ", ".join(f"(NULL::journal).{name}" for name in JOURNAL)

LOAD = f"""
WITH head AS MATERIALIZED (SELECT {READ_HEAD} FROM table_head WHERE table_id = %(table_id)s)
SELECT 'head' AS part, {READ_HEAD}, {NO_SHOE}, {NO_ROW} FROM head
UNION ALL
SELECT 'shoe', {NO_HEAD}, {READ_SHOE}, {NO_ROW} FROM shoe
WHERE table_id = %(table_id)s AND number >= (SELECT shoe FROM head)
UNION ALL
SELECT 'row', {NO_HEAD}, {NO_SHOE}, {READ_JOURNAL} FROM journal
WHERE table_id = %(table_id)s AND version >= (SELECT round_version FROM head)
UNION ALL
SELECT 'request', {NO_HEAD}, {NO_SHOE}, {READ_JOURNAL} FROM journal
WHERE table_id = %(table_id)s AND actor = %(actor)s AND request_id = %(request_id)s
""".encode()

SHOE_AT = 1 + len(HEAD)
ROW_AT = SHOE_AT + len(SHOE)


async def load(connection: Connection, table_id: str, actor: str, request_id: str) -> Loaded | None:
    """A table in one snapshot; None if there is no such table."""
    cursor = connection.cursor(binary=True)
    asked = {"table_id": table_id, "actor": actor, "request_id": request_id}
    await cursor.execute(LOAD, asked)
    head: Head | None = None
    shoes: list[SealedShoe] = []
    rows: list[JournalRow] = []
    request: JournalRow | None = None
    async for part in cursor:
        match part[0]:
            case "head":
                head = Head(*part[1:SHOE_AT])
            case "shoe":
                shoes.append(SealedShoe(*part[SHOE_AT:ROW_AT]))
            case "row":
                rows.append(JournalRow(*part[ROW_AT:]))
            case _:
                request = JournalRow(*part[ROW_AT:])
    if head is None:
        return None
    shoes.sort(key=lambda shoe: shoe.number)
    rows.sort(key=lambda row: row.version)
    return Loaded(head, tuple(shoes), tuple(rows), request)
