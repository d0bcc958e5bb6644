"""Who is limited in what: addresses, callers, operators, proxies; and what the pipeline does."""

import asyncio
from ipaddress import ip_network
from typing import Any

import pytest

from db.memory_store import MemoryStore
from service.calls.access import Access, Identity, Role
from service.calls.caller_limits import CallerLimits, Counted, Most
from service.calls.errors import ApiError, Code
from service.calls.pipeline import Context, Method, Pipeline
from service.rules.reasons import Reason
from tests.limits.test_buckets import Time
from tests.live.table_in_memory import Clock

ANN, BOB = (Identity(Role.PLAYER, "house", name) for name in ("ann", "bob"))
OPERATOR = Identity(Role.OPERATOR, "house", "")
HOME, ELSEWHERE = "192.0.2.1", "192.0.2.2"


def limits(**most: float) -> CallerLimits:
    return CallerLimits(Most(**most), Time(), [ip_network("10.0.0.0/8")])  # type: ignore[arg-type]


def refused(call: Any, *arguments: object) -> dict[str, str]:
    with pytest.raises(ApiError) as error:
        call(*arguments)
    assert (error.value.reason, error.value.code) == (
        Reason.LIMIT_REACHED,
        Code.RESOURCE_EXHAUSTED,
    )
    assert error.value.retry_seconds == int(error.value.metadata["retry_seconds"])
    return error.value.metadata


def test_an_address_is_limited_whoever_calls_from_there() -> None:
    ours = limits(address_tables_per_minute=2)
    ours.admit(HOME, ANN, [Counted.TABLES])
    ours.admit(HOME, BOB, [Counted.TABLES])
    named = {"limit": "address_tables_per_minute", "retry_seconds": "30"}
    assert refused(ours.admit, HOME, ANN, [Counted.TABLES]) == named
    ours.admit(ELSEWHERE, ANN, [Counted.TABLES])


def test_a_caller_is_limited_wherever_they_call_from() -> None:
    ours = limits(caller_tables_per_minute=1)
    ours.admit(HOME, ANN, [Counted.TABLES])
    named = {"limit": "caller_tables_per_minute", "retry_seconds": "60"}
    assert refused(ours.admit, ELSEWHERE, ANN, [Counted.TABLES]) == named
    ours.admit(HOME, BOB, [Counted.TABLES])


def test_what_one_limit_refuses_takes_nothing_of_another() -> None:
    ours = limits(address_tables_per_minute=2, caller_tables_per_minute=1)
    ours.admit(HOME, ANN, [Counted.TABLES])
    for _ in range(5):
        refused(ours.admit, HOME, ANN, [Counted.TABLES])
    ours.admit(HOME, BOB, [Counted.TABLES])


def test_an_ipv6_network_of_64_bits_is_one_address() -> None:
    ours = limits(address_calls_per_minute=1)
    ours.begin("2001:db8::1", 0)
    refused(ours.begin, "2001:db8::ffff:2", 0)
    ours.begin("2001:db8:0:1::1", 0)


def test_a_proxy_is_no_address_and_its_callers_are_limited_alone() -> None:
    ours = limits(
        address_calls_per_minute=1, address_streams=1, caller_calls_per_minute=1, caller_streams=1
    )
    for _ in range(5):
        ours.begin("10.1.2.3", 0)
    ours.admit("10.1.2.3", ANN, [])
    refused(ours.admit, "10.1.2.3", ANN, [])
    with ours.stream("10.1.2.3", ANN), ours.stream("10.1.2.3", BOB):
        refused(ours.stream("10.1.2.3", ANN).__enter__)


def test_operators_are_free_of_what_limits_players() -> None:
    ours = limits(caller_calls_per_minute=1, address_commands_per_minute=1, caller_streams=1)
    for _ in range(5):
        ours.admit(HOME, OPERATOR, [Counted.COMMANDS])
    with ours.stream(HOME, OPERATOR), ours.stream(HOME, OPERATOR):
        pass


@pytest.mark.parametrize("limit", ["caller_streams", "address_streams"])
def test_streams_count_as_long_as_they_are_open(limit: str) -> None:
    ours = limits(**{limit: 2})
    with ours.stream(HOME, ANN):
        with ours.stream(HOME, ANN):
            assert refused(ours.stream(HOME, ANN).__enter__)["limit"] == limit
        with ours.stream(HOME, ANN):
            pass


def test_processes_share_what_is_had_over_time() -> None:
    most = Most(caller_tables_per_minute=5, caller_streams=20).shared_by(2)
    assert (most.caller_tables_per_minute, most.caller_streams) == (2.5, 20)


async def test_one_caller_does_not_fill_the_process_and_a_full_one_refuses_at_once() -> None:
    release = asyncio.Event()

    async def serve(request: object, context: Context) -> str:
        await release.wait()
        return context.caller.player

    access = Access(b"s" * 32, MemoryStore(), Clock(), "house")
    ours = limits(caller_calls_at_once=3, calls_at_once=5)
    method = Method(serve, (Role.PLAYER,), lambda _: None)
    pipeline = Pipeline({"/m": method}, {}, access, limits=ours)
    ann, bob, eve = (
        {"authorization": f"Bearer {access.player_token('house', name, 60).token}"}
        for name in ("ann", "bob", "eve")
    )
    calls = [asyncio.create_task(pipeline("/m", None, ann)) for _ in range(3)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    with pytest.raises(ApiError) as one_too_many:
        await pipeline("/m", None, ann)
    assert one_too_many.value.metadata["limit"] == "caller_calls_at_once"
    calls += [asyncio.create_task(pipeline("/m", None, bob)) for _ in range(2)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    with pytest.raises(ApiError) as full:
        await pipeline("/m", None, eve)
    assert full.value.metadata["limit"] == "calls_at_once"
    release.set()
    assert await asyncio.gather(*calls) == ["ann"] * 3 + ["bob"] * 2
    assert await pipeline("/m", None, eve) == "eve"
