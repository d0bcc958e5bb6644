"""What the soak tests run against: a PostgreSQL of their own, and serving processes at fixed ports.

A process that is killed comes back at the same addresses, so that clients find it again.
"""

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from db.embedded.server import EmbeddedPostgres
from db.memory_store import MemoryStore
from db.migrate import RUNTIME_ROLE, migrate
from service.calls.access import Access
from service.journal.clock import DatabaseClock
from service.keys.key_file import Keys
from tests.crash.server_process import ServerProcess

OPERATOR = "house"
NICE = 10
"""Client processes stand back: with real ones they would be on other machines."""
SETTINGS = {
    "fsync": "off",  # what is measured is the service, and power cuts are tested elsewhere
    "shared_preload_libraries": "pg_stat_statements",
    "max_connections": "200",
}


@dataclass
class Soak:
    """The database, its serving processes, and the keys that they share."""

    owner: str
    database: str
    folder: Path
    keys: Keys
    processes: list[ServerProcess | None] = field(default_factory=list)
    addresses: list[tuple[str, str]] = field(default_factory=list)
    """gRPC and REST of each process, as `host:port`."""

    def start(self, number: int) -> ServerProcess:
        """Start a process, or start it again where it was."""
        if number == len(self.processes):
            self.processes.append(None)
            self.addresses.append((_free_address(), _free_address()))
        grpc, rest = self.addresses[number]
        settings = {
            "CROUPIER_DATABASE_URL": self.database,
            "CROUPIER_TOKEN_SECRET": self.keys.token_secret,
            "CROUPIER_SEALING_KEYS": self.keys.sealing_keys,
            "CROUPIER_SIGNING_KEYS": self.keys.signing_keys,
            "CROUPIER_OPERATOR": OPERATOR,
            "CROUPIER_GRPC_ADDRESS": grpc,
            "CROUPIER_REST_ADDRESS": rest,
        }
        process = ServerProcess(settings, self.log)
        self.processes[number] = process
        return process

    def kill(self, number: int) -> None:
        """End a process at once."""
        process = self.processes[number]
        if process and process.runs:
            process.kill()

    @property
    def log(self) -> Path:
        """What the processes wrote."""
        return self.folder / "service.log"

    def token(self, player: str) -> str:
        """A player's token."""
        return token_of(self.keys.token_secret, player)

    def journal_tables(self) -> list[str]:
        """The tables that there are."""
        with psycopg.connect(self.owner) as connection:
            found = connection.execute("SELECT table_id FROM table_head ORDER BY opened_at")
            return [table_id for (table_id,) in found]

    def unfinished(self) -> int:
        """How many tables are not finished yet."""
        with psycopg.connect(self.owner) as connection:
            found = connection.execute("SELECT FROM table_head WHERE phase <> 'finished'")
            return found.rowcount


def token_of(secret: str, player: str) -> str:
    """A token for a player, as an operator's own server signs it."""
    access = Access(secret.encode(), MemoryStore(), DatabaseClock(), OPERATOR)
    return access.player_token(OPERATOR, player, 24 * 3600).token


def resident_kilobytes(process: ServerProcess) -> int:
    """The resident memory of a process."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise AssertionError("no VmRSS")


def load() -> str:
    """How busy the machine is: each figure stands beside it."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


@contextmanager
def soaking(processes: int) -> Iterator[Soak]:
    """A fresh database with so many serving processes, all ended at the end of the block."""
    with tempfile.TemporaryDirectory(prefix="croupier-soak-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        with EmbeddedPostgres(folder / "data", settings=SETTINGS) as server:
            owner = server.conninfo()
            migrate(owner)
            with psycopg.connect(owner, autocommit=True) as connection:
                connection.execute("CREATE EXTENSION pg_stat_statements")
            database = make_conninfo(owner, options=f"-c role={RUNTIME_ROLE}")
            soak = Soak(owner, database, folder, Keys.fresh())
            try:
                for number in range(processes):
                    soak.start(number)
                yield soak
            finally:
                for number in range(len(soak.processes)):
                    with suppress(ProcessLookupError):
                        soak.kill(number)


def _free_address() -> str:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{found.getsockname()[1]}"
