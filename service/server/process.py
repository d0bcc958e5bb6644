"""One serving process: both doors over one pipeline, from the first call to the drain."""

import asyncio
import gc
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from service.api.registry import served_by
from service.api.request import LARGEST_REQUEST
from service.api.server import GrpcServer
from service.api.servicers.exports import Exports
from service.api.servicers.history import PastRounds
from service.api.servicers.rule_sets import RuleSets
from service.api.servicers.shoes import ShownShoes
from service.api.servicers.signing_keys import PublishedKeys
from service.api.servicers.tables import Tables
from service.api.servicers.tokens import Tokens
from service.api.servicers.verification import Verification
from service.api.servicers.voids import Voids
from service.api.servicers.watching import Watching
from service.calls.access import Access, Token, hash_of_key
from service.calls.availability import Availability, State
from service.calls.caller_limits import CallerLimits, Most
from service.calls.pipeline import Pipeline
from service.journal.clock import DatabaseClock
from service.journal.flush import Flusher
from service.journal.late_appends import LateAppends
from service.journal.ports import Catalog, Store
from service.journal.table_ids import derived_table_id
from service.keys.key_file import Keys
from service.keys.signing import parse_signing_keys
from service.keys.table_keys import parse_table_keys
from service.live.execute import Handler
from service.live.kept_tables import KeptTables
from service.live.lookup import Lookup
from service.live.read import Reader
from service.live.receipts import Receipts
from service.live.replay import Replay
from service.live.shown_tables import ShownTables
from service.live.sweeper import Sweeper
from service.live.void import Voiding
from service.live.watch import Watch
from service.records.history import History
from service.records.verification import TableVerifier
from service.rest.app import RestApp
from service.rest.http1.limits import Limits
from service.rest.server import RestServer
from service.server.addresses import networks, split_address
from service.server.file_limit import connections_of_a_door, raise_file_limit
from service.server.first_screen import first_screen
from service.server.monitor import Ask, Monitor
from service.server.settings import Settings
from service.server.stopping import AskedToStop, leave
from service.shoes.proofs import ShoeProver
from service.shoes.sealing import parse_sealing_keys
from service.shoes.vault import Vault

CLOCK_SECONDS = 0.5
"""How often the process asks the database for the time. Some process writes it down every second,
so that a time in which none served is known afterwards."""

OBJECTS_BETWEEN_COLLECTIONS = 20_000
"""A call makes hundreds of objects and hardly a cycle: Python's 700 look for garbage too often."""


@dataclass(frozen=True)
class Storage:
    """What is kept, behind its ports.

    When another process has died its clients resume here all at once. So `store`, which carries out
    commands, `reading`, and `own`, which looks for changes of other processes, may each go over
    connections of its own: then none stands in the queue of another. `ask` returns if the database
    answers within some seconds, and raises StoreUnavailable otherwise; `recovered` are told when it
    does again.
    """

    store: Store
    reading: Store
    own: Store
    catalog: Catalog
    history: History
    verifier: TableVerifier
    ask: Ask
    recovered: Sequence[Callable[[], Awaitable[None]]]


class Service:
    """What serves behind both doors: the pipeline, and what runs beside it."""

    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        clock: DatabaseClock,
        keys: Keys,
        access: Access,
        availability: Availability,
    ) -> None:
        catalog, history = storage.catalog, storage.history
        vault = Vault(parse_sealing_keys(keys.sealing_keys), lambda: os.urandom(32))
        table_keys = parse_table_keys(keys.sealing_keys)
        kept = KeptTables(settings.kept_tables)
        flusher = Flusher(storage.store, settings.flushes)
        late = LateAppends(flusher.append, partial(clock.refresh, catalog))
        handler = Handler(
            storage.store,
            clock,
            vault,
            kept,
            table_keys,
            late.append,
            lambda: clock.interruptions,
        )
        lookup = Lookup(catalog, table_keys)
        reader = Reader(storage.reading, catalog, vault, kept, lookup)
        replay = Replay(storage.reading, catalog, vault)
        self._watch = Watch(storage.own, replay, vault, reader)
        handler.on_commit(self._watch.publish)
        self._sweeper = Sweeper(
            catalog, handler, clock, settings.idle_close_seconds, lambda: clock.interruptions
        )
        self._clock, self._catalog = clock, catalog
        signing_keys = parse_signing_keys(keys.signing_keys)
        voiding = Voiding(handler, lookup, catalog)
        tables = ShownTables(
            handler,
            reader,
            self._watch,
            voiding,
            Receipts(signing_keys),
            clock.by_the_databases_clock,
        )
        rule_sets = RuleSets(catalog, clock)
        servicers = (
            Tables(tables, catalog, rule_sets, table_keys),
            Watching(tables, clock),
            rule_sets,
            PastRounds(lookup, history, tables),
            Voids(tables),
            Exports(lookup, history, catalog),
            ShownShoes(lookup, ShoeProver(storage.reading, catalog, vault)),
            Verification(lookup, storage.verifier),
            PublishedKeys(signing_keys.public),
            Tokens(access),
        )
        self.availability = availability
        self._monitor = Monitor(storage.ask, availability, storage.recovered)
        self.pipeline = Pipeline(
            *served_by(servicers), access, availability, _limits_of_callers(settings)
        )

    async def run_beside(self) -> None:
        """Keep the clock, sweep deadlines, watch for others' changes, and see whether the database
        answers, until cancelled."""
        await asyncio.gather(
            self._monitor.run(),
            self._clock.keep_fresh(self._catalog, CLOCK_SECONDS),
            self._sweeper.run(),
            self._watch.poll_for_ever(),
        )

    async def ready(self) -> bool:
        """Whether calls should be sent here."""
        return self.availability.serves

    def end_streams(self) -> None:
        """Tell every watcher that the server stops."""
        self._watch.stop()


async def serve_until_stopped(
    settings: Settings,
    keys: Keys,
    storage: Storage,
    show: Callable[[str], None],
    data: str,
    *,
    shared: bool,
) -> None:
    """Serve until SIGINT or SIGTERM, then drain; `show` prints the first screen.

    With `shared` other processes may serve on the same ports.
    """
    clock, catalog = DatabaseClock(), storage.catalog
    await clock.refresh(catalog)
    if keys.operator_key:
        await catalog.ensure_operator(settings.operator, hash_of_key(keys.operator_key))
    admits_guests = settings.embedded if settings.guests is None else settings.guests
    access = Access(
        keys.token_secret.encode(),
        catalog,
        clock,
        settings.operator if admits_guests else "",
        clock.lasting_until,
    )
    availability = Availability()
    service = Service(settings, storage, clock, keys, access, availability)
    host, port = split_address(settings.rest_address)
    rest_app = RestApp(service.pipeline, service.ready)
    rest = RestServer(
        rest_app,
        host,
        port,
        settings.drain_seconds,
        shared=shared,
        limits=_limits_of_rest(settings),
    )
    grpc_host, _ = split_address(settings.grpc_address)
    grpc = GrpcServer(
        service.pipeline,
        settings.grpc_address,
        availability,
        shared=shared,
        trusted=networks(settings.trusted_proxies),
        connections=_connections(settings, settings.grpc_connections, "CROUPIER_GRPC_CONNECTIONS"),
        calls_in_vain=settings.calls_in_vain,
    )
    await grpc.start()
    availability.become(State.SERVING)
    serving = asyncio.create_task(rest.serve())
    beside = asyncio.create_task(service.run_beside())
    asked = AskedToStop()
    # What has been made by now stays, and need not be looked through again.
    gc.freeze()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    guest = _first_guest(access, settings, keys) if admits_guests else None
    show(first_screen(f"{grpc_host}:{grpc.port}", f"{host}:{rest.port}", data, guest))
    stopped = asyncio.create_task(asked.wait())
    await asyncio.wait({stopped, serving, beside}, return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    await leave(availability, asked, settings.shutdown_delay_seconds)
    rest.stop()
    service.end_streams()
    await asyncio.gather(grpc.drain(settings.drain_seconds), serving)
    await service.pipeline.drain(settings.drain_seconds)
    if beside.done():
        await beside  # raises what ended it
    beside.cancel()


def _limits_of_callers(settings: Settings) -> CallerLimits:
    most = Most(**{name: getattr(settings, name) for name in Most.__struct_fields__})
    trusted = networks(settings.trusted_proxies)
    return CallerLimits(most.shared_by(settings.processes or 1), time.monotonic, trusted)


def _limits_of_rest(settings: Settings) -> Limits:
    connections = _connections(settings, settings.rest_connections, "CROUPIER_REST_CONNECTIONS")
    return Limits(
        body_bytes=LARGEST_REQUEST,
        keep_alive_seconds=settings.keep_alive_seconds,
        connections=connections,
    )


def _connections(settings: Settings, wanted: int, name: str) -> int:
    database = settings.connections + settings.flushes + 2
    return connections_of_a_door(wanted, raise_file_limit(), database, name)


def _first_guest(access: Access, settings: Settings, keys: Keys) -> tuple[str, str]:
    """A guest's token, and the id of the table that their request `open-1` will open."""
    token: Token = access.guest_token()
    request = (settings.operator, token.player, "open-1")
    nonce = parse_table_keys(keys.sealing_keys).nonces(*request)[0]
    return token.token, derived_table_id(*request, nonce)
