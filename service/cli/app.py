"""The command line: `croupier` and its commands, a file each."""

from importlib.metadata import version
from typing import Annotated

import typer

from service.cli.endings import ending
from service.cli.evidence import digest, receipt
from service.cli.export import export
from service.cli.hands import hands
from service.cli.keys import keys
from service.cli.migrate import migrate
from service.cli.output import watch_standard_output
from service.cli.serve import serve
from service.cli.simulate import simulate
from service.cli.verify import verify

COMMANDS = (hands, simulate, keys, migrate, serve, digest, receipt, verify)

app = typer.Typer(
    name="croupier",
    help="Blackjack as a service.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
for command in COMMANDS:
    app.command()(command)
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


def main() -> None:
    """Run the command line (the entry point `croupier`)."""
    watch_standard_output()
    with ending():
        app()
