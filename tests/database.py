"""The tests' PostgreSQL: which server, and a fresh migrated database for each test.

`TEST_DATABASE_URL` if it is set, else a container when a Docker engine answers, else the embedded
server; one server a worker. The schema is migrated once into a template.
"""

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from db.embedded.server import EmbeddedPostgres
from db.migrate import RUNTIME_ROLE, migrate


def choose_server() -> str:
    if os.environ.get("TEST_DATABASE_URL"):
        return "TEST_DATABASE_URL"
    return "container" if docker_answers() else "embedded"


def docker_answers() -> bool:
    host = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")
    if not host.startswith("unix://"):
        return True  # someone has named an engine elsewhere
    with socket.socket(socket.AF_UNIX) as engine:
        engine.settimeout(2)
        try:
            engine.connect(host.removeprefix("unix://"))
            engine.sendall(b"GET /_ping HTTP/1.1\r\nHost: docker\r\nConnection: close\r\n\r\n")
            return b" 200 " in engine.recv(100)
        except OSError:
            return False


@contextmanager
def run_server() -> Iterator[str]:
    """The connection string of a role that may create databases and roles."""
    match choose_server():
        case "TEST_DATABASE_URL":
            yield os.environ["TEST_DATABASE_URL"]
        case "container":
            from testcontainers.community.postgres import PostgresContainer

            with PostgresContainer("postgres:17", driver=None) as container:
                yield container.get_connection_url()
        case _:
            folder = Path(tempfile.mkdtemp(prefix="croupier-test-"))
            # What a test writes need not survive a power cut.
            with EmbeddedPostgres(folder, settings={"fsync": "off"}) as server:
                yield server.conninfo(database="postgres")
            shutil.rmtree(folder)


class Databases:
    """Makes databases from the migrated template, under names that no other worker uses."""

    def __init__(self, server: str, worker: str) -> None:
        self._server = server
        self._prefix = f"croupier_test_{worker}_{os.getpid()}"
        self._made = 0
        self.template = self.create_empty()
        migrate(self.conninfo(self.template))
        # The service logs in under its own role and sees all its sessions; here it takes the role
        # on in sessions of the owner, which it could not look into.
        self._execute(sql.SQL("GRANT pg_read_all_stats TO {}").format(sql.Identifier(RUNTIME_ROLE)))

    def conninfo(self, name: str) -> str:
        """How the owner connects."""
        return make_conninfo(self._server, dbname=name)

    def runtime_conninfo(self, name: str) -> str:
        """How the service connects: with the runtime role's rights."""
        return make_conninfo(self._server, dbname=name, options=f"-c role={RUNTIME_ROLE}")

    def create_empty(self) -> str:
        return self._create(sql.SQL("template0"))

    def create(self, like: str = "") -> str:
        """A copy of the migrated template, or of another database that nobody is connected to."""
        return self._create(sql.Identifier(like or self.template))

    def _create(self, template: sql.Composable) -> str:
        self._made += 1
        name = f"{self._prefix}_{self._made}"
        command = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        self._execute(command.format(sql.Identifier(name), template))
        return name

    def drop(self, name: str) -> None:
        self._execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def _execute(self, command: sql.Composed) -> None:
        with psycopg.connect(self._server, autocommit=True) as connection:
            connection.execute(command)
