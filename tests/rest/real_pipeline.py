"""The service behind the doors, on a store in memory."""

from db.memory_store import MemoryStore
from service.app.access import Access
from service.app.call import Pipeline
from service.app.clock import DatabaseClock
from service.keys import Keys
from service.serving import Service
from service.settings import Settings


def real_pipeline() -> Pipeline:
    """The pipeline that `croupier serve` has, on a store in memory, with guests."""
    store, clock, keys = MemoryStore(), DatabaseClock(), Keys.fresh()
    access = Access(keys.token_secret.encode(), store, clock, "house")
    return Service(Settings(), store, store, store, clock, keys, access).pipeline
