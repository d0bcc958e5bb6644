"""Serving: the one place that puts the parts together, from the settings down to the database."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, aclosing, contextmanager

import structlog
import uvloop

from db.audit_reader import PostgresAuditReader
from db.catalog import PostgresCatalog
from db.connections import connect
from db.embedded.server import EmbeddedPostgres
from db.event_store import PostgresStore
from db.history import PostgresHistory
from db.migrate import RUNTIME_ROLE, migrate, require_schema
from db.probe import Probe
from db.reach import plain_refusals
from service.audit.verify.verifier import Verifier
from service.errors import Mendable
from service.keys.key_file import Keys
from service.server.addresses import split_address
from service.server.data_folder import data_folder
from service.server.keys_in_use import keys_of
from service.server.logs import configure_logs
from service.server.process import Storage, serve_until_stopped
from service.server.settings import DATABASE_VARIABLE, Settings
from service.server.stopping import StoppedBefore
from service.server.supervisor import HeldPort, Processes

_log = structlog.get_logger(__name__)

FAULT = 70
"""The status of a fault of the program, the same as that of a command."""

_ADDRESSES = ("grpc_address", "rest_address")

Ending = Callable[[], AbstractContextManager[None]]
"""Ends a process: a line for what can be mended, a trace for a fault of the program."""


def serve(settings: Settings, say: Callable[[str], None], ending: Ending) -> int:
    """Serve on the database of the settings, or on an embedded one, until told to stop; the exit
    status. `say` prints the first screen, `ending` ends each serving process."""
    configure_logs(settings.log_level)
    died: list[int] = []
    try:
        status = _serve(settings, say, ending, died)
    except StoppedBefore:
        status = 0
    return 1 if died else status


def _serve(settings: Settings, say: Callable[[str], None], ending: Ending, died: list[int]) -> int:
    """Serve until told to stop; the exit status. `died` gets that of a database that did."""
    if not settings.embedded:
        database = settings.database_url.get_secret_value()
        in_use = keys_of(settings, None)
        with plain_refusals(database, DATABASE_VARIABLE):
            require_schema(database)
        return _serve_on(settings, in_use, database, "the PostgreSQL of the settings", say, ending)

    def database_died(status: int) -> None:
        died.append(status)
        _log.error("the embedded server ended; its own log says why", status=status)
        os.kill(os.getpid(), signal.SIGTERM)

    folder = data_folder(settings)
    with EmbeddedPostgres(folder, on_death=database_died) as server:
        in_use = keys_of(settings, folder)
        migrate(server.conninfo())
        database = server.conninfo(user=RUNTIME_ROLE)
        return _serve_on(settings, in_use, database, str(folder), say, ending)


def _serve_on(
    settings: Settings,
    in_use: Keys,
    database: str,
    data: str,
    say: Callable[[str], None],
    ending: Ending,
) -> int:
    """Serve on a database that is migrated, with as many processes as the settings say."""
    count = settings.processes or len(os.sched_getaffinity(0))

    began: list[bool] = []

    def say_at_last(text: str) -> None:
        began.append(True)
        say(text)

    def serve_here(show: Callable[[str], None]) -> None:
        def say_that_it_began(text: str) -> None:
            began.append(True)
            show(text)

        async def run() -> None:
            for_reads = settings.connections // 2
            async with (
                connect(database, size=settings.connections - for_reads) as commands,
                connect(database, size=for_reads) as reads,
                connect(database, size=settings.flushes) as appends,
                connect(database, size=1) as own,
                aclosing(Probe(database)) as probe,
            ):
                storage = Storage(
                    store=PostgresStore(commands, appends=appends),
                    reading=PostgresStore(reads),
                    own=PostgresStore(own),
                    catalog=PostgresCatalog(reads, own=own),
                    history=PostgresHistory(reads),
                    verifier=Verifier(PostgresAuditReader(reads)),
                    ask=probe.ask,
                    recovered=[pool.refill for pool in (commands, reads, appends, own)],
                )
                await serve_until_stopped(
                    settings,
                    in_use,
                    storage,
                    say_that_it_began,
                    data,
                    shared=count > 1,
                )

        with ending(), _in_log(began), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(run())

    if count == 1:
        serve_here(say)
        return 0
    # Held until the end, so that a process that dies can be replaced.
    held = {name: HeldPort(*split_address(getattr(settings, name))) for name in _ADDRESSES}
    settings = settings.model_copy(
        update={
            name: f"{getattr(settings, name).rpartition(':')[0]}:{port.port}"
            for name, port in held.items()
        }
    )
    return Processes(count, serve_here, say_at_last).run()


@contextmanager
def _in_log(began: Sequence[bool]) -> Iterator[None]:
    """What ends a process of a service that has begun is for its log, and not for whoever waits at
    the command line."""
    try:
        yield
    except Exception as error:
        if not began:
            raise
        if not isinstance(error, Mendable):
            _log.exception("a fault of the program")
            sys.exit(FAULT)
        _log.error("it can't go on", reason=str(error))
        sys.exit(1)
