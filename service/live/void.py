"""Voiding a round on an operator's word: what was settled is looked up, and goes along with the
command, so that the table's rules need no other round than the current one."""

from functools import partial

from msgspec.structs import replace

from service.journal.codec import command_of
from service.journal.ports import Catalog
from service.live.execute import Answer, Handler
from service.live.lookup import Asker, Lookup
from service.rules.reasons import Refused
from service.table.commands import VoidRound
from service.table.deciding.voiding import nets_of


class Voiding:
    """Voids rounds of an operator's tables."""

    def __init__(self, handler: Handler, lookup: Lookup, catalog: Catalog) -> None:
        self._handler = handler
        self._lookup = lookup
        self._catalog = catalog

    async def void(
        self,
        operator: str,
        actor: str,
        table_id: str,
        request_id: str,
        round: int,
        reason: str,
        until: float,
    ) -> Answer:
        """Void a round; `until` is the event loop's time at which to give up."""
        await self._lookup.head(table_id, Asker(operator))
        command = await self._command(table_id, round, reason)
        send = partial(self._handler.execute, table_id, operator, actor, request_id)
        try:
            return await send(command, until)
        except Refused:
            # The round may have been settled, or voided, since its books were looked up.
            again = await self._command(table_id, round, reason)
            if again == command:
                raise
        return await send(again, until)

    async def _command(self, table_id: str, round: int, reason: str) -> VoidRound:
        """The command with what the round brought its seats.

        Once a round is void the recorded command is given again, so that a repeated request is
        known by its content: a round that was running has books only since. The books are read
        first, for they can't be there without the void.
        """
        books = await self._catalog.round_summary(table_id, round)
        for void in await self._catalog.voids([(table_id, round)]):
            rows = await self._catalog.journal(table_id, 0, void.version - 1, 1)
            recorded = command_of(rows[0].command)
            if isinstance(recorded, VoidRound):
                return replace(recorded, reason=reason)
        if not books:
            return VoidRound(round, reason)
        return VoidRound(round, reason, books[0].version, nets_of(books))
