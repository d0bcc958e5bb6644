"""What a soak test reports: figures, and which of them fail."""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

STARTED = time.monotonic()


@dataclass
class Figures:
    """The rows of the summary: what was measured, what it is, and what it must be."""

    rows: list[tuple[str, str, str, bool]] = field(default_factory=list)

    def add(self, name: str, value: str) -> None:
        """A figure that can't fail."""
        self.rows.append((name, value, "", True))

    def require(self, name: str, value: str, wanted: str, holds: bool) -> None:
        """A figure that has to hold."""
        self.rows.append((name, value, wanted, holds))

    @property
    def failed(self) -> bool:
        return not all(holds for *_, holds in self.rows)

    def table(self) -> str:
        """The summary, a line for each figure."""
        names = max(len(row[0]) for row in self.rows)
        values = max(len(row[1]) for row in self.rows)
        return "\n".join(
            f"  {name:<{names}}  {value:<{values}}  "
            f"{'' if not wanted else ('ok' if holds else 'FAILED') + ': ' + wanted}".rstrip()
            for name, value, wanted, holds in self.rows
        )


def progress(text: str) -> None:
    """Say how far the test is."""
    print(f"[{time.monotonic() - STARTED:6.1f} s] {text}", file=sys.stderr, flush=True)


def quantile(values: Sequence[float], part: float) -> float:
    """The value below which this part of the values lies; 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0
