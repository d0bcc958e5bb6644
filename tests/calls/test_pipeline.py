"""The pipeline of both doors: what becomes of a call whose client, database or code fails."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from db.memory_store import MemoryStore
from service.calls.access import Access
from service.calls.errors import ApiError, Code
from service.calls.pipeline import Context, Method, Pipeline
from service.journal.ports import DataRefused, StoreUnavailable
from service.rules.reasons import Reason, Refused
from tests.live.table_in_memory import Clock

Serve = Callable[[Any, Context], Awaitable[Any]]


def pipeline(serve: Serve) -> Pipeline:
    access = Access(b"s" * 32, MemoryStore(), Clock(), "house")
    return Pipeline({"/m": Method(serve, None, lambda _: None)}, {}, access)


async def failure(serve: Serve, seconds: float | None = None) -> ApiError:
    with pytest.raises(ApiError) as raised:
        await pipeline(serve)("/m", None, {}, seconds)
    return raised.value


async def test_a_client_that_goes_away_cancels_nothing() -> None:
    begun, release, done = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def serve(request: object, context: Context) -> None:
        begun.set()
        await release.wait()
        done.set()

    serving = pipeline(serve)
    client = asyncio.create_task(serving("/m", None, {}))
    await begun.wait()
    client.cancel()
    with pytest.raises(asyncio.CancelledError):
        await client
    release.set()
    await serving.drain(1)
    assert done.is_set()


async def test_a_call_that_takes_too_long_is_given_up_and_goes_on() -> None:
    release, done = asyncio.Event(), asyncio.Event()

    async def serve(request: object, context: Context) -> None:
        await release.wait()
        done.set()

    serving = pipeline(serve)
    with pytest.raises(ApiError) as raised:
        await serving("/m", None, {}, 0.01)
    assert raised.value.code is Code.DEADLINE_EXCEEDED
    release.set()
    await serving.drain(1)
    assert done.is_set()


async def test_the_deadline_of_the_client_reaches_the_write_path() -> None:
    limits: list[float] = []

    async def serve(request: object, context: Context) -> None:
        limits.append(context.until - asyncio.get_running_loop().time())

    for seconds in (None, 1000.0, 2.0, -1.0):
        await pipeline(serve)("/m", None, {}, seconds)
    assert [round(limit) for limit in limits] == [10, 10, 2, 0]


async def test_the_databases_absence_is_unavailable() -> None:
    async def serve(request: object, context: Context) -> None:
        raise StoreUnavailable("no route to 10.1.2.3")

    error = await failure(serve)
    assert (error.code, error.reason) == (Code.UNAVAILABLE, Reason.UNAVAILABLE)
    assert "10.1.2.3" not in error.message


async def test_a_value_that_the_database_refuses_is_the_callers() -> None:
    async def serve(request: object, context: Context) -> None:
        raise DataRefused("PostgreSQL text fields cannot contain NUL (0x00) bytes")

    error = await failure(serve)
    assert (error.code, error.reason) == (Code.INVALID_ARGUMENT, Reason.FIELD_INVALID)
    assert error.metadata == {"field": ""}


async def test_a_lost_race_is_aborted() -> None:
    async def serve(request: object, context: Context) -> None:
        raise Refused(Reason.CONTENTION, "others were first")

    error = await failure(serve)
    assert (error.code, error.reason) == (Code.ABORTED, Reason.CONTENTION)


async def test_a_fault_shows_nothing_of_itself() -> None:
    async def serve(request: object, context: Context) -> None:
        raise KeyError("hole card AS")

    error = await failure(serve)
    assert (error.code, error.reason) == (Code.INTERNAL, Reason.INTERNAL)
    assert "AS" not in error.message + str(error.metadata)


async def test_draining_waits_no_longer_than_it_may() -> None:
    async def serve(request: object, context: Context) -> None:
        await asyncio.sleep(60)

    serving = pipeline(serve)
    client = asyncio.create_task(serving("/m", None, {}))
    await asyncio.sleep(0.01)
    await asyncio.wait_for(serving.drain(0.05), 2)
    client.cancel()
    for task in serving._running:
        task.cancel()
