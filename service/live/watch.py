"""Watching tables: every later change, once and in order, to whoever asked for it.

A process finds the changes that others made with one batched query for all the tables that it has
watchers for; its own changes it gets at once. Either way watchers get version after version: a step
that is missing is found by the next query. A table that can't be read ends its own watchers'
streams, and nobody else's.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from itertools import groupby

import structlog
from msgspec.structs import replace

from service.journal.ports import Head, JournalRow, Store, StoreUnavailable
from service.live.live_table import LiveTable, table_after
from service.live.lookup import Asker, refuse_stranger
from service.live.read import Reader
from service.live.replay import Replay
from service.live.sight import is_plainly_seen
from service.live.watcher import Watcher
from service.rules.reasons import Reason, Refused
from service.shoes.vault import Vault

_log = structlog.get_logger(__name__)

POLL_SECONDS = 0.11
"""How long the process waits between two looks for the changes of others."""

RECENT = 16
"""Changes of a watched table that are kept for those who resume: when a process dies, everybody who
watched there comes at once, and has missed a few."""

_STOPS = "the server stops"
_BROKEN = "the table can't be read here at present"


class _Watched:
    """A table that is watched: how it stands, as far as its watchers have been told, and how it
    came there lately."""

    __slots__ = ("recent", "table", "watchers")

    def __init__(self, table: LiveTable) -> None:
        self.table = table
        self.recent: deque[LiveTable] = deque(maxlen=RECENT)
        self.watchers: set[Watcher] = set()

    def tell(self, table: LiveTable) -> None:
        """Tell every watcher of the next version; any other version is known, or not due yet."""
        if table.head.version == self.table.head.version + 1:
            self.table = table
            self.recent.append(table)
            for watcher in self.watchers:
                watcher.put(table)

    def since(self, version: int) -> list[LiveTable] | None:
        """The table after each change later than a version; None if that is too long ago."""
        if self.table.head.version - version > len(self.recent):
            return None
        return [one for one in self.recent if one.head.version > version]

    def end(self, why: str) -> None:
        """End every watcher's stream; who watches again may find a process that can go on."""
        for watcher in self.watchers:
            watcher.end(Reason.UNAVAILABLE, why)


class Watch:
    """The watched tables of this process.

    `store` is asked for the changes of others only; the past, which a crowd may want at once, comes
    over connections of its own.
    """

    def __init__(self, store: Store, replay: Replay, vault: Vault, reader: Reader) -> None:
        self._store = store
        self._vault = vault
        self._reader = reader
        self._replay = replay
        self._tables: dict[str, _Watched] = {}
        self._stopped = False

    def publish(self, table: LiveTable) -> None:
        """Tell the watchers of a change that this process has committed."""
        if watched := self._tables.get(table.head.table_id):
            watched.tell(table)

    def stop(self) -> None:
        """End every stream, those that begin later too, because the server stops."""
        self._stopped = True
        for watched in self._tables.values():
            watched.end(_STOPS)

    async def poll_for_ever(self) -> None:
        """Find the changes that other processes made."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                await self.poll()
            except StoreUnavailable as error:
                _log.warning("changes could not be read", error=str(error))

    async def poll(self) -> None:
        """Read the changes of every watched table in one query, and tell their watchers."""
        if not self._tables:
            return
        versions = [
            (table_id, watched.table.head.version) for table_id, watched in self._tables.items()
        ]
        rows = await self._store.changes(versions)
        for table_id, of_table in groupby(rows, lambda row: row.table_id):
            if watched := self._tables.get(table_id):
                try:
                    await self._tell_all(watched, list(of_table))
                except StoreUnavailable:
                    raise
                except Exception as error:  # noqa: BLE001 - logged as an alert
                    _log.error("a watched table can't be read", table=table_id, error=repr(error))
                    watched.end(_BROKEN)
                    self._forget(watched)

    async def _tell_all(self, watched: _Watched, rows: Sequence[JournalRow]) -> None:
        for row in rows:
            if row.version == watched.table.head.version + 1:
                watched.tell(await self._after(watched.table, row))

    async def _after(self, table: LiveTable, row: JournalRow) -> LiveTable:
        """The table after a row that another process appended.

        The seed of a fresh shoe is read even if one is at hand: it may have been drawn here for an
        append that came too late.
        """
        after = table_after(table, row)
        if after.state.shoe.number == table.state.shoe.number:
            return after
        sealed = await self._store.load_shoes(row.table_id, after.state.shoe.number)
        return replace(after, chance=self._vault.chance(row.table_id, after.state.rules, sealed))

    async def changes(
        self, table_id: str, asker: Asker, after_version: int, until: float
    ) -> AsyncGenerator[LiveTable | None, None]:
        """A table after each change later than `after_version`, in order and without a gap.

        It begins with the table as it stands, or, after a version, with a heartbeat, which is None.
        Raises Refused for a version that the table has not reached; and at the event loop's time
        `until` (the caller's token has ended), when the watcher reads too slowly to keep up
        (WATCH_BEHIND), and when the server stops.
        """
        now = await self._standing(table_id, asker, after_version)
        if after_version > now.head.version:
            raise Refused(
                Reason.FIELD_INVALID,
                f"after_version: the table is at version {now.head.version}",
                field="after_version",
            )
        watched = self._tables.setdefault(table_id, _Watched(now))
        watcher = Watcher(until)
        watched.watchers.add(watcher)
        if self._stopped:
            watched.end(_STOPS)
        told = watched.table.head.version
        last = after_version or now.head.version
        missed = watched.since(last)
        try:
            yield None if after_version else now
            if last < told:  # whatever is later than `told` is in the watcher's queue
                async with aclosing(self._missed(now.head, last, missed)) as past:
                    async for table in past:
                        last = table.head.version
                        yield table
            while True:
                change = await watcher.next(last)
                if change is None or change.head.version > last:
                    last = change.head.version if change else last
                    yield change
        finally:
            watched.watchers.discard(watcher)
            if not watched.watchers:
                self._forget(watched)

    async def _missed(
        self, head: Head, version: int, recent: Sequence[LiveTable] | None
    ) -> AsyncGenerator[LiveTable, None]:
        """What came after a version: from memory if it is recent, else from the journal."""
        if recent is None:
            async with aclosing(self._replay.after(head, version)) as past:
                async for table in past:
                    yield table
        else:
            for table in recent:
                yield table

    async def _standing(self, table_id: str, asker: Asker, after_version: int) -> LiveTable:
        """The table as it stands; for one who resumes, as far as its watchers have been told.

        So a crowd that comes at once, because another process died, costs few queries.
        """
        watched = self._tables.get(table_id)
        if watched and 0 < after_version <= watched.table.head.version:
            refuse_stranger(watched.table.head, asker.operator)
            if not is_plainly_seen(watched.table, asker):
                await self._reader.require_sight(table_id, asker)
            return watched.table
        return await self._reader.table(table_id, asker)

    def _forget(self, watched: _Watched) -> None:
        table_id = watched.table.head.table_id
        if self._tables.get(table_id) is watched:
            del self._tables[table_id]
