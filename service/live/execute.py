"""The one write path: load, decide, append, until the command is in or refused.

In this order: look the request id up; give back time in which nobody could answer, then apply a
deadline that has passed, each in a row of its own; check the decision token and decide; append
where the head's version is still the expected one. Who loses the race loads again and decides
again, with jitter, until the time is over. The reply comes after the commit.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.journal.ports import Append, Clock, Head, JournalRow, Loaded, Outcome, Store
from service.journal.serving_time import Interruption
from service.journal.table_ids import derived_table_id
from service.journal.text import to_text
from service.keys.table_keys import TableKeys
from service.live.jobs import OwnCommand, Request, Step, is_due
from service.live.kept_tables import KeptTables
from service.live.live_table import LiveTable, advance, blank_table, table_of
from service.live.lookup import no_such_table, refuse_stranger
from service.live.replay import table_as_of
from service.rules.reasons import Reason, Refused
from service.shoes.vault import Vault
from service.table.commands import CloseIdle, Command, OpenTable, TimeOut

FIRST_PAUSE = 0.002
LONGEST_PAUSE = 0.1
"""How long a command that lost the race waits before it decides again, in seconds, at random."""
OWN_COMMAND_SECONDS = 10.0
"""How long a command of the table's own is tried."""
OPENINGS = 3
"""How often the opening of a table is decided, if its append comes too late each time."""


class Answer(msgspec.Struct, frozen=True):
    """The table as of the command's version; `replayed` if the command had been accepted before."""

    table: LiveTable
    replayed: bool


class Handler:
    """Carries out commands. `append` may carry the steps of many tables in one transaction; after a
    LATE one the clock has been put right. `interruptions` are those that the clock knows of."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        vault: Vault,
        kept: KeptTables,
        keys: TableKeys,
        append: Callable[[Append], Awaitable[Outcome]],
        interruptions: Callable[[], Sequence[Interruption]] = tuple,
    ) -> None:
        self._interruptions = interruptions
        self._store = store
        self._clock = clock
        self._vault = vault
        self._kept = kept
        self._keys = keys
        self._append = append
        self._listeners: list[Callable[[LiveTable], None]] = []

    async def open_table(
        self, operator: str, actor: str, request_id: str, command: OpenTable
    ) -> Answer:
        """Open a table, or answer with the one that this request has opened before, be it under
        another key, or when ids had no nonce."""
        nonce, *others = self._keys.nonces(operator, actor, request_id)
        formers: tuple[str | UnsetType, ...] = (UNSET, *others)
        for former in formers:
            table_id = derived_table_id(operator, actor, request_id, former)
            loaded = await self._store.load(table_id, actor, request_id)
            if loaded and loaded.request:
                return await self._replayed(loaded, loaded.request, _as_made(command, former))
        command = _as_made(command, nonce)
        table_id = derived_table_id(operator, actor, request_id, nonce)
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
            chance = self._vault.chance(table_id, command.rule_set, ())
            blank = blank_table(head, command.rule_set, chance)
            now = self._clock.now()
            append, opened = advance(blank, command, actor, request_id, now, self._vault)
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
        request = Request(table_id, operator, actor, request_id, command, allowed)
        answer = await self._carry_out(request, until)
        if answer is None:
            raise AssertionError("a request is accepted or refused")
        return answer

    async def apply_deadline(self, table_id: str) -> None:
        """Give back time in which nobody could answer, then answer the open questions of a table
        whose deadline has passed; nothing if there is nothing to do."""

        def due(table: LiveTable) -> bool:
            return is_due(table, self._clock.now())

        await self._carry_out_own(OwnCommand(table_id, TimeOut(), due))

    async def close_idle(self, table_id: str, before: int, seconds: int) -> None:
        """Close a table that nothing has happened at since `before`; else nothing."""

        def idle(table: LiveTable) -> bool:
            return table.head.at < before

        await self._carry_out_own(OwnCommand(table_id, CloseIdle(seconds), idle))

    def on_commit(self, listener: Callable[[LiveTable], None]) -> None:
        """Tell a listener of every change that this process commits."""
        self._listeners.append(listener)

    async def _carry_out_own(self, job: OwnCommand) -> None:
        await self._carry_out(job, asyncio.get_running_loop().time() + OWN_COMMAND_SECONDS)

    async def _carry_out(self, job: Request | OwnCommand, until: float) -> Answer | None:
        """Decide a job's steps and append them, again after each race that was lost; None if the
        job has nothing to do."""
        async with self._kept.turn(job.table_id):
            return await self._in_turn(job, until)

    async def _in_turn(self, job: Request | OwnCommand, until: float) -> Answer | None:
        table = self._kept.take(job.table_id)
        fresh = False
        pause = FIRST_PAUSE
        while True:
            if table is None:
                loaded = await self._store.load(job.table_id, job.actor, job.request_id)
                if loaded is None:
                    raise no_such_table(job.table_id)
                if isinstance(job, Request) and loaded.request:
                    refuse_stranger(loaded.head, job.operator)
                    self._kept.put(table_of(loaded, self._vault))
                    return await self._replayed(loaded, loaded.request, job.command)
                table = table_of(loaded, self._vault)
                fresh = True
            try:
                now = self._clock.now()
                step = job.next_step(table, now, self._interruptions(), fresh=fresh)
                decided = self._decide(table, step, now) if step else None
            except Refused:
                if fresh:
                    self._kept.put(table)
                    raise
                step = decided = None  # what is kept is a guess
            if step is None or decided is None:
                if fresh:
                    self._kept.put(table)
                    return None
                table = None
                continue
            append, after = decided
            if await self._append(append) is Outcome.APPENDED:
                self._tell(after)
                if step.last:
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

    def _decide(self, table: LiveTable, step: Step, now: int) -> tuple[Append, LiveTable]:
        return advance(table, step.command, step.actor, step.request_id, now, self._vault)

    def _tell(self, table: LiveTable) -> None:
        for listener in self._listeners:
            listener(table)

    async def _replayed(self, loaded: Loaded, row: JournalRow, command: Command) -> Answer:
        """The answer to a request that was accepted before, as of its own version."""
        if row.command != to_text(command):
            raise Refused(
                Reason.REQUEST_ID_REUSED,
                "this request_id was used before, for another command",
                version=row.version,
            )
        as_of = await table_as_of(self._store, self._vault, loaded.head, row, loaded.rows)
        return Answer(as_of, replayed=True)


def _as_made(command: OpenTable, nonce: str | UnsetType) -> OpenTable:
    """The command as it is recorded. Nobody but its player has any business at a table of one seat,
    so it is private; one from before there were nonces is as it was asked for."""
    if nonce is UNSET:
        return command
    alone = bool(command.player) and command.rule_set.max_seats == 1
    return replace(command, nonce=nonce, private=command.private or alone)
