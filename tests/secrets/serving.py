"""A whole service for each of two twins: both doors, the pipeline, a store in memory.

Keys, clock, seeds and ids are the same for both. So is all that chance publishes, which comes from
seeds that are the same; only the cards are those of the twin's game.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, NamedTuple
from unittest.mock import patch

import grpc
from msgspec.structs import replace

from db.memory_store import MemoryStore
from service.api.server import GrpcServer
from service.audit.verify.verifier import Verifier
from service.calls.access import Access, hash_of_key
from service.calls.availability import Availability, State
from service.journal.clock import DatabaseClock
from service.journal.table_ids import derived_table_id
from service.keys.key_file import Keys
from service.keys.table_keys import parse_table_keys
from service.rest.app import RestApp
from service.rest.server import RestServer
from service.server import process as assembly
from service.server.settings import Settings
from service.shoes.chance import SeededChance
from service.shoes.sealing import SealingKeys
from service.shoes.vault import Vault
from tests.answers import answers
from tests.secrets.audit import MemoryAuditReader
from tests.secrets.raw_doors import RawDoor, RawGrpc, RawRest

KEYS = Keys(
    "the twins' tokens are signed with this", f"k1:{'5e' * 32}", "ck_house", f"s1:{'1f' * 32}"
)
OPERATOR, RIVAL, RIVAL_KEY = "house", "rival", "ck_rival"
OPENER = "p1"
NONCE = parse_table_keys(KEYS.sealing_keys).nonces(OPERATOR, OPENER, "move-0")[0]
TABLE_ID = derived_table_id(OPERATOR, OPENER, "move-0", NONCE)
"""The table that the game is played at."""

Cards = Callable[[int, int], str]


class TwinShoes(Vault):
    """Gives the table of the game its cards; other tables have those of their seeds."""

    def __init__(self, keys: SealingKeys, cards: Cards) -> None:
        seeds = count(1)
        super().__init__(keys, lambda: next(seeds).to_bytes(32, "big"))
        self._cards = cards

    def chance(self, table_id: str, *given: Any, **named: Any) -> SeededChance:
        chance = super().chance(table_id, *given, **named)
        if table_id == TABLE_ID:
            vars(chance)["card"] = self._cards  # the rest of it stays what the seeds make of it
        return chance


class StandingClock(DatabaseClock):
    """A clock that stands until the game moves it."""

    def __init__(self) -> None:
        super().__init__()
        self.time = 1_000_000

    def now(self) -> int:
        return self.time


class SettledStore(MemoryStore):
    """Nobody appends while a twin is looked at: the feed and the exports show all there is."""

    async def horizon(self) -> int:
        return self._clock() + 1


class Stack(NamedTuple):
    """The service of one twin."""

    store: MemoryStore
    clock: StandingClock
    access: Access
    service: assembly.Service
    doors: dict[str, RawDoor]

    def rows(self) -> str:
        """All that is stored, the sealed seeds aside: they are sealed with a nonce each."""
        kept = {name: held for name, held in vars(self.store).items() if name != "_clock"}
        kept["_shoes"] = [
            replace(shoe, sealed=b"") for shoes in self.store._shoes.values() for shoe in shoes
        ]
        return repr(kept)


@asynccontextmanager
async def serving(cards: Cards) -> AsyncIterator[Stack]:
    """Serve behind both doors until the end of the block."""
    clock = StandingClock()
    store = SettledStore(clock.now)
    verifier = Verifier(MemoryAuditReader(store))
    storage = assembly.Storage(store, store, store, store, store, verifier, answers, ())
    await store.ensure_operator(OPERATOR, hash_of_key(KEYS.operator_key))
    await store.ensure_operator(RIVAL, hash_of_key(RIVAL_KEY))
    access = Access(KEYS.token_secret.encode(), store, clock, OPERATOR)
    with patch.object(assembly, "Vault", lambda keys, *_: TwinShoes(keys, cards)):
        service = assembly.Service(Settings(), storage, clock, KEYS, access, Availability())
    rest = RestServer(RestApp(service.pipeline, service.ready), "127.0.0.1", 0, 1.0)
    grpc_server = GrpcServer(service.pipeline, "127.0.0.1:0", service.availability)
    await grpc_server.start()
    service.availability.become(State.SERVING)
    serving_rest = asyncio.create_task(rest.serve())
    channel = grpc.aio.insecure_channel(f"127.0.0.1:{grpc_server.port}")
    http = RawRest(rest.port)
    try:
        async with channel:
            doors: dict[str, RawDoor] = {"grpc": RawGrpc(channel), "rest": http}
            yield Stack(store, clock, access, service, doors)
    finally:
        await http.close()
        service.end_streams()
        rest.stop()
        await asyncio.gather(grpc_server.drain(0.1), serving_rest)
