"""One watcher of a table: a short queue of the table as it became, and why it ends.

What is queued is shared with every other watcher of the table, and each renders its own view. A
watcher that reads too slowly loses its queue and is told to resume after the last version that it
got: so it never sees a gap, costs little, and holds up nobody.
"""

import asyncio
from collections import deque

from service.live.live_table import LiveTable
from service.rules.reasons import Reason, Refused

HEARTBEAT_SECONDS = 15.0
"""How long nothing may happen before a watcher is told that its stream lives."""
QUEUE = 32
"""Changes that a watcher may be behind before it is told to resume."""

_BEHIND = "changes came faster than they were read"
_TOKEN_ENDED = "this token has ended"  # noqa: S105 - what a client is told


class Watcher:
    """A queue that ends at the event loop's time `until`, when the watcher's token does."""

    __slots__ = ("_changes", "_end", "_until", "_woken")

    def __init__(self, until: float) -> None:
        self._until = until
        self._changes: deque[LiveTable] = deque()
        self._end: tuple[Reason, str] | None = None
        self._woken = asyncio.Event()

    def put(self, table: LiveTable) -> None:
        """Queue a change, if there is room."""
        if len(self._changes) == QUEUE:
            self.end(Reason.WATCH_BEHIND, _BEHIND)
        elif self._end is None:
            self._changes.append(table)
            self._woken.set()

    def end(self, reason: Reason, why: str) -> None:
        """Let there be no more changes, those that are queued included."""
        if self._end is None:
            self._end = reason, why
            self._changes.clear()
            self._woken.set()

    async def next(self, last: int) -> LiveTable | None:
        """The next change; None after a while without one.

        Raises Refused when there will be no more; it names `last`, the version to resume after.
        """
        if self._end is None and not self._changes:
            await self._wait()
        if asyncio.get_running_loop().time() >= self._until:
            self.end(Reason.UNAUTHENTICATED, _TOKEN_ENDED)
        if self._end:
            reason, why = self._end
            message = f"{why}; watch again after version {last}"
            if reason is Reason.WATCH_BEHIND:
                raise Refused(Reason.WATCH_BEHIND, message, after_version=last)
            raise Refused(reason, message)
        return self._changes.popleft() if self._changes else None

    async def _wait(self) -> None:
        """Until there is something to say, if only that the stream lives or that it ends."""
        self._woken.clear()
        beat = asyncio.get_running_loop().time() + HEARTBEAT_SECONDS
        try:
            async with asyncio.timeout_at(min(beat, self._until)):
                await self._woken.wait()
        except TimeoutError:
            if self._until <= beat:
                self.end(Reason.UNAUTHENTICATED, _TOKEN_ENDED)
