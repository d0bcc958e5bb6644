"""The service behind the doors, on a store in memory."""

from db.memory_store import MemoryStore
from service.calls.access import Access, hash_of_key
from service.calls.availability import Availability
from service.calls.pipeline import Pipeline
from service.journal.clock import DatabaseClock
from service.keys.key_file import Keys
from service.records.verification import Verdict
from service.server.process import Service, Storage
from service.server.settings import Settings
from tests.answers import answers

OPERATOR, OPERATOR_KEY = "house", "ck_house"


class NothingToVerify:
    """What is in memory is no evidence."""

    async def verify_table(self, table_id: str) -> Verdict | None:  # noqa: ARG002
        return None


def real_pipeline() -> Pipeline:
    """The pipeline that `croupier serve` has, on a store in memory, with guests and an operator."""
    store, clock, keys = MemoryStore(), DatabaseClock(), Keys.fresh()
    store._operators[OPERATOR] = hash_of_key(OPERATOR_KEY)
    access = Access(keys.token_secret.encode(), store, clock, OPERATOR)
    storage = Storage(store, store, store, store, store, NothingToVerify(), answers, ())
    return Service(Settings(), storage, clock, keys, access, Availability()).pipeline
