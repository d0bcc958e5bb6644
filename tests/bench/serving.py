"""What is measured: a PostgreSQL of the bench's own, and one serving process on it."""

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from db.embedded.server import EmbeddedPostgres
from db.embedded.server_programs import programs_for_server
from db.migrate import migrate
from service.calls.caller_limits import Most
from service.keys.key_file import Keys

ROLE = "croupier_service"


@dataclass(frozen=True)
class Served:
    """Where the service listens, how its role reaches the database, and where pgbench is."""

    grpc: str
    rest: str
    database: str
    pgbench: Path
    process: int

    def guest_token(self) -> str:
        """A new guest's token."""
        asked = urllib.request.Request(f"http://{self.rest}/v1/guestTokens", b"{}", method="POST")
        with urllib.request.urlopen(asked, timeout=10) as answer:
            token: str = json.load(answer)["token"]
        return token


@contextmanager
def serve() -> Iterator[Served]:
    """Serve from a new folder, with the settings that a server has by default."""
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as name:
        # The server's own folder, so that root can give it to the server's user.
        Path(name).chmod(0o755)
        folder = Path(name) / "data"
        with EmbeddedPostgres(folder) as server:
            migrate(server.conninfo())
            database = server.conninfo(user=ROLE)
            programs = programs_for_server(folder)
            with _process(database) as (process, grpc, rest):
                yield Served(grpc, rest, database, programs / "pgbench", process)


@contextmanager
def _process(database: str) -> Iterator[tuple[int, str, str]]:
    keys = Keys.fresh()
    environment = {name: value for name, value in os.environ.items() if "CROUPIER" not in name} | {
        "CROUPIER_DATABASE_URL": database,
        "CROUPIER_TOKEN_SECRET": keys.token_secret,
        "CROUPIER_SEALING_KEYS": keys.sealing_keys,
        "CROUPIER_SIGNING_KEYS": keys.signing_keys,
        "CROUPIER_GUESTS": "true",
        "CROUPIER_GRPC_ADDRESS": "127.0.0.1:0",
        "CROUPIER_REST_ADDRESS": "127.0.0.1:0",
        # All players of the bench have one address, and play faster than people.
        **{f"CROUPIER_{name.upper()}": "0" for name in Most.__struct_fields__},
    }
    croupier = Path(sys.executable).with_name("croupier")
    with subprocess.Popen(
        [croupier, "serve"], env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process.pid, *_addresses(process)
        finally:
            process.terminate()


def _addresses(process: "subprocess.Popen[str]") -> tuple[str, str]:
    """Where it listens, from its first screen."""
    assert process.stdout is not None
    found: dict[str, str] = {}
    for line in process.stdout:
        if named := re.match(r" +(gRPC|REST) +(?:http://)?([\d.]+:\d+)", line):
            found[named[1]] = named[2]
        if line.startswith("Stop with"):
            return found["gRPC"], found["REST"]
    raise RuntimeError("the service did not start")
