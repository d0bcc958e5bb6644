"""Readers of the feed, killed again and again while four processes write: nothing is missed."""

from tests.database import Databases, run_server
from tests.history.feed_run import FeedFault, Findings
from tests.history.feed_run import run as run_feed
from tests.soak.figures import Figures, progress


def run(tables: int, seconds: float) -> Figures:
    """The whole test; so many tables for each writer."""
    with run_server() as server:
        databases = Databases(server, "soak")
        name = databases.create()
        progress(f"four processes write for {seconds:.0f} seconds")
        try:
            findings = run_feed(
                databases.runtime_conninfo(name),
                databases.conninfo(name),
                writers=4,
                tables=tables,
                seconds=seconds,
                seed="soak",
            )
        except FeedFault as fault:
            return _figures(Findings(), str(fault))
        return _figures(findings, "none")


def _figures(findings: Findings, fault: str) -> Figures:
    figures = Figures()
    figures.add("rows that were written", str(findings.rows))
    figures.add("of them committed after a later one", str(findings.inverted))
    figures.add("readers killed", str(findings.kills))
    figures.add("rows delivered again", str(findings.repeated))
    figures.require("rows missing or out of order", fault, "none", fault == "none")
    return figures
