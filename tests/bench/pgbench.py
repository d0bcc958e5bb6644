"""PostgreSQL alone: pgbench sends the statements of the service's own appends.

They are the very texts of `db.append`, prepared, each a transaction of its own (autocommit), with
values as long as those that the service has written in the same run: the mean of the rows that
settle a round, which carry a summary, and the mean of those that do not, in the share in which they
came. As in the service each client has a table of its own, and no load comes with an append: the
service keeps the tables that it served last. Sealed shoes and seats are left out, because fewer
than one append in thirty has them.
"""

import json
import re
import subprocess
import tempfile
from pathlib import Path

import psycopg

from db.append import statement
from db.columns import HEAD, SUMMARY
from tests.bench.serving import Served

# Once a client: a table of its own, as a copy of one that the service has opened.
OPENING = f"""\
\\if :version = 0
SELECT rpad('pgbench' || :client_id || '-', 26, md5(random()::text)) AS table_id \\gset
INSERT INTO table_head ({", ".join(HEAD)})
SELECT {", ".join({"table_id": ":table_id", "version": "0"}.get(name, name) for name in HEAD)}
FROM table_head WHERE table_id NOT LIKE 'pgbench%' LIMIT 1;
\\endif
\\set expected :version
\\set version :version + 1
"""

# How long the service's rows are. Its first row of a table, which holds the rules, is left out.
MEANS = """
SELECT summary.version IS NOT NULL AS settles, count(*), avg(octet_length(command))::int,
       avg(octet_length(events))::int, avg(octet_length(actor))::int,
       avg(octet_length(request_id))::int
FROM journal LEFT JOIN round_summary AS summary USING (table_id, version)
WHERE journal.version > 1 AND table_id NOT LIKE 'pgbench%' GROUP BY settles
"""

MICROSECONDS = "1800000000000000"
STAKES = 100_000


class Pgbench:
    """Appends rows as long as those that the service has written by now."""

    def __init__(self, served: Served) -> None:
        self._served = served
        with psycopg.connect(served.database) as connection:
            self._means = connection.execute(MEANS).fetchall()

    def transactions_a_second(self, clients: int, seconds: float) -> float:
        """Let so many clients append, each on a connection of its own."""
        with tempfile.TemporaryDirectory(prefix="croupier-pgbench-") as folder:
            arguments = ["--define=version=0"]
            for settles, count, *lengths in self._means:
                file = Path(folder) / f"settles-{settles}.sql"
                file.write_text(_script(settles))
                arguments.append(f"--file={file}@{count}")
                arguments += [
                    f"--define={name}_{settles}={value}"
                    for name, value in _values(*lengths).items()
                ]
            command = [
                str(self._served.pgbench),
                "--no-vacuum",
                "--protocol=prepared",
                f"--client={clients}",
                f"--jobs={min(clients, 2)}",
                f"--time={round(seconds)}",
                *arguments,
                self._served.database,
            ]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        found = re.search(r"^tps = ([\d.]+)", done.stdout, re.MULTILINE)
        if done.returncode or not found:
            raise RuntimeError(f"pgbench failed: {done.stdout}{done.stderr}")
        return float(found[1])


def _script(settles: bool) -> str:
    """The service's statement, with pgbench's names for its values."""

    def written(named: re.Match[str]) -> str:
        name = named[1]
        match name:
            case "table_id" | "expected":
                return f":{name}"
            case "version" | "round" | "head_round_version":
                return ":version"
            case "request_id":
                return f":request_id_{settles} || :version"
            case "summaries":
                return f"format(:summaries_{settles}, :version::text)::json"
            case _:
                return f":{name}_{settles}"

    text = statement(opens=False, shoes=False, seats=False, summaries=settles).decode()
    return f"{OPENING}{re.sub(r'%[(]([a-z_]+)[)]s', written, text)};\n"


def _values(command: int, events: int, actor: int, request_id: int) -> dict[str, str]:
    """What every append writes; the parameters are the lengths of texts."""
    summary: dict[str, object] = dict.fromkeys(SUMMARY, STAKES) | {
        "table_id": 26 * "t",
        "round": "%s",
        "seat": 1,
        "player": actor * "a",
        "at": int(MICROSECONDS),
    }
    return {
        "actor": actor * "a",
        "request_id": (request_id - len("1000")) * "r",
        "command": command * "c",
        "events": events * "e",
        "at": MICROSECONDS,
        "engine": "1",
        "hash": "\\x" + 32 * "00",
        "head_phase": "turns",
        "head_shoe": "1",
        "head_deadline": "0",
        "head_free_seats": "0",
        "summaries": json.dumps([summary], separators=(",", ":")),
    }
