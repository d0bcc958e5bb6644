"""One attacker: connections from an address of its own, within a budget of bytes.

Runs as a process of its own, so that what it costs to attack is not in the figures of who is
served: `python -m tests.siege.attacker NAME HOST:PORT SECONDS`.
"""

import asyncio
import contextlib
import json
import os
import random
import resource
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable

from tests.siege.budget import Budget

ADDRESS = "127.0.0.2"
"""Attacks come from here, so that limits of an address do not hold back who is attacked."""
NICE = 10
BLOCK = 65536


class Attacker:
    """Opens connections to one door, and counts what it sends."""

    def __init__(self, host: str, port: int, seconds: float, most: int = 10_000) -> None:
        self.host, self.port, self._most = host, port, most
        self.until = asyncio.get_running_loop().time() + seconds
        self.budget = Budget()
        self.connections = 0
        self.refused = 0
        self.dice = random.Random(7)

    @property
    def goes_on(self) -> bool:
        """Whether there is time left."""
        return asyncio.get_running_loop().time() < self.until

    @contextlib.asynccontextmanager
    async def connection(self) -> AsyncIterator["Line"]:
        """A connection; a pause first if it was refused."""
        made = socket.socket()
        made.setblocking(False)
        made.bind((ADDRESS, 0))
        line = Line(self, made)
        try:
            await asyncio.get_running_loop().sock_connect(made, (self.host, self.port))
            self.connections += 1
            await self.budget.spend(200)  # the packets that make and end a connection
            yield line
        except (OSError, EOFError):
            self.refused += 1
            await asyncio.sleep(0.02)
        finally:
            made.close()

    async def crowd(self, size: int, one: "Callable[[Line], Awaitable[None]]") -> None:
        """So many connections at once, or `most`, each of which does `one` again and again."""

        async def again() -> None:
            while self.goes_on:
                async with self.connection() as line:
                    await one(line)

        tasks = [asyncio.create_task(again()) for _ in range(min(size, self._most))]
        await asyncio.wait(tasks, timeout=max(0.0, self.until - asyncio.get_running_loop().time()))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Line:
    """One connection of an attacker."""

    def __init__(self, attacker: Attacker, made: socket.socket) -> None:
        self.attacker = attacker
        self._socket = made
        self._loop = asyncio.get_running_loop()

    async def send(self, data: bytes) -> None:
        """Send, when the budget allows it."""
        await self.attacker.budget.spend(len(data))
        await self._loop.sock_sendall(self._socket, data)

    async def read(self) -> bytes:
        """What has come; EOFError at the end."""
        found = await self._loop.sock_recv(self._socket, BLOCK)
        if not found:
            raise EOFError
        return found

    async def hold(self) -> None:
        """Read nothing and send nothing, until the other side gives up."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(self.attacker.until):
                while True:
                    await self.read()


async def _attack(name: str, address: str, seconds: float) -> dict[str, object]:
    from tests.siege.attacks import ATTACKS

    host, _, port = address.rpartition(":")
    attacker = Attacker(host, int(port), seconds)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds + 1):
            await ATTACKS[name].run(attacker)
    return {
        "sent": attacker.budget.sent,
        "connections": attacker.connections,
        "refused": attacker.refused,
    }


def main() -> None:
    """Attack, and print what was sent."""
    name, address, seconds = sys.argv[1:]
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.nice(NICE)
    print(json.dumps(asyncio.run(_attack(name, address, float(seconds)))))


if __name__ == "__main__":
    main()
