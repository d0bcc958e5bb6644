"""A process that reads the feed as an operator does: it handles a page, then keeps its cursor.

    python -m tests.history.feed_reader DATABASE FOLDER

`handled` in the folder gets a line for each row, `LIFE TABLE VERSION AT`, and `cursor` is what to
go on from. It may be killed at any moment.
"""

import asyncio
import os
import sys
from pathlib import Path

import msgspec

from db.connections import connect
from db.history import PostgresHistory
from service.records.feed import Feed
from service.records.history import RowKey

PAGE = 50
HANDLING_SECONDS = 0.004


async def main() -> None:
    """Read for ever."""
    conninfo, name = sys.argv[1:]
    folder = Path(name)
    kept = folder / "cursor"
    cursor = msgspec.json.decode(kept.read_bytes(), type=RowKey) if kept.exists() else None
    handled = os.open(folder / "handled", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    async with connect(conninfo, size=1) as database:
        feed = Feed(PostgresHistory(database))
        while True:
            page = await feed.page("house", cursor, 0, PAGE)
            for row in page.rows:
                line = f"{os.getpid()} {row.table_id} {row.version} {row.at}\n"
                os.write(handled, line.encode())
                await asyncio.sleep(HANDLING_SECONDS)
            fresh = folder / "cursor.new"
            fresh.write_bytes(msgspec.json.encode(page.cursor))
            fresh.rename(kept)
            cursor = page.cursor
            if len(page.rows) < PAGE:
                await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(main())
