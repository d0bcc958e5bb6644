"""Clients with the usual retries notice nothing of processes that stop or die."""

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from db.reach import reach
from tests.crash.rolling import GrpcClient, Player, RestClient, Supervised, play_through
from tests.crash.server_process import ServerProcess
from tests.crash.test_processes import call, children

LONG = "LONG_TESTS"
CLIENTS, ENDS = (32, 20) if os.environ.get(LONG) else (8, 2)
"""The second: how often each signal is sent."""


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="croupier-rolling-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


async def test_stock_clients_notice_nothing(folder: Path) -> None:
    settings = {
        "CROUPIER_PROCESSES": "2",
        "CROUPIER_DATA_FOLDER": str(folder / "data"),
        "CROUPIER_SHUTDOWN_DELAY_SECONDS": "0.5",
    }
    with ServerProcess(settings, folder / "log") as server:
        rest = server.rest.removeprefix("http://")
        players = []
        for number in range(CLIENTS):
            token = call(server, "guestTokens", body={})["token"]
            client = RestClient(rest, token) if number % 2 else GrpcClient(server.grpc, token)
            players.append(Player(client))
        ends = [signal.SIGTERM, signal.SIGKILL] * ENDS
        found = await play_through(players, ends, Supervised(lambda: children(server.pid), 2))
        with reach(folder / "data") as database, psycopg.connect(database) as connection:
            rows: dict[str, int] = dict(
                connection.execute("SELECT table_id, count(*) FROM journal GROUP BY table_id")
            )
        assert server.stop() == 0
    print(f"{sum(player.accepted for player in players)} steps, {len(ends)} processes ended")
    assert found == {}
    assert all(player.accepted > 10 for player in players)
    assert rows == {player.table_id: player.accepted for player in players}
