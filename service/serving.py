"""One serving process: both doors over one pipeline, from the first call to the drain."""

import asyncio
import gc
import os
import signal
from collections.abc import Callable

from service.api.history import History
from service.api.rule_sets import RuleSets
from service.api.server import GrpcServer
from service.api.tables import Tables
from service.api.tokens import Tokens
from service.app.access import Access, Token, hash_of_key
from service.app.call import Pipeline
from service.app.clock import DatabaseClock
from service.app.engine import Shoes
from service.app.flush import Flusher
from service.app.handle import Handler, derived_table_id
from service.app.kept_engines import KeptEngines
from service.app.ports import Catalog, Clock, Store, StoreUnavailable
from service.app.read import Reader
from service.app.sealing import parse_sealing_keys
from service.first_screen import first_screen
from service.keys import Keys
from service.rest.app import RestApp
from service.rest.server import RestServer
from service.settings import Settings, split_address

CLOCK_SECONDS = 10.0
"""How often the process asks the database for the time."""

OBJECTS_BETWEEN_COLLECTIONS = 20_000
"""A call makes hundreds of objects and hardly a cycle: Python's 700 look for garbage too often."""


def build_pipeline(
    settings: Settings, store: Store, catalog: Catalog, clock: Clock, keys: Keys, access: Access
) -> Pipeline:
    """The pipeline with every method of the contract behind it."""
    shoes = Shoes(parse_sealing_keys(keys.sealing_keys), lambda: os.urandom(32))
    kept = KeptEngines(settings.kept_tables)
    handler = Handler(store, clock, shoes, kept, Flusher(store, settings.flushes).append)
    reader = Reader(store, catalog, shoes, kept, handler)
    rule_sets = RuleSets(catalog, clock)
    return Pipeline(
        {
            **Tables(handler, reader, catalog, rule_sets).methods(),
            **rule_sets.methods(),
            **History(reader, catalog).methods(),
            **Tokens(access).methods(),
        },
        access,
    )


async def serve_until_stopped(
    settings: Settings,
    keys: Keys,
    store: Store,
    catalog: Catalog,
    show: Callable[[str], None],
    data: str,
) -> None:
    """Serve until SIGINT or SIGTERM, then drain; `show` prints the first screen."""
    clock = DatabaseClock()
    await clock.refresh(catalog)
    if keys.operator_key:
        await catalog.ensure_operator(settings.operator, hash_of_key(keys.operator_key))
    admits_guests = settings.embedded if settings.guests is None else settings.guests
    access = Access(
        keys.token_secret.encode(), catalog, clock, settings.operator if admits_guests else ""
    )
    pipeline = build_pipeline(settings, store, catalog, clock, keys, access)

    async def ready() -> bool:
        try:
            await catalog.database_time()
        except StoreUnavailable:
            return False
        return True

    host, port = split_address(settings.rest_address)
    rest = RestServer(RestApp(pipeline, ready), host, port, settings.drain_seconds)
    grpc_host, _ = split_address(settings.grpc_address)
    grpc = GrpcServer(pipeline, settings.grpc_address)
    await grpc.start()
    serving = asyncio.create_task(rest.serve())
    fresh = asyncio.create_task(clock.keep_fresh(catalog, CLOCK_SECONDS))
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    # What has been made by now stays, and need not be looked through again.
    gc.freeze()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    guest = _first_guest(access, settings) if admits_guests else None
    show(first_screen(f"{grpc_host}:{grpc.port}", f"{host}:{rest.port}", data, guest))
    stopped = asyncio.create_task(stop.wait())
    await asyncio.wait({stopped, serving}, return_when=asyncio.FIRST_COMPLETED)
    rest.stop()
    await asyncio.gather(grpc.drain(settings.drain_seconds), serving)
    await pipeline.drain(settings.drain_seconds)
    for task in (fresh, stopped):
        task.cancel()


def _first_guest(access: Access, settings: Settings) -> tuple[str, str]:
    token: Token = access.guest_token()
    return token.token, derived_table_id(settings.operator, token.player, "open-1")
