"""The result of verification: the counts over all tables, and how faults are worded."""

from collections.abc import Iterator

import msgspec

from service.records.verification import Verdict


class Summary(msgspec.Struct):
    """Counts over the verdicts; see `Verdict` for what each one means."""

    tables: int = 0
    wrong: int = 0
    rows: int = 0
    events: int = 0
    pending: int = 0
    hidden: int = 0
    unproved: int = 0
    seconds: float = 0.0

    def add(self, verdict: Verdict) -> None:
        """Count one more table."""
        self.tables += 1
        self.wrong += verdict.fault is not None
        self.rows += verdict.rows
        self.events += verdict.events
        self.pending += verdict.pending
        self.hidden += verdict.hidden
        self.unproved += verdict.unproved

    def lines(self) -> Iterator[str]:
        """The counts in words."""
        yield f"{self.tables} tables, {self.rows} rows, {self.events} events, {self.seconds:.1f} s"
        if self.hidden:
            yield (
                f"{self.hidden} cards lie face down; rows to be decided"
                f" again when they are turned up: {self.pending}"
            )
        if self.unproved:
            yield (
                f"{self.unproved} turned up, pending: the seeds of their shoes are not revealed"
                " yet; proofs or the sealing keys would tell"
            )
        yield f"wrong tables: {self.wrong}"


def told(verdict: Verdict) -> str:
    """A fault in words."""
    fault = verdict.fault
    if fault is None:
        return f"table {verdict.table_id}: right"
    row = f", row {fault.version}" if fault.version else ""
    return f"table {verdict.table_id}{row}: {fault.kind}: {fault.message}"
