"""A PostgreSQL server of a test's own, to be troubled, and a service on it."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import psycopg
from psycopg.conninfo import make_conninfo

from db.embedded.server import EmbeddedPostgres
from db.embedded.server_programs import programs_for_server
from db.migrate import RUNTIME_ROLE, migrate
from service.keys.key_file import Keys
from tests.crash.server_process import ServerProcess

SECONDS = 15.0
"""How long anything may take before a test gives up."""


@dataclass
class Server:
    """PostgreSQL in a folder: started, stopped for a while, killed, started again."""

    folder: Path
    settings: Mapping[str, str]
    postgres: EmbeddedPostgres | None = None

    def start(self) -> None:
        self.postgres = EmbeddedPostgres(self.folder / "data", settings=self.settings)
        self.postgres.start()

    def stop(self) -> None:
        if self.postgres is not None:
            self.postgres.stop()
            self.postgres = None

    def kill(self) -> None:
        """kill -9 of the server and all that it started."""
        self.signal_all(signal.SIGKILL)
        self.stop()

    def signal_all(self, number: int) -> None:
        """A signal to the server, then to each of its processes, which have groups of their own."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        for pid in (self.pid, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    @property
    def pid(self) -> int:
        assert self.postgres is not None
        assert self.postgres.pid is not None
        return self.postgres.pid

    def conninfo(self, user: str = "croupier", database: str = "croupier") -> str:
        assert self.postgres is not None
        return self.postgres.conninfo(user=user, database=database)

    def sql(self, *statements: str) -> None:
        """Run statements as the owner."""
        with psycopg.connect(self.conninfo(), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def program(self, name: str) -> Path:
        return programs_for_server(self.folder / "data") / name


@contextmanager
def running(**settings: str) -> Iterator[Server]:
    """A migrated server, in a folder that the server's own user can enter."""
    with tempfile.TemporaryDirectory(prefix="croupier-trouble-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        server = Server(folder, {"fsync": "off", **settings})
        server.start()
        try:
            migrate(server.conninfo())
            yield server
        finally:
            server.stop()


@dataclass
class Game:
    """A service, and a player who goes on with one table over REST."""

    process: ServerProcess
    client: httpx.Client
    table: str = ""
    accepted: int = 0

    def call(self, method: str, path: str, **body: object) -> httpx.Response:
        return self.client.request(method, path, json=body or None)

    def open(self) -> None:
        token = self.call("POST", "/v1/guestTokens").json()["token"]
        self.client.headers["Authorization"] = f"Bearer {token}"
        opened = self.call("POST", "/v1/tables", requestId="open", ruleSetId="six-deck-h17")
        self.table = opened.raise_for_status().json()["table"]["tableId"]
        self.accepted = 1

    def step(self) -> httpx.Response:
        """The next step of the game, whatever it is, with an id that can be sent again."""
        seen = self.see()
        if seen.status_code != httpx.codes.OK:
            return seen
        your = seen.json()["table"]["your"]
        request = {"requestId": f"step-{self.accepted}"}
        if your["decision"]:
            decline = your["decision"].split("-")[1] == "0"
            action = "ACTION_DECLINE" if decline else "ACTION_STAND"
            path, request = "act", request | {"decision": your["decision"], "action": action}
        else:
            bet = your["bet"]
            path, request = "bet", request | {"round": bet["round"], "stake": bet["minStake"]}
        answer = self.call("POST", f"/v1/tables/{self.table}:{path}", **request)
        if answer.status_code == httpx.codes.OK:
            self.accepted += 1
        return answer

    def see(self) -> httpx.Response:
        return self.call("GET", f"/v1/tables/{self.table}")

    def ready(self) -> bool:
        return self.call("GET", "/readyz").status_code == httpx.codes.OK

    def plays(self) -> None:
        """The next step is taken, and the table's version is that of the steps that were."""
        answer = self.step()
        assert answer.status_code == httpx.codes.OK, answer.text
        assert int(answer.json()["version"]) == self.accepted


@contextmanager
def serving(
    server: Server, database: str = "", settings: Mapping[str, str] | None = None
) -> Iterator[Game]:
    """A service on a server, or on the database of another connection string."""
    keys = Keys.fresh()
    ours = {
        "CROUPIER_DATABASE_URL": database or server.conninfo(user=RUNTIME_ROLE),
        "CROUPIER_TOKEN_SECRET": keys.token_secret,
        "CROUPIER_SEALING_KEYS": keys.sealing_keys,
        "CROUPIER_SIGNING_KEYS": keys.signing_keys,
        "CROUPIER_GUESTS": "true",
        "CROUPIER_CONNECTIONS": "4",
    }
    with ServerProcess({**ours, **(settings or {})}, server.folder / "service.log") as process:
        base = process.rest if "://" in process.rest else f"http://{process.rest}"
        with httpx.Client(base_url=base, trust_env=False, timeout=SECONDS) as client:
            game = Game(process, client)
            game.open()
            yield game


def until(holds: Callable[[], bool], seconds: float = SECONDS) -> float:
    """Wait until something holds; how long it took."""
    started = time.monotonic()
    while not holds():
        assert time.monotonic() - started < seconds, "it does not come to hold"
        time.sleep(0.02)
    return time.monotonic() - started


@contextmanager
def pgbouncer(server: Server, program: str, mode: str, size: int = 20) -> Iterator[str]:
    """The connection string of the runtime role through PgBouncer."""
    folder = server.folder / f"pgbouncer-{mode}-{size}"
    folder.mkdir(mode=0o755)
    at = dict(part.split("=", 1) for part in server.conninfo().split())
    (folder / "pgbouncer.ini").write_text(
        f"[databases]\ncroupier = host={at['host']} port=5432 dbname=croupier user={RUNTIME_ROLE}\n"
        f"[pgbouncer]\nlisten_addr =\nunix_socket_dir = {folder}\nlisten_port = 6432\n"
        f"auth_type = any\npool_mode = {mode}\ndefault_pool_size = {size}\n"
        f"logfile = {folder}/log\npidfile = {folder}/pid\n"
    )
    user = "nobody" if os.geteuid() == 0 else str(os.geteuid())
    for path in (folder, *folder.iterdir()):
        os.chown(path, 65534, -1) if os.geteuid() == 0 else None
    started = subprocess.Popen(
        [program, "-q", *(["-u", user] if os.geteuid() == 0 else []), folder / "pgbouncer.ini"]
    )
    try:
        until((folder / ".s.PGSQL.6432").exists)
        yield make_conninfo(host=str(folder), port=6432, dbname="croupier", user=RUNTIME_ROLE)
    finally:
        started.terminate()
        started.wait(SECONDS)
