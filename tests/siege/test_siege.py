"""Each attack, for a moment: it connects and sends, within its budget."""

import asyncio

import pytest

from tests.siege.attacker import Attacker
from tests.siege.attacks import ATTACKS
from tests.siege.budget import A_MINUTE, Budget


class Listener:
    """Takes connections and counts what comes."""

    def __init__(self) -> None:
        self.received = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            self.received += len(data)
        writer.close()


@pytest.mark.parametrize("name", ATTACKS)
async def test_an_attack_connects_and_sends(name: str) -> None:
    listener = Listener()
    async with await asyncio.start_server(listener, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()
        attacker = Attacker(host, port, seconds=0.2, most=50)
        async with asyncio.timeout(10):
            await ATTACKS[name].run(attacker)
    assert attacker.connections > 0
    assert attacker.budget.sent <= A_MINUTE / 60 * 2 + 220 * attacker.connections


async def test_the_budget_holds_back_who_sends_too_much() -> None:
    budget = Budget(a_minute=60 * 1000)
    loop = asyncio.get_running_loop()
    started = loop.time()
    for _ in range(12):
        await budget.spend(100)
    assert loop.time() - started == pytest.approx(0.2, abs=0.15)
