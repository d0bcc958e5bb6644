"""Serves `WatchTable`: a table's changes, each as its watcher may see it."""

import asyncio
import math
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing

from croupier.v1 import table_service_pb2 as pb

from service.api.wire.tables import table_to_wire
from service.calls.access import Identity
from service.calls.pipeline import Context, Stream
from service.journal.plain_ids import plain_id
from service.journal.ports import Clock
from service.live.shown_tables import ShownTables
from service.rules.reasons import Reason, Refused


class Watching:
    """Streams the changes of tables."""

    def __init__(self, tables: ShownTables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def streams(self) -> Mapping[str, Stream]:
        """What is served, by full name."""
        return {"/croupier.v1.TableService/WatchTable": Stream(self._watch_table)}

    async def _watch_table(
        self, context: Context, request: pb.WatchTableRequest
    ) -> AsyncGenerator[pb.WatchTableResponse, None]:
        identity = context.caller
        last = request.after_version
        if last < 0:
            raise Refused(
                Reason.FIELD_INVALID, "after_version: 0 or a version", field="after_version"
            )
        changes = self._tables.changes(
            plain_id(request.table_id, "table_id"),
            identity.operator,
            last,
            identity.player,
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
