"""The one write path: load, decide, append, until the command is in or refused.

In this order: look the request id up; apply a deadline that has passed, in a row of its own; check
the decision token and decide; append where the head's version is still the expected one. Who loses
the race loads again and decides again, with jitter, until the call's time is over. The reply comes
after the commit.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from service.journal.codec import rule_set_of, to_text
from service.journal.ports import (
    TABLE_ACTOR,
    Append,
    Clock,
    Head,
    JournalRow,
    Loaded,
    Outcome,
    Store,
)
from service.journal.table_ids import derived_table_id
from service.live.kept_tables import KeptTables
from service.live.live_table import LiveTable, advance, table_at, table_of
from service.live.lookup import no_such_table, refuse_stranger
from service.rules.reasons import Reason, Refused
from service.shoes.vault import Vault
from service.table.commands import CloseIdle, Command, OpenTable, TimeOut
from service.table.state import initial_state

FIRST_PAUSE = 0.002
LONGEST_PAUSE = 0.1
"""How long a command that lost the race waits before it decides again, in seconds, at random."""
OPENINGS = 3
"""How often the opening of a table is decided, if its append comes too late each time."""


class Answer(msgspec.Struct, frozen=True):
    """The table as of the command's version; `replayed` if the command had been accepted before."""

    table: LiveTable
    replayed: bool


class Handler:
    """Carries out commands. `append` may carry the steps of many tables in one transaction; after a
    LATE one the clock has been put right."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        shoes: Vault,
        kept: KeptTables,
        append: Callable[[Append], Awaitable[Outcome]],
    ) -> None:
        self._store = store
        self._clock = clock
        self._shoes = shoes
        self._kept = kept
        self._append = append
        self._listeners: list[Callable[[LiveTable], None]] = []

    async def open_table(
        self, operator: str, actor: str, request_id: str, command: OpenTable
    ) -> Answer:
        """Open a table, or answer with the one that this request has opened before."""
        table_id = derived_table_id(operator, actor, request_id)
        head = Head(
            table_id=table_id,
            operator=operator,
            owner=command.player,
            rule_set_id=command.rule_set_id,
            rule_set=to_text(command.rule_set),
            opened_at=0,
            version=0,
            hash=b"",
            phase="",
            round=0,
            round_version=0,
            shoe=0,
            deadline=0,
            at=0,
            private=command.private,
        )
        for _ in range(OPENINGS):
            chance = self._shoes.chance(table_id, command.rule_set, ())
            blank = LiveTable(head, initial_state(command.rule_set), chance, ())
            now = self._clock.now()
            append, opened = advance(blank, command, actor, request_id, now, self._shoes)
            outcome = await self._append(append)
            if outcome is Outcome.APPENDED:
                self._kept.put(opened)
                return Answer(opened, replayed=False)
            if outcome is Outcome.CONFLICT:
                break
        loaded = await self._store.load(table_id, actor, request_id)
        if loaded is None or loaded.request is None:
            raise Refused(Reason.CONTENTION, "the table could not be opened; send it again")
        return await self._replayed(loaded, loaded.request, command)

    async def execute(
        self,
        table_id: str,
        operator: str,
        actor: str,
        request_id: str,
        command: Command,
        until: float,
        allowed: Callable[[Head], None] | None = None,
    ) -> Answer:
        """Carry out a command on a table of this operator; or `Refused`.

        `until` is the event loop's time at which to give up, `allowed` refuses by raising. A table
        of another operator does not exist here.
        """
        async with self._kept.turn(table_id):
            return await self._execute(
                table_id, operator, actor, request_id, command, until, allowed
            )

    async def _execute(
        self,
        table_id: str,
        operator: str,
        actor: str,
        request_id: str,
        command: Command,
        until: float,
        allowed: Callable[[Head], None] | None,
    ) -> Answer:
        table = self._kept.take(table_id)
        fresh = False
        pause = FIRST_PAUSE
        while True:
            if table is None:
                loaded = await self._store.load(table_id, actor, request_id)
                if loaded is None:
                    raise no_such_table(table_id)
                refuse_stranger(loaded.head, operator)
                if loaded.request:
                    self._kept.put(table_of(loaded, self._shoes))
                    return await self._replayed(loaded, loaded.request, command)
                table = table_of(loaded, self._shoes)
                fresh = True
            try:
                refuse_stranger(table.head, operator)
                if allowed:
                    allowed(table.head)
                now = self._clock.now()
                due = 0 < table.state.deadline <= max(now, table.head.at)
                if due and not fresh:  # the request may have been accepted: that is looked up first
                    table = None
                    continue
                append, after = (
                    advance(table, TimeOut(), TABLE_ACTOR, "", now, self._shoes)
                    if due
                    else advance(table, command, actor, request_id, now, self._shoes)
                )
            except Refused:
                if fresh and table:
                    self._kept.put(table)
                    raise
                table = None
                continue
            if await self._append(append) is Outcome.APPENDED:
                self._tell(after)
                if not due:
                    self._kept.put(after)
                    return Answer(after, replayed=False)
                table = after
                continue
            table = None
            if asyncio.get_running_loop().time() + pause > until:
                raise Refused(
                    Reason.CONTENTION, "other commands kept getting in first; send it again"
                )
            await asyncio.sleep(random.uniform(0, pause))  # noqa: S311 - jitter, no secret
            pause = min(2 * pause, LONGEST_PAUSE)

    def on_commit(self, listener: Callable[[LiveTable], None]) -> None:
        """Tell a listener of every change that this process commits."""
        self._listeners.append(listener)

    def _tell(self, table: LiveTable) -> None:
        for listener in self._listeners:
            listener(table)

    async def apply_deadline(self, table_id: str) -> None:
        """Answer the open questions of a table whose deadline has passed; else nothing."""

        def due(table: LiveTable) -> bool:
            return 0 < table.state.deadline <= max(self._clock.now(), table.head.at)

        await self._by_the_table(table_id, TimeOut(), due)

    async def close_idle(self, table_id: str, before: int, seconds: int) -> None:
        """Close a table that nothing has happened at since `before`; else nothing."""
        await self._by_the_table(table_id, CloseIdle(seconds), lambda table: table.head.at < before)

    async def _by_the_table(
        self, table_id: str, command: Command, wanted: Callable[[LiveTable], bool]
    ) -> None:
        """Carry out a command of the table's own, as long as it is wanted."""
        async with self._kept.turn(table_id):
            table = self._kept.take(table_id)
            if table and not wanted(table):
                table = None  # what is kept is a guess
            while True:
                if table is None:
                    loaded = await self._store.load(table_id)
                    if loaded is None:
                        raise no_such_table(table_id)
                    table = table_of(loaded, self._shoes)
                if not wanted(table):
                    return
                append, after = advance(
                    table, command, TABLE_ACTOR, "", self._clock.now(), self._shoes
                )
                if await self._append(append) is Outcome.APPENDED:
                    self._kept.put(after)
                    self._tell(after)
                    return
                table = None

    async def _replayed(self, loaded: Loaded, row: JournalRow, command: Command) -> Answer:
        """The answer to a request that was accepted before, as of its own version."""
        if row.command != to_text(command):
            raise Refused(
                Reason.REQUEST_ID_REUSED,
                "this request_id was used before, for another command",
                version=row.version,
            )
        return Answer(await self.as_of(loaded.head, row, loaded.rows), replayed=True)

    async def as_of(
        self, head: Head, row: JournalRow, rows: Sequence[JournalRow] = ()
    ) -> LiveTable:
        """The table as it was after a row; `rows` are those of the current round, if at hand."""
        table_id = head.table_id
        if row.round != head.round or not rows:
            rows = await self._store.load_round(table_id, row.round, row.version)
        until_row = [one for one in rows if one.version <= row.version]
        sealed = await self._store.load_shoes(table_id, 1)
        chance = self._shoes.chance(table_id, rule_set_of(head.rule_set), sealed)
        now = table_at(head, until_row, chance)
        as_of = msgspec.structs.replace(
            head,
            version=row.version,
            hash=row.hash,
            phase=now.state.phase.value,
            round=row.round,
            deadline=now.state.deadline,
            at=row.at,
        )
        return msgspec.structs.replace(now, head=as_of)
