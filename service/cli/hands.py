"""`croupier hands`: scripted rounds."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli.endings import UNANSWERED, ending


@ending(UNANSWERED)
def hands(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Hand histories, YAML.")],
) -> None:
    """Play scripted rounds, and say whether each came out as it is written down."""
    from rich.console import Console

    from service.cli.reports.hands import report

    raise typer.Exit(report(files, Console()))
