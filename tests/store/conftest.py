"""One suite, two stores: whatever takes `store` or `catalog` runs on both."""

from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest

from db.catalog import PostgresCatalog
from db.connections import connect
from db.event_store import PostgresStore
from db.history import PostgresHistory
from db.memory_store import MemoryStore
from service.journal.ports import Catalog, Store
from service.records.history import History


class Both(NamedTuple):
    store: Store
    catalog: Catalog
    history: History


@pytest.fixture(params=["memory", "postgres"])
async def both(request: pytest.FixtureRequest) -> AsyncIterator[Both]:
    if request.param == "memory":
        memory = MemoryStore()
        yield Both(memory, memory, memory)
        return
    async with connect(request.getfixturevalue("database"), size=4) as database:
        yield Both(PostgresStore(database), PostgresCatalog(database), PostgresHistory(database))


@pytest.fixture
def store(both: Both) -> Store:
    return both.store


@pytest.fixture
def catalog(both: Both) -> Catalog:
    return both.catalog
