from collections.abc import AsyncIterator, Iterator

import psycopg
import pytest
from croupier.v1.access_service_pb2 import IssueGuestTokenRequest

from service.calls.access import hash_of_key
from tests.contract.doors import Door, open_door
from tests.contract.player import Caller
from tests.contract.server import OPERATOR_KEY, Server, running_server
from tests.contract.story import Story
from tests.database import Databases

RIVAL_KEY = "ck_the-other-operator"


@pytest.fixture(scope="session")
def contract_database(databases: Databases) -> Iterator[str]:
    """One database for all that the suite plays; each test opens tables of its own."""
    name = databases.create()
    with psycopg.connect(databases.conninfo(name), autocommit=True) as connection:
        connection.execute("INSERT INTO operator VALUES ('rival', %s)", [hash_of_key(RIVAL_KEY)])
    yield name
    databases.drop(name)


@pytest.fixture(scope="session")
def runtime(databases: Databases, contract_database: str) -> str:
    """How the service connects to it."""
    return databases.runtime_conninfo(contract_database)


@pytest.fixture(scope="session")
def owner(databases: Databases, contract_database: str) -> str:
    """How the owner of the data connects to it."""
    return databases.conninfo(contract_database)


@pytest.fixture(scope="session")
def server(runtime: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The service under test. Whatever the tests do, it must not fail at it."""
    with running_server(runtime, tmp_path_factory.mktemp("service")) as server:
        yield server
        assert server.process.runs
        log = server.log.read_text()
        assert "a call failed" not in log
        assert "the database refused a value" not in log
        assert "a call over REST failed" not in log
        assert "Traceback" not in log


@pytest.fixture(scope="session")
def second_server(runtime: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Another process on the same database."""
    with running_server(runtime, tmp_path_factory.mktemp("second-service")) as server:
        yield server


@pytest.fixture(params=["grpc", "rest"])
async def door(request: pytest.FixtureRequest, server: Server) -> AsyncIterator[Door]:
    """Each door in turn: whoever takes this runs through both."""
    async with open_door(request.param, server) as door:
        yield door


async def guest(door: Door) -> Caller:
    """A new player."""
    response = await door.call(IssueGuestTokenRequest())
    return Caller(door, response.token, response.player_id)


@pytest.fixture
async def player(door: Door) -> Caller:
    return await guest(door)


@pytest.fixture
def story(player: Caller) -> Story:
    return Story(player)


@pytest.fixture
async def stranger(door: Door) -> Caller:
    """Another player of the same operator."""
    return await guest(door)


@pytest.fixture
def operator(door: Door) -> Caller:
    return Caller(door, OPERATOR_KEY)


@pytest.fixture
def rival(door: Door) -> Caller:
    """Another operator."""
    return Caller(door, RIVAL_KEY)
