"""The monitor tells the truth also while the pools are slow to replace their connections."""

import asyncio

from service.calls.availability import Availability, State
from service.journal.ports import StoreUnavailable
from service.server.monitor import Monitor

SECONDS = 10.0


async def test_a_database_that_falls_silent_again_while_pools_are_refilled() -> None:
    silent = False

    async def ask(seconds: float) -> None:
        if silent:
            raise StoreUnavailable("no answer")

    refilling = asyncio.Event()

    async def refill() -> None:
        refilling.set()
        await asyncio.Event().wait()

    availability = Availability()
    availability.become(State.AWAY)
    running = asyncio.create_task(Monitor(ask, availability, [refill]).run())
    try:
        async with asyncio.timeout(SECONDS):
            await refilling.wait()
            told = [availability.state]
            silent = True
            await availability.next_change().wait()
            told.append(availability.state)
            silent = False
            await availability.next_change().wait()
            told.append(availability.state)
        assert told == [State.SERVING, State.AWAY, State.SERVING]
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
