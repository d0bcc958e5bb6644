"""Known attacks on framing, upgrades and pipelines: at the door itself, through nginx and Envoy.

A refusal by the door has "HTTP_MALFORMED" for its reason wherever no limit is exceeded.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from service.rest.replies import statuses as codes_of
from service.rules.reasons import Reason
from tests.attacks.cases import REFUSED, TAKEN, get
from tests.attacks.proxies import WAYS
from tests.attacks.recorder import Recorder
from tests.attacks.wire import (
    SECONDS,
    answers,
    exchange,
    line,
    read_until_silent,
    send,
    served,
    statuses,
)

LAST = get(b"Host: a.example", b"Connection: close", line=b"GET /last HTTP/1.1")


@dataclass(frozen=True)
class Target:
    """Where attacks go, and what the service behind it was asked to do."""

    way: str
    port: int
    recorder: Recorder


@pytest.fixture(params=WAYS)
async def target(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Target]:
    recorder = Recorder()
    async with served(recorder) as port:
        with WAYS[request.param](port, tmp_path) as front:
            yield Target(request.param, front, recorder)


@pytest.mark.parametrize("target", ["direct"], indirect=True)
async def test_what_is_not_one_request_is_refused_and_nothing_behind_it_is_carried_out(
    target: Target,
) -> None:
    for name, (attack, status) in REFUSED.items():
        received = await exchange(target.port, [attack + LAST])
        assert target.recorder.requests == [], name
        [(code, body)] = answers(received)
        assert code == status, (name, received)
        refusal = json.loads(body)
        detail, *_ = refusal["details"]
        reason = Reason[detail["reason"].removeprefix("REASON_")]
        assert code in codes_of(reason), name
        assert (reason is Reason.HTTP_MALFORMED) == (code in (400, 417, 505)), name
        assert detail["metadata"].keys() == reason.metadata.keys(), name


@pytest.mark.parametrize("target", ["nginx", "envoy"], indirect=True)
async def test_no_attack_carries_out_what_a_proxy_did_not_see_as_a_request(target: Target) -> None:
    """A proxy may mend what it gets, so there may be one request or several. But each that is
    carried out is answered to whoever sent it: none is left in a connection for somebody else."""
    attacks = {name: [attack] for name, (attack, _) in REFUSED.items()}
    attacks |= {name: [*pieces] for name, (pieces, _) in TAKEN.items()}
    for name, pieces in attacks.items():
        requests = target.recorder.requests
        requests.clear()
        async with line(target.port) as (reader, writer):
            await send(writer, [*pieces, LAST])
            received = await read_until_silent(reader, 0.05)
            if answered(received) != [one.path for one in requests]:
                received += await read_until_silent(reader, 1.0)
        assert answered(received) == [one.path for one in requests], name


def answered(received: bytes) -> list[str]:
    """The paths that the service carried out, as its answers say."""
    return [path.decode() for path in re.findall(rb"carried out (\S+);", received)]


@pytest.mark.parametrize("target", ["direct"], indirect=True)
async def test_what_is_one_request_is_carried_out_as_that_one(target: Target) -> None:
    for name, (pieces, request) in TAKEN.items():
        target.recorder.requests.clear()
        received = await exchange(target.port, [*pieces, LAST])
        assert target.recorder.carried_out == [request, ("GET", "/last", b"")], name
        assert statuses(received) == [200, 200], (name, received)


@pytest.mark.parametrize("name", [name for name in TAKEN if name.startswith("h2c")])
async def test_an_offer_to_upgrade_is_ignored_through_proxies_too(
    name: str, target: Target
) -> None:
    pieces, request = TAKEN[name]
    async with line(target.port) as (reader, writer):
        await send(writer, pieces)
        async with asyncio.timeout(SECONDS):
            received = await reader.readuntil(b"/bet;")
        received += await read_until_silent(reader, 0.05)
    assert target.recorder.carried_out == [request]
    assert statuses(received) == [200]


async def test_pipelined_requests_are_answered_in_order(target: Target) -> None:
    paths = [b"/%d" % number for number in range(50)]
    requests = [get(b"Host: a.example", line=b"GET " + path + b" HTTP/1.1") for path in paths]
    received = await exchange(target.port, [b"".join(requests) + LAST])
    assert answered(received) == [*(path.decode() for path in paths), "/last"]
    assert statuses(received) == [200] * 51
