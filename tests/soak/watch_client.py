"""A client process that holds many watchers, and notes when each of them got which version.

It reads its orders as JSON from stdin, says `ready` when every watcher has begun, and reports when
it is told to end by another line. A watcher whose stream ends goes on at the next server, after the
last version that he got.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncGenerator
from itertools import cycle
from pathlib import Path
from typing import Any

import grpc
import msgspec
import uvloop
from croupier.v1.table_service_pb2 import WatchTableRequest, WatchTableResponse

from service.keys.table_keys import parse_table_keys
from tests.soak.http import LOST, events
from tests.soak.serving import NICE, token_of

CHANNELS = 4
WATCH = "/croupier.v1.TableService/WatchTable"


class Orders(msgspec.Struct, frozen=True):
    """What a client process is told: its door, the servers there, and one table a watcher."""

    name: str
    door: str
    addresses: list[str]
    secret: str
    sealing_keys: str
    tables: list[str]
    report: str


class Report(msgspec.Struct):
    """What each watcher got: versions and times, one list a watcher, in the order of the orders."""

    versions: list[list[int]]
    times: list[list[float]]
    resumed: int


class Watchers:
    """All watchers of this process."""

    def __init__(self, orders: Orders) -> None:
        self._orders = orders
        self._token = token_of(orders.secret, f"spectator-{orders.name}")
        self._keys = parse_table_keys(orders.sealing_keys)
        self._channels: dict[str, list[Any]] = {}
        self._begun = 0
        self.all_begun = asyncio.Event()
        count = len(orders.tables)
        self.report = Report([[] for _ in range(count)], [[] for _ in range(count)], 0)

    async def watch(self, number: int) -> None:
        """One watcher, for ever."""
        versions, times = self.report.versions[number], self.report.times[number]
        addresses = cycle(self._orders.addresses)
        while True:
            try:
                last = versions[-1] if versions else 0
                stream = self._stream(next(addresses), number, last)
                async for version in stream:
                    if version:
                        versions.append(version)
                        times.append(time.time())
                        self._count_first(versions)
            except (*LOST, grpc.aio.AioRpcError):
                await asyncio.sleep(0.05)
            self.report.resumed += 1

    def _count_first(self, versions: list[int]) -> None:
        if len(versions) == 1:
            self._begun += 1
            if self._begun == len(self._orders.tables):
                self.all_begun.set()

    def _stream(self, address: str, number: int, last: int) -> AsyncGenerator[int, None]:
        table = self._orders.tables[number]
        if self._orders.door == "grpc":
            return self._over_grpc(self._channel(address, number), table, last)
        return self._over_rest(address, table, last)

    async def _over_rest(self, address: str, table: str, last: int) -> AsyncGenerator[int, None]:
        path = f"/v1/tables/{table}:watch"
        async for version, _ in events(
            address, self._token, path, last, self._keys.join_code(table)
        ):
            yield version

    async def _over_grpc(self, channel: Any, table: str, last: int) -> AsyncGenerator[int, None]:
        request = WatchTableRequest(table_id=table, after_version=last)
        metadata = (
            ("authorization", f"Bearer {self._token}"),
            ("croupier-join-code", self._keys.join_code(table)),
        )
        async for data in channel.unary_stream(WATCH)(
            request.SerializeToString(), metadata=metadata
        ):
            response = WatchTableResponse.FromString(data)
            yield response.version if response.HasField("table") else 0

    def _channel(self, address: str, number: int) -> Any:
        if address not in self._channels:
            # Each has a connection of its own.
            self._channels[address] = [
                grpc.aio.insecure_channel(
                    address,
                    options=[
                        ("grpc.use_local_subchannel_pool", 1),
                        ("grpc.max_reconnect_backoff_ms", 200),
                    ],
                )
                for _ in range(CHANNELS)
            ]
        return self._channels[address][number % CHANNELS]


def write_report(orders: Orders, report: Report) -> None:
    Path(orders.report).write_bytes(msgspec.json.encode(report))


async def main() -> None:
    """Watch until told to end."""
    os.nice(NICE)
    loop = asyncio.get_running_loop()
    line = await loop.run_in_executor(None, sys.stdin.readline)
    orders = msgspec.json.decode(line, type=Orders)
    watchers = Watchers(orders)
    tasks = [asyncio.create_task(watchers.watch(number)) for number in range(len(orders.tables))]
    await watchers.all_begun.wait()
    print(json.dumps("ready"), flush=True)
    await loop.run_in_executor(None, sys.stdin.readline)
    for task in tasks:
        task.cancel()
    write_report(orders, watchers.report)


if __name__ == "__main__":
    uvloop.run(main())
