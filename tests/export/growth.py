"""How much a process grows while it exports 1,000,000 events, in each format.

    python -m tests.export.growth [--events 1000000] [--format csv ...]

A few rounds are played, and their rows copied by SQL under other tables' names; then `croupier
export events` runs in a process of its own, and says how large it was when its modules had been
imported (those of Parquet not among them), and at most. The largest growth allowed is 150 MB.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import psycopg

from tests.database import Databases, run_server
from tests.export.playing import play

LARGEST_GROWTH = 150
"""MB."""

COPY = """
INSERT INTO journal
SELECT table_id || '-' || n, version, round, actor, request_id, command, events, at + n, engine,
       hash
FROM journal, generate_series(1, %s) AS n
"""
COPY_HEADS = """
INSERT INTO table_head (table_id, operator, owner, rule_set_id, rule_set, opened_at, version, hash,
                        phase, round, round_version, shoe, deadline, at)
SELECT table_id || '-' || n, operator, owner, rule_set_id, rule_set, opened_at, version, hash,
       phase, round, round_version, shoe, 0, at
FROM table_head, generate_series(1, %s) AS n
"""
MEASURE = """
import resource, sys
import uvloop
import db.connections, db.history, service.cli.reports.export, service.server.settings
from service.cli.app import app
with open("/proc/self/statm") as statm:
    began = int(statm.read().split()[1]) * resource.getpagesize() // 1024
try:
    app(sys.argv[1:])
finally:
    print(began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def fill(owner: str, events: int) -> int:
    """Copy what was played until there are so many events; how many there are."""
    with psycopg.connect(owner, autocommit=True) as database:
        count = "SELECT sum(json_array_length(events::json)) FROM journal"
        found = database.execute(count.encode()).fetchone()
        assert found is not None
        played = int(found[0])
        copies = -(-events // played) - 1
        database.execute(COPY.encode(), [copies])
        database.execute(COPY_HEADS.encode(), [copies])
        database.execute("ANALYZE")
        return played * (copies + 1)


def measure(conninfo: str, name: str, folder: Path) -> tuple[float, float, str]:
    """Export to a file: MB before it begins, MB at most, and what the command said."""
    out = folder / f"events.{name}"
    done = subprocess.run(
        [
            *(sys.executable, "-c", MEASURE, "export", "events", "--operator", "house"),
            *("--out", str(out), "--format", name, "--database", conninfo),
        ],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"TERM": "dumb"},
    )
    *_, said, sizes = done.stderr.splitlines()
    before, peak = (int(size) / 1024 for size in sizes.split())
    megabytes = out.stat().st_size / 1e6
    out.unlink()
    return before, peak, f"{said}, {megabytes:.0f} MB"


def main() -> None:
    """Measure, print, and exit with 1 if a process grows too much."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--format", nargs="*", default=["csv", "jsonl", "parquet"])
    given = parser.parse_args()
    failed = False
    with run_server() as server, tempfile.TemporaryDirectory() as folder:
        databases = Databases(server, "growth")
        name = databases.create()
        play(databases.runtime_conninfo(name), databases.conninfo(name), rounds=200)
        print(f"{fill(databases.conninfo(name), given.events)} events")
        for form in given.format:
            conninfo = databases.runtime_conninfo(name)
            before, peak, said = measure(conninfo, form, Path(folder))
            failed |= peak - before >= LARGEST_GROWTH
            print(
                f"{form}: {before:.0f} MB, at most {peak:.0f}: grew by {peak - before:.0f}; {said}"
            )
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
