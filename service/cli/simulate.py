"""`croupier simulate`: many rounds by a fixed strategy."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli.endings import UNANSWERED, ending


@ending(UNANSWERED)
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
