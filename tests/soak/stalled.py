"""Watchers who stop reading: what they cost, and what they are told when they read on."""

import asyncio
import socket
from typing import Any

import grpc
from croupier.v1.table_service_pb2 import WatchTableRequest

from tests.soak.figures import Figures, progress
from tests.soak.serving import Soak, load, resident_kilobytes
from tests.soak.watch_client import WATCH
from tests.soak.watched_games import Games, channel_to

CHANGES = 3000
"""More than what is on the way to a watcher can hold."""
SMALL = 8192
MOST_KILOBYTES = 512


async def stall(soak: Soak, count: int, figures: Figures) -> None:
    """Let so many watchers stop reading while their table changes as fast as it can."""
    games = Games(soak, "watched-by-sleepers", 1)
    address_grpc, address_rest = soak.addresses[0]
    channel = channel_to(address_grpc)
    await games.open(channel)
    for _ in range(500):
        await games.change(channel, 0)
    process = soak.processes[0]
    assert process
    before = resident_kilobytes(process)
    token = soak.token("sleeper")
    path = f"/v1/tables/{games.ids[0]}:watch"
    sockets = [_sleeper(address_rest, token, path) for _ in range(count // 2)]
    calls = [_sleeping_call(address_grpc, token, games.ids[0]) for _ in range(count // 2)]
    for number in range(CHANGES):
        await games.change(channel, 0)
        if number % 500 == 0:
            progress(f"stalled: {number} of {CHANGES} changes, {load()}")
    grown = resident_kilobytes(process) - before
    behind = [await asyncio.to_thread(_read_on, one) for one in sockets]
    behind += [await _ends_behind(call) for _, call in calls]
    await asyncio.gather(channel.close(), *(each.close() for each, _ in calls))
    figures.require(
        f"{count} watchers who stop reading, {CHANGES} changes",
        f"{grown / count:.0f} kB each",
        f"{MOST_KILOBYTES} kB",
        grown / count <= MOST_KILOBYTES,
    )
    told = sum(behind)
    figures.require("of them told to resume", str(told), str(count), told == len(behind))


def _sleeper(address: str, token: str, path: str) -> socket.socket:
    """A stream over REST of which nothing is read."""
    host, _, port = address.partition(":")
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    made.connect((host, int(port)))
    head = f"GET {path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n\r\n"
    made.sendall(head.encode())
    return made


def _read_on(stalled: socket.socket) -> bool:
    """Read all that there is; whether it ends with being told to resume."""
    stalled.settimeout(10)
    tail = b""
    with stalled:
        try:
            while data := stalled.recv(65_536):
                tail = (tail + data)[-4096:]
                if b"REASON_WATCH_BEHIND" in tail:
                    return True
        except TimeoutError:
            return False
    return False


def _sleeping_call(address: str, token: str, table: str) -> tuple[grpc.aio.Channel, Any]:
    """A stream over gRPC of which nothing is read."""
    channel = grpc.aio.insecure_channel(
        address, options=[("grpc.use_local_subchannel_pool", 1), ("grpc.http2.bdp_probe", 0)]
    )
    request = WatchTableRequest(table_id=table)
    metadata = (("authorization", f"Bearer {token}"),)
    method: Any = channel.unary_stream(WATCH)
    return channel, method(request.SerializeToString(), metadata=metadata)


async def _ends_behind(call: Any) -> bool:
    """Read on; whether the stream ends with being told to resume."""
    try:
        async with asyncio.timeout(20):
            async for _ in call:
                pass
    except grpc.aio.AioRpcError as error:
        return error.code() is grpc.StatusCode.ABORTED
    except TimeoutError:
        return False
    return False
