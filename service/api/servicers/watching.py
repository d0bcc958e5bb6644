"""Serves `WatchTable`: a table's changes, each as its watcher may see it."""

import asyncio
import math
from collections.abc import AsyncGenerator
from contextlib import aclosing

from croupier.v1 import table_service_pb2 as pb

from service.api.asking import asker_of
from service.api.wire.tables import table_to_wire
from service.calls.access import Identity
from service.calls.pipeline import Context
from service.journal.ports import Clock
from service.live.shown_tables import ShownTables


class Watching:
    """Streams the changes of tables."""

    def __init__(self, tables: ShownTables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    async def WatchTable(
        self, request: pb.WatchTableRequest, context: Context
    ) -> AsyncGenerator[pb.WatchTableResponse, None]:
        identity = context.caller
        last = request.after_version
        changes = self._tables.changes(
            request.table_id,
            asker_of(identity),
            last,
            self._until(identity),
        )
        async with aclosing(changes):
            async for table in changes:
                if table is None:
                    yield pb.WatchTableResponse(version=last)
                    continue
                last = table.version
                yield pb.WatchTableResponse(
                    table=table_to_wire(table), version=last, hash=table.hash.hex()
                )

    def _until(self, identity: Identity) -> float:
        """The event loop's time at which the caller's token ends."""
        if not identity.expires_at:
            return math.inf
        left = (identity.expires_at - self._clock.now()) / 1_000_000
        return asyncio.get_running_loop().time() + left
