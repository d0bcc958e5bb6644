"""The one way out of live tables: whoever answers calls gets what a viewer may see, and no more.

`ShownTables` is all that the API has of tables. It gives `Shown`, plain data, and never a
`LiveTable`: the state, the events and the cards behind a table stay in this room.
"""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing

import msgspec
from msgspec.structs import replace

from service.journal.ports import Head, SummaryRow, VoidRow
from service.live.execute import Answer, Handler
from service.live.live_table import LiveTable
from service.live.lookup import Asker
from service.live.read import Reader
from service.live.receipts import Receipts
from service.live.void import Voiding
from service.live.watch import Watch
from service.records.receipt import Receipt
from service.rules.rule_set import RuleSet
from service.table.commands import Command, OpenTable
from service.table.showing.shown import TableView
from service.table.showing.story import Story


class Shown(msgspec.Struct, frozen=True):
    """A table as of a version, for one viewer. `hash` (32 bytes) is that of the version's row."""

    table_id: str
    version: int
    hash: bytes
    rule_set_id: str
    rule_set: RuleSet
    is_private: bool
    owner: str
    view: TableView
    receipt: Receipt | None


class Reply(msgspec.Struct, frozen=True):
    """The result of a command; `replayed` if it had been accepted before."""

    table: Shown
    replayed: bool


class ShownRound(msgspec.Struct, frozen=True):
    """A round: its seats (none while it runs), its void if there is one, the table as its last row
    left it, and its story."""

    seats: Sequence[SummaryRow]
    void: VoidRow | None
    table: Shown
    story: Story


def show(table: LiveTable, viewer: str, receipt: Receipt | None) -> Shown:
    """A table as the player `viewer` (empty: nobody who could sit) may see it."""
    head = table.head
    return Shown(
        table_id=head.table_id,
        version=head.version,
        hash=head.hash,
        rule_set_id=head.rule_set_id,
        rule_set=table.state.rules,
        is_private=head.private,
        owner=head.owner,
        view=table.decider.view(table.state, viewer, table.chance, table.latest),
        receipt=receipt,
    )


class ShownTables:
    """Tables for whoever answers calls. `viewer` is the player who will see the answer, or empty;
    `until` is the event loop's time at which to give up. `shown_time` says when a deadline comes by
    the clock that viewers can compare with their own."""

    def __init__(
        self,
        handler: Handler,
        reader: Reader,
        watch: Watch,
        voiding: Voiding,
        receipts: Receipts,
        shown_time: Callable[[int], int],
    ) -> None:
        self._shown_time = shown_time
        self._handler = handler
        self._reader = reader
        self._watch = watch
        self._voiding = voiding
        self._receipts = receipts

    async def open(
        self, operator: str, actor: str, request_id: str, command: OpenTable, viewer: str
    ) -> Reply:
        """Open a table, or answer with the one that this request has opened before."""
        return self._reply(
            await self._handler.open_table(operator, actor, request_id, command), viewer
        )

    async def execute(
        self,
        table_id: str,
        asker: Asker,
        actor: str,
        request_id: str,
        command: Command,
        until: float,
        allowed: Callable[[Head], None] | None = None,
    ) -> Reply:
        """Carry out a command at a table that the asker sees; `allowed` refuses by raising."""
        await self._reader.require_sight_to_act(table_id, asker)
        answer = await self._handler.execute(
            table_id, asker.operator, actor, request_id, command, until, allowed
        )
        return self._reply(answer, asker.player)

    async def void_round(
        self,
        table_id: str,
        operator: str,
        actor: str,
        request_id: str,
        round: int,
        reason: str,
        until: float,
    ) -> Reply:
        """Declare that a round does not count."""
        answer = await self._voiding.void(
            operator, actor, table_id, request_id, round, reason, until
        )
        return self._reply(answer, "")

    async def table(self, table_id: str, asker: Asker) -> Shown:
        """A table as it stands."""
        return self._show(await self._reader.table(table_id, asker), asker.player)

    async def round(self, table_id: str, asker: Asker, round: int) -> ShownRound:
        """A round of a table."""
        past = await self._reader.round(table_id, asker, round)
        shown = self._show(past.table, asker.player)
        if past.void:  # it may have come long after the round
            shown = replace(shown, view=replace(shown.view, void_reason=past.void.reason))
        return ShownRound(past.seats, past.void, shown, past.story)

    async def changes(
        self, table_id: str, asker: Asker, after_version: int, until: float
    ) -> AsyncGenerator[Shown | None, None]:
        """A table after each later change, in order and without a gap; None is a heartbeat (see
        `Watch.changes`)."""
        changes = self._watch.changes(table_id, asker, after_version, until)
        async with aclosing(changes):
            async for table in changes:
                yield self._show(table, asker.player) if table else None

    def _reply(self, answer: Answer, viewer: str) -> Reply:
        return Reply(self._show(answer.table, viewer), answer.replayed)

    def _show(self, table: LiveTable, viewer: str) -> Shown:
        shown = show(table, viewer, self._receipts.of(table))
        deadline = self._shown_time(shown.view.deadline)
        if deadline == shown.view.deadline:
            return shown
        return replace(shown, view=replace(shown.view, deadline=deadline))
