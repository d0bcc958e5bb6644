"""The command line, and the only place that knows every part: it wires them together."""

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="croupier",
    help="Blackjack as a service.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)


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

    from service.audit.hands.report import report

    raise typer.Exit(report(files, Console()))


def main() -> None:
    """Run the command line (the entry point `croupier`)."""
    app()
