"""Two serving processes on one database, started once for all tests of a worker."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.crash.grpc_player import Channel, channels_to
from tests.crash.server_process import ServerProcess
from tests.crash.shared_database import SharedDatabase
from tests.database import Databases


@pytest.fixture(scope="session")
def shared(databases: Databases) -> Iterator[SharedDatabase]:
    name = databases.create()
    with tempfile.TemporaryDirectory() as folder:
        yield SharedDatabase(
            databases.runtime_conninfo(name), databases.conninfo(name), Path(folder)
        )
    databases.drop(name)


@pytest.fixture(scope="session")
def servers(shared: SharedDatabase) -> Iterator[list[ServerProcess]]:
    with shared.two() as servers:
        yield servers


@pytest.fixture
async def channels(servers: list[ServerProcess]) -> AsyncIterator[list[Channel]]:
    async with channels_to(servers) as channels:
        yield channels
