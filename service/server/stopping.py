"""How a process leaves: it says so first, then goes on serving while others learn of it.

1. Health says NOT_SERVING and `/readyz` 503; calls are still served, for a delay. Load balancers
   need it to send calls elsewhere. Ctrl-C leaves it out: nobody is behind a load balancer then.
2. No new connections; new calls are told to go elsewhere; streams end, and say where to resume.
3. Calls that have begun are answered, for as long as the drain may take; then connections end.

A second signal ends the delay. Every status that a client sees for it is one that standard clients
retry: UNAVAILABLE, 503, or the end of the connection.

Before it has begun to serve, a signal ends the process at once.
"""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from service.calls.availability import Availability, State


def stop_signals() -> list[signal.Signals]:
    """SIGTERM, SIGINT (Ctrl-C) and SIGHUP (the terminal was closed), but not those that whoever
    started this process wants to be ignored, as `nohup` does."""
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    return [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]


class StoppedBefore(SystemExit):
    """Asked to stop before it served: unwinds what has been started so far."""


@contextmanager
def stop_ends_the_start() -> Iterator[None]:
    """Let a signal to stop end the block, with StoppedBefore, until others hear the signals.

    A signal that nobody hears would leave a database behind that was not stopped, and a container's
    first process is not even ended by it. A second one ends the process where it stands, and the
    kernel ends the database.
    """
    numbers = stop_signals()
    before = {number: signal.getsignal(number) for number in numbers}

    def hear(_number: int, _frame: object) -> None:
        for each in numbers:
            signal.signal(each, lambda second, _: os._exit(128 + second))
        raise StoppedBefore(0)

    for number in numbers:
        signal.signal(number, hear)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class AskedToStop:
    """Hears the signals to stop from now on."""

    def __init__(self) -> None:
        self._asked = asyncio.Event()
        self._hurry = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in stop_signals():
            loop.add_signal_handler(number, self._hear, number)

    async def wait(self) -> None:
        """Until somebody asks."""
        await self._asked.wait()

    async def hurry(self) -> None:
        """Until somebody asks for the second time, or asked without a wish for delay."""
        await self._hurry.wait()

    def _hear(self, number: int) -> None:
        if self._asked.is_set() or number != signal.SIGTERM:
            self._hurry.set()
        self._asked.set()


async def leave(availability: Availability, asked: AskedToStop, delay: float) -> None:
    """Say that this process leaves, and serve for the delay; then send calls elsewhere."""
    availability.become(State.STOPPING)
    with suppress(TimeoutError):
        async with asyncio.timeout(delay):
            await asked.hurry()
    availability.become(State.ENDING)
