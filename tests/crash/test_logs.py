"""Every line that a service writes is a JSON object, whatever happens to it."""

import asyncio
import json
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from croupier.v1.table_service_pb2 import GetTableRequest
from croupier.v1.table_service_pb2_grpc import TableServiceStub

from tests.crash.server_process import ServerProcess
from tests.crash.test_processes import call, children, command, open_table, until
from tests.siege.attacker import Attacker
from tests.siege.attacks import ATTACKS
from tests.trouble.below import running, serving


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="croupier-logs-") as name:
        yield Path(name)


def lines(log: Path) -> list[dict[str, Any]]:
    """The objects of a log; fails at a line that is none."""
    found = []
    for line in log.read_text().splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            pytest.fail(f"a line that is no JSON: {line!r}")
    assert all(
        isinstance(one, dict) and {"event", "level", "timestamp"} <= set(one) for one in found
    )
    return found


def test_through_deaths_attacks_and_a_stop(folder: Path) -> None:
    log = folder.with_suffix(".log")
    settings = {
        "CROUPIER_PROCESSES": "2",
        "CROUPIER_DATA_FOLDER": str(folder),
        "CROUPIER_CALLS_IN_VAIN": "200",
        "CROUPIER_LOG_LEVEL": "info",
    }
    with ServerProcess(settings, log) as server:
        open_table(server)
        rest = server.rest.removeprefix("http://")
        for name in ("noise", "answers not read", "streams begun and reset", "windows of nothing"):
            address = rest if ATTACKS[name].door == "rest" else server.grpc
            asyncio.run(attack(name, address))
        dead = children(server.pid)[0]
        os.kill(dead, signal.SIGKILL)
        until(lambda: len(children(server.pid)) == 2 and dead not in children(server.pid))
        assert server.stop() == 0
    found = lines(log)
    assert any("died" in one["event"] for one in found)
    assert any("in vain" in one["event"] for one in found)
    assert not any("never retrieved" in one["event"] for one in found)


async def attack(name: str, address: str) -> None:
    host, _, port = address.rpartition(":")
    await ATTACKS[name].run(Attacker(host, int(port), seconds=0.5, most=20))


def test_through_an_outage(folder: Path) -> None:
    with running() as server:
        log = server.folder / "service.log"
        with serving(server, settings={"CROUPIER_PROCESSES": "2"}) as game:
            game.plays()
            with grpc.insecure_channel(game.process.grpc) as channel:
                tables = TableServiceStub(channel)
                server.kill()
                for _ in range(60):
                    game.see()
                    with pytest.raises(grpc.RpcError):
                        tables.GetTable(GetTableRequest(table_id=game.table), timeout=2)
                    time.sleep(0.02)
                victim = children(game.process.pid)[0]
                os.kill(victim, signal.SIGKILL)  # its successor meets no database
                until(lambda: victim not in children(game.process.pid))
                time.sleep(1.5)
                server.start()
            until(game.ready)
            game.plays()
            assert game.process.stop() == 0
        found = lines(log)
    assert {one["event"] for one in found} >= {
        "the database does not answer",
        "the database answers again",
    }
    assert not any("never retrieved" in one["event"] for one in found)


def test_the_end_of_an_embedded_server(folder: Path) -> None:
    log = folder.with_suffix(".log")
    settings = {"CROUPIER_DATA_FOLDER": str(folder)}
    with ServerProcess(settings, log) as server:
        call(server, "guestTokens", body={})
        # A thread of its own started it, so it is that thread's child.
        tasks = Path(f"/proc/{server.pid}/task").glob("*/children")
        below = [int(pid) for task in tasks for pid in task.read_text().split()]
        (postgres,) = (pid for pid in below if "postgres" in command(pid))
        os.kill(postgres, signal.SIGKILL)
        assert server.has_died() == 1
    assert any("embedded server ended" in one["event"] for one in lines(log))
