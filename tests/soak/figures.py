"""What a soak test reports: figures, and which of them fail."""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

STARTED = time.monotonic()


class Figure(NamedTuple):
    """What was measured, what it is, what it must be (empty: nothing), and whether it is so.

    `timed` marks what a busy machine can spoil.
    """

    name: str
    value: str
    wanted: str = ""
    holds: bool = True
    timed: bool = False


@dataclass
class Figures:
    """The rows of the summary."""

    rows: list[Figure] = field(default_factory=list)

    def add(self, name: str, value: str) -> None:
        """A figure that can't fail."""
        self.rows.append(Figure(name, value))

    def require(
        self, name: str, value: str, wanted: str, holds: bool, *, timed: bool = False
    ) -> None:
        """A figure that has to hold."""
        self.rows.append(Figure(name, value, wanted, holds, timed))

    @property
    def failed(self) -> list[Figure]:
        return [row for row in self.rows if not row.holds]

    def table(self) -> str:
        """The summary, a line for each figure."""
        names = max(len(row.name) for row in self.rows)
        values = max(len(row.value) for row in self.rows)
        return "\n".join(
            f"  {row.name:<{names}}  {row.value:<{values}}  {_verdict(row)}".rstrip()
            for row in self.rows
        )


def _verdict(row: Figure) -> str:
    return f"{'ok' if row.holds else 'FAILED'}: {row.wanted}" if row.wanted else ""


def progress(text: str) -> None:
    """Say how far the test is."""
    print(f"[{time.monotonic() - STARTED:6.1f} s] {text}", file=sys.stderr, flush=True)


def quantile(values: Sequence[float], part: float) -> float:
    """The value below which this part of the values lies; 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0
