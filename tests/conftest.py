import os
from collections.abc import Iterator

import pytest

from tests.database import Databases, choose_server, run_server


def pytest_report_header() -> str:
    return f"database: {choose_server()}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests have measured: their property `report`."""
    for passed in terminalreporter.getreports("passed"):
        for name, value in passed.user_properties:
            if name == "report":
                terminalreporter.write_line(str(value))


@pytest.fixture(scope="session")
def worker() -> str:
    return os.environ.get("PYTEST_XDIST_WORKER", "main")


@pytest.fixture(scope="session")
def databases(worker: str) -> Iterator[Databases]:
    """The test server, with the schema migrated into a template."""
    with run_server() as server:
        made = Databases(server, worker)
        yield made
        made.drop(made.template)


@pytest.fixture
def database_name(databases: Databases) -> Iterator[str]:
    """A fresh, migrated database of the test's own."""
    name = databases.create()
    yield name
    databases.drop(name)


@pytest.fixture
def database(databases: Databases, database_name: str) -> str:
    """How the service connects to the test's own database."""
    return databases.runtime_conninfo(database_name)


@pytest.fixture
def owner_database(databases: Databases, database_name: str) -> str:
    """How the owner of the data connects to the same database."""
    return databases.conninfo(database_name)
