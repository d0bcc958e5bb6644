"""The command line, and the only place that knows every part: it wires them together."""

from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.endings import plain_errors
from service.cli.evidence import digest, receipt
from service.cli.export import export
from service.cli.sources import data_folder
from service.cli.verify import verify

if TYPE_CHECKING:
    from service.keys.key_file import Keys
    from service.server.settings import Settings

_ADDRESSES = ("grpc_address", "rest_address")

app = typer.Typer(
    name="croupier",
    help="Blackjack as a service.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)
app.command()(digest)
app.command()(receipt)
app.command()(verify)
app.add_typer(export, name="export")


def print_version(asked: bool) -> None:
    """Print the version and leave."""
    if asked:
        typer.echo(f"croupier {version('croupier')}")
        raise typer.Exit


@app.callback()
def croupier(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Blackjack as a service."""


@app.command()
def hands(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Hand histories, YAML.")],
) -> None:
    """Play scripted rounds, and say whether each came out as it is written down."""
    from rich.console import Console

    from service.cli.reports.hands import report

    raise typer.Exit(report(files, Console()))


@app.command()
def simulate(
    preset: Annotated[str, typer.Argument(help="The rule set to start from.")],
    strategy: Annotated[Path, typer.Option(help="What the player does, YAML.")],
    rounds: Annotated[int, typer.Option(min=1, help="How many rounds to play.")] = 1_000_000,
    seed: Annotated[str, typer.Option(help="The same seed gives the same rounds.")] = "1",
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="An option that differs from the preset's."),
    ] = None,
    policy: Annotated[str, typer.Option(help="A stress policy of the strategy file.")] = "",
    fresh_shoe: Annotated[
        bool, typer.Option("--fresh-shoe", help="Shuffle for every round, with endless stacks.")
    ] = False,
    check: Annotated[
        Path | None, typer.Option(help="Known figures to compare with (implies --fresh-shoe).")
    ] = None,
    processes: Annotated[int, typer.Option(min=0, help="0: one for each core.")] = 0,
) -> None:
    """Play many rounds by a fixed strategy: the edge, and how the outcomes are distributed."""
    from rich.console import Console

    from service.cli.reports.simulate import run_simulation

    raise typer.Exit(
        run_simulation(
            Console(),
            preset,
            rounds=rounds,
            strategy=strategy,
            seed=seed,
            options=option or (),
            policy=policy,
            fresh_shoe=fresh_shoe,
            check=check,
            processes=processes,
        )
    )


@app.command()
def keys() -> None:
    """Make new keys, as the environment of servers that share a database needs them."""
    from service.keys.key_file import Keys

    made = Keys.fresh()
    typer.echo(f"CROUPIER_TOKEN_SECRET={made.token_secret}")
    typer.echo(f"CROUPIER_SEALING_KEYS={made.sealing_keys}")
    typer.echo(f"CROUPIER_SIGNING_KEYS={made.signing_keys}")
    typer.echo(f"CROUPIER_OPERATOR_KEY={made.operator_key}")


@app.command()
def migrate(
    database: Annotated[str, typer.Argument(help="The database, as its owner reaches it.")],
) -> None:
    """Bring a database's schema to the newest revision."""
    from db.migrate import migrate as run
    from db.reach import plain_refusals

    with plain_errors(), plain_refusals(database):
        run(database)


@app.command()
def serve() -> None:
    """Serve gRPC and REST; every setting comes from the environment (CROUPIER_...)."""
    from service.server.settings import Settings

    with plain_errors():
        _serve(Settings())


def _serve(settings: "Settings") -> None:
    """Serve on the database of the settings, or on an embedded one, until told to stop."""
    import os
    import signal

    from db.embedded.server import EmbeddedPostgres
    from db.migrate import migrate as run
    from db.migrate import require_schema
    from db.reach import plain_refusals
    from service.server.keys_in_use import keys_of
    from service.server.logs import configure_logs

    configure_logs(settings.log_level)
    if not settings.embedded:
        database = settings.database_url.get_secret_value()
        in_use = keys_of(settings, None)
        with plain_refusals(database):
            require_schema(database)
        _serve_on(settings, in_use, database, "the PostgreSQL of the settings")
        return

    def database_died(status: int) -> None:
        typer.echo(f"croupier: the embedded server ended (status {status}); see its log", err=True)
        os.kill(os.getpid(), signal.SIGTERM)

    folder = data_folder(settings)
    with EmbeddedPostgres(folder, on_death=database_died) as server:
        in_use = keys_of(settings, folder)
        run(server.conninfo())
        _serve_on(settings, in_use, server.conninfo(user="croupier_service"), str(folder))


def _serve_on(settings: "Settings", in_use: "Keys", database: str, data: str) -> None:
    """Serve on a database that is migrated, with as many processes as the settings say."""
    import asyncio
    import os
    from collections.abc import Callable

    import uvloop

    from db.audit_reader import PostgresAuditReader
    from db.catalog import PostgresCatalog
    from db.connections import connect
    from db.event_store import PostgresStore
    from db.history import PostgresHistory
    from service.audit.verify.verifier import Verifier
    from service.server.process import Storage, serve_until_stopped
    from service.server.settings import split_address
    from service.server.supervisor import HeldPort, Processes

    count = settings.processes or len(os.sched_getaffinity(0))

    def serve_here(show: Callable[[str], None]) -> None:
        async def run() -> None:
            for_reads = settings.connections // 2
            async with (
                connect(database, size=settings.connections - for_reads) as commands,
                connect(database, size=for_reads) as reads,
                connect(database, size=settings.flushes) as appends,
                connect(database, size=1) as own,
            ):
                storage = Storage(
                    store=PostgresStore(commands, appends=appends),
                    reading=PostgresStore(reads),
                    own=PostgresStore(own),
                    catalog=PostgresCatalog(reads, own=own),
                    history=PostgresHistory(reads),
                    verifier=Verifier(PostgresAuditReader(reads)),
                )
                await serve_until_stopped(
                    settings,
                    in_use,
                    storage,
                    show,
                    data,
                    shared=count > 1,
                )

        with plain_errors(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(run())

    if count == 1:
        serve_here(typer.echo)
        return
    # Held until the end, so that a process that dies can be replaced.
    held = {name: HeldPort(*split_address(getattr(settings, name))) for name in _ADDRESSES}
    settings = settings.model_copy(
        update={
            name: f"{getattr(settings, name).rpartition(':')[0]}:{port.port}"
            for name, port in held.items()
        }
    )
    status = Processes(count, serve_here, typer.echo).run()
    if status:
        raise typer.Exit(status)


def main() -> None:
    """Run the command line (the entry point `croupier`)."""
    app()
