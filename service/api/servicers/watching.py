"""Serves `WatchTable`: a table's changes, each as its watcher may see it."""

import asyncio
import math
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing

from croupier.v1 import table_service_pb2 as pb

from service.api.shown_tables import ShownTables
from service.calls.access import Identity
from service.calls.pipeline import Context, Stream
from service.journal.plain_ids import plain_id
from service.journal.ports import Clock
from service.live.watch import Watch
from service.rules.reasons import Reason, Refused


class Watching:
    """Streams the changes of tables."""

    def __init__(self, watch: Watch, clock: Clock, shown: ShownTables) -> None:
        self._watch = watch
        self._clock = clock
        self._shown = shown

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
        changes = self._watch.changes(
            plain_id(request.table_id, "table_id"), identity.operator, last, self._until(identity)
        )
        async with aclosing(changes):
            async for table in changes:
                if table is None:
                    yield pb.WatchTableResponse(version=last)
                    continue
                last = table.head.version
                yield pb.WatchTableResponse(
                    table=self._shown.show(table, identity.player),
                    version=last,
                    hash=table.head.hash.hex(),
                )

    def _until(self, identity: Identity) -> float:
        """The event loop's time at which the caller's token ends."""
        if not identity.expires_at:
            return math.inf
        left = (identity.expires_at - self._clock.now()) / 1_000_000
        return asyncio.get_running_loop().time() + left
