"""What a simulation prints: its figures, and how they compare with known ones."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from service.audit.simulate.check import Finding
from service.audit.simulate.figures import (
    FINALS,
    FREQUENCIES,
    UPCARDS,
    dealer_finals,
    edge,
    hands_histogram,
    mean,
    net_histogram,
    total_staked,
)
from service.audit.simulate.statistics import Mean
from service.audit.simulate.tally import Tally

CONFIDENCE = 1.96
"""Standard errors on either side of a mean that hold the truth in 95 of 100 runs."""


def progress_bar(console: Console) -> Progress:
    """A bar of rounds played."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
    )


def print_figures(console: Console, title: str, tally: Tally, stake: int) -> None:
    """Print the edge and every distribution."""
    figures = Table(title=title, title_justify="left")
    figures.add_column("a round")
    figures.add_column("mean", justify="right")
    figures.add_column("95 % between", justify="right")
    for name, figure in _means(tally, stake):
        around = CONFIDENCE * figure.error
        figures.add_row(
            name,
            f"{figure.mean:+.6f}" if name == "edge" else f"{figure.mean:.6f}",
            f"{figure.mean - around:.6f} and {figure.mean + around:.6f}",
        )
    console.print(figures)
    console.print(_shares("net, in stakes", sorted(net_histogram(tally, stake).items()), tally))
    console.print(_shares("hands at the end", sorted(hands_histogram(tally).items()), tally))
    console.print(_dealer(tally))


def print_findings(console: Console, findings: Sequence[Finding]) -> None:
    """Print what differs from the known figures, or that nothing does."""
    failed = [finding for finding in findings if not finding.holds]
    if not failed:
        console.print(f"[green]All {len(findings)} comparisons hold.[/green]")
        return
    table = Table(title=f"{len(failed)} of {len(findings)} comparisons fail", title_justify="left")
    for column in ("what", "expected", "found", "apart"):
        table.add_column(column)
    for finding in failed:
        table.add_row(finding.what, finding.expected, finding.found, finding.apart)
    console.print(table)


def _means(tally: Tally, stake: int) -> Iterator[tuple[str, Mean]]:
    yield "edge", edge(tally, stake)
    yield "total staked", total_staked(tally, stake)
    for name, counts in FREQUENCIES.items():
        yield name.replace("_", " "), mean(tally, counts)


def _shares(title: str, counts: Sequence[tuple[float, int]], tally: Tally) -> Table:
    table = Table(title)
    table.add_column("share of rounds", justify="right")
    for value, times in counts:
        table.add_row(f"{value:g}", f"{times / tally.rounds:.7f}")
    return table


def _dealer(tally: Tally) -> Table:
    table = Table("upcard", title="dealer's total, played out", title_justify="left")
    for final in FINALS:
        table.add_column(final, justify="right")
    for upcard in UPCARDS:
        counts = dealer_finals(tally, upcard)
        rounds = sum(counts) or 1
        table.add_row(upcard, *(f"{count / rounds:.6f}" for count in counts))
    return table
