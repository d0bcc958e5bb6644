"""All connections of one server: how many, which of them wait for their clients, and until when.

Time limits are a moment per connection, and one look at all of them per tick. So no request starts
a timer, and ten thousand idle connections cost a few milliseconds per second.
"""

import asyncio
from collections import OrderedDict
from contextlib import suppress
from email.utils import formatdate
from typing import Protocol

import structlog

from service.rest.http1.limits import Limits

_log = structlog.get_logger(__name__)

_TURNED_AWAY_PART = 8
"""This part of the connections may be added for those that are turned away with an answer."""


class Kept(Protocol):
    """A connection, as far as it is one of many."""

    until: float
    """The loop's time at which it is `expire`d."""
    held: int
    """Bytes that it keeps of requests that are not complete."""
    served: bool
    """Whether it has ever completed a request."""
    task: asyncio.Task[None] | None
    """What makes the answer that is due."""

    def expire(self, now: float) -> None:
        """Its time is over."""

    def abort(self) -> None:
        """Close at once, whatever is on its way."""

    def wind_down(self) -> None:
        """Close if it is idle, else after the answer that is due."""


class Connections:
    """The open connections within their limits."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.stopping = False
        self.date = ""
        """The header with the time of the day."""
        self._all: set[Kept] = set()
        # The longest waiting first. Room is made by who has got the last answer, then by who never
        # completed a request, then by who did: so half requests and refused ones, of which anybody
        # can send any number, push out each other.
        self._parting: OrderedDict[Kept, None] = OrderedDict()
        self._new: OrderedDict[Kept, None] = OrderedDict()
        self._idle: OrderedDict[Kept, None] = OrderedDict()
        self._turned_away: set[Kept] = set()
        self._held = 0
        self._gone = asyncio.Event()
        self._ticking: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._all)

    def admit(self, one: Kept) -> bool:
        """Whether a new connection may stay; another one may have to go for it."""
        if len(self._all) >= self.limits.connections and not self._make_room():
            return False
        self._all.add(one)
        self._new[one] = None
        return True

    def turn_away(self, one: Kept) -> bool:
        """Whether a connection that was not admitted may have the time that an answer takes."""
        if len(self._turned_away) >= 1 + self.limits.connections // _TURNED_AWAY_PART:
            return False
        self._turned_away.add(one)
        return True

    def works(self, one: Kept) -> None:
        """A connection waits for an answer of ours: it does not make room."""
        self._new.pop(one, None)
        self._idle.pop(one, None)
        self._parting.pop(one, None)

    def waits(self, one: Kept) -> None:
        """A connection waits for its client from now on."""
        (self._idle if one.served else self._new)[one] = None

    def parts(self, one: Kept) -> None:
        """A connection has been given its last answer."""
        self.works(one)
        if one in self._all:
            self._parting[one] = None

    def holds(self, one: Kept, held: int) -> None:
        """A connection keeps `held` bytes; the one that keeps most is closed if all together keep
        too many."""
        if one not in self._all:
            return
        self._held += held - one.held
        one.held = held
        while self._held > self.limits.waiting_bytes:
            largest = max(self._all, key=lambda kept: kept.held)
            _log.warning("requests that are not complete hold too much", bytes=self._held)
            largest.abort()
            self.forget(largest)

    def forget(self, one: Kept) -> None:
        """A connection is closed, or as good as closed."""
        self._held -= one.held
        one.held = 0
        self._all.discard(one)
        self._turned_away.discard(one)
        self.works(one)
        if self.stopping and not (self._all or self._turned_away):
            self._gone.set()

    def begin(self) -> None:
        """Look at the time from now on."""
        loop = asyncio.get_running_loop()
        self.date = f"date: {formatdate(usegmt=True)}\r\n"
        self._ticking = loop.call_later(self.limits.tick_seconds, self._tick)

    def stop(self) -> None:
        """Close what is idle, and the rest after the answer that is due."""
        self.stopping = True
        for one in [*self._all]:
            one.wind_down()

    async def end(self, seconds: float) -> None:
        """Wait until all are closed; after `seconds` close them."""
        left = [*self._all, *self._turned_away]
        if left:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._gone.wait(), seconds)
        tasks = [one.task for one in left if one.task is not None]
        for one in left:
            one.abort()
        if tasks:
            await asyncio.wait(tasks, timeout=self.limits.linger_seconds)
        if self._ticking:
            self._ticking.cancel()

    def _make_room(self) -> bool:
        waiting = self._parting or self._new or self._idle
        if not waiting:
            return False
        oldest = next(iter(waiting))
        oldest.abort()
        self.forget(oldest)
        return True

    def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        self._ticking = loop.call_later(self.limits.tick_seconds, self._tick)
        self.date = f"date: {formatdate(usegmt=True)}\r\n"
        for one in [*self._all, *self._turned_away]:
            if one.until <= now:
                one.expire(now)
