"""What the kills came to, as a table: how often each point was hit, and how fast play went on."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median

from rich.table import Table

from tests.crash.crash_run import Kill, Point


def kills_table(kills: Mapping[Point, Sequence[Kill]]) -> Table:
    """A row a point."""
    table = Table("killed", "times", "with", "was in", "restart, seconds: median, most")
    for point, each in kills.items():
        restarts = [kill.restart_seconds for kill in each]
        commands = Counter(kill.command for kill in each)
        table.add_row(
            point,
            str(len(each)),
            ", ".join(f"{times} {command}" for command, times in commands.most_common()),
            str(sum(kill.took_effect for kill in each)),
            f"{median(restarts):.1f}, {max(restarts):.1f}",
        )
    return table
