from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.database import Databases
from tests.export.playing import play


class Played(NamedTuple):
    """A database that was played on, as the service and as the owner connect to it."""

    database: str
    owner: str
    tables: list[str]


@pytest.fixture(scope="session")
def played(databases: Databases) -> Iterator[Played]:
    """Rounds of two tables, yesterday; nobody is connected any more."""
    name = databases.create()
    database, owner = databases.runtime_conninfo(name), databases.conninfo(name)
    yield Played(database, owner, play(database, owner, rounds=30))
    databases.drop(name)
