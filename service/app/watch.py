"""Watching tables: every later change, once and in order, to whoever asked for it.

A process finds the changes that others made with one batched query for all the tables that it has
watchers for; its own it hears of at once. Each watcher has a short queue of tables as they became,
and renders them himself, so that one who reads slowly costs little and holds up nobody: when his
queue is full he is told to resume from the last version that he got.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence

import structlog
from msgspec.structs import replace

from service.app.codec import events_of, rule_set_of
from service.app.engine import Engine, Shoes, engine_after
from service.app.ports import Catalog, JournalRow, Store, StoreUnavailable
from service.app.read import Reader
from service.rules.reasons import Reason, Refused
from service.table.events import RoundOpened, TableOpened
from service.table.evolve import fold
from service.table.state import State, initial_state

_log = structlog.get_logger(__name__)

POLL_SECONDS = 0.1
HEARTBEAT_SECONDS = 15.0
QUEUE = 32
"""Changes that a watcher may be behind before he is told to resume."""
PAGE = 200


class _Watcher:
    """One watcher's queue; `behind` is set once it has overflowed."""

    __slots__ = ("behind", "queue")

    def __init__(self) -> None:
        self.queue: asyncio.Queue[Engine | None] = asyncio.Queue(QUEUE + 1)
        self.behind = False

    def put(self, engine: Engine) -> None:
        if self.queue.qsize() < QUEUE:
            self.queue.put_nowait(engine)
        else:
            self.behind = True

    def stop(self) -> None:
        """Wake the watcher: there will be no more changes."""
        if not self.queue.full():
            self.queue.put_nowait(None)


class _Watched:
    """A table that is watched: how it stands, as far as its watchers have been told."""

    __slots__ = ("engine", "watchers")

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.watchers: set[_Watcher] = set()


class Watch:
    """The watched tables of this process."""

    def __init__(self, store: Store, catalog: Catalog, shoes: Shoes, reader: Reader) -> None:
        self._store = store
        self._catalog = catalog
        self._shoes = shoes
        self._reader = reader
        self._tables: dict[str, _Watched] = {}
        self._stopped = False

    def publish(self, engine: Engine) -> None:
        """Tell the watchers of a change that this process has committed."""
        watched = self._tables.get(engine.head.table_id)
        if watched and engine.head.version == watched.engine.head.version + 1:
            _tell(watched, engine)

    def stop(self) -> None:
        """End every stream, because the server stops."""
        self._stopped = True
        for watched in self._tables.values():
            for watcher in watched.watchers:
                watcher.stop()

    async def poll_for_ever(self) -> None:
        """Find the changes that other processes made."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            if not self._tables:
                continue
            try:
                await self.poll()
            except StoreUnavailable as error:
                _log.warning("changes could not be read", error=str(error))

    async def poll(self) -> None:
        """Read the changes of every watched table in one query, and tell their watchers."""
        versions = [
            (table_id, watched.engine.head.version) for table_id, watched in self._tables.items()
        ]
        for row in await self._store.changes(versions):
            watched = self._tables.get(row.table_id)
            if watched and row.version == watched.engine.head.version + 1:
                _tell(watched, await self._after(watched.engine, row))

    async def _after(self, engine: Engine, row: JournalRow) -> Engine:
        """The table after a row that another process appended."""
        after = engine_after(engine, row)
        if after.state.shoe.number == engine.state.shoe.number:
            return after
        sealed = await self._store.load_shoes(row.table_id, after.state.shoe.number)
        return replace(after, chance=self._shoes.chance(row.table_id, after.state.rules, sealed))

    async def changes(
        self, table_id: str, operator: str, after_version: int, until: float
    ) -> AsyncIterator[Engine | None]:
        """A table after each change later than `after_version`, in order and without a gap.

        It begins with the table as it stands, or, after a version, with a heartbeat, which is None.
        Raises Refused at the event loop's time `until` (the caller's token has ended), when the
        watcher reads too slowly to keep up (WATCH_BEHIND), and when the server stops.
        """
        now = await self._reader.table(table_id, operator)
        watched = self._tables.setdefault(table_id, _Watched(now))
        watcher = _Watcher()
        watched.watchers.add(watcher)
        try:
            last = after_version
            if after_version:
                yield None
            else:
                last = now.head.version
                yield now
            async for engine in self._history(table_id, operator, last):
                last = engine.head.version
                yield engine
            while True:
                change = await self._next(watcher, last, until)
                if change is None:
                    yield None
                elif change.head.version > last:
                    last = change.head.version
                    yield change
        finally:
            watched.watchers.discard(watcher)
            if not watched.watchers and self._tables.get(table_id) is watched:
                del self._tables[table_id]

    async def _next(self, watcher: _Watcher, last: int, until: float) -> Engine | None:
        """The next change in a watcher's queue; None after a while without one."""
        left = until - asyncio.get_running_loop().time()
        if left <= 0:
            raise Refused(Reason.UNAUTHENTICATED, "this token has ended; ask for a new one")
        if watcher.behind and watcher.queue.empty():
            raise Refused(
                Reason.WATCH_BEHIND,
                f"changes came faster than they were read; watch again after version {last}",
                after_version=last,
            )
        try:
            async with asyncio.timeout(min(HEARTBEAT_SECONDS, left)):
                change = await watcher.queue.get()
        except TimeoutError:
            return None
        if change is None or self._stopped:
            raise Refused(
                Reason.UNAVAILABLE,
                f"the server stops; watch again after version {last}",
                after_version=last,
            )
        return change

    async def _history(
        self, table_id: str, operator: str, after_version: int
    ) -> AsyncIterator[Engine]:
        """The table after each row that is stored already, from a version on."""
        head = await self._reader.head(table_id, operator)
        rows = await self._catalog.journal(table_id, 0, after_version, PAGE)
        if not rows:
            return
        rules = rule_set_of(head.rule_set)
        chance = self._shoes.chance(table_id, rules, await self._store.load_shoes(table_id, 1))
        before = await self._state_before(table_id, initial_state(rules), rows)
        engine = Engine(head, before, chance, ())
        while rows:
            for row in rows:
                engine = engine_after(engine, row)
                yield engine
            rows = await self._catalog.journal(table_id, 0, engine.head.version, PAGE)

    async def _state_before(self, table_id: str, blank: State, rows: Sequence[JournalRow]) -> State:
        first = rows[0]
        if isinstance(events_of(first.events)[0], TableOpened | RoundOpened):
            return blank
        state = blank
        for row in await self._store.load_round(table_id, first.round, first.version - 1):
            state = fold(state, events_of(row.events))
        return state


def _tell(watched: _Watched, engine: Engine) -> None:
    watched.engine = engine
    for watcher in watched.watchers:
        watcher.put(engine)
