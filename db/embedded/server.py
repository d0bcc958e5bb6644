"""A private PostgreSQL server for one machine, started and stopped with the service.

It listens on a Unix socket in a folder that only its user can enter, writes through to the disk
(`fsync` stays on), and keeps its data between runs. It stops with the service, even after `kill
-9`, and the next start recovers every committed row from the write-ahead log.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import psycopg
from psycopg.conninfo import make_conninfo

from db.embedded import launcher
from db.embedded.data_folder import DataFolder, EmbeddedServerError, ServerUser, default_data_folder
from db.embedded.environment import forget_libpq_environment
from db.embedded.server_programs import programs_for_server

__all__ = ["EmbeddedPostgres", "EmbeddedServerError", "default_data_folder"]

DATABASE = "croupier"
OWNER = "croupier"
START_SECONDS = 60.0
STOP_SECONDS = 30.0
ORPHAN_SECONDS = 10.0


class EmbeddedPostgres:
    """One server on one data folder.

    `settings` are additional server settings. `on_death` is called, from another thread, with the
    server's exit status if it ends without being stopped.
    """

    def __init__(
        self,
        data_dir: Path,
        settings: Mapping[str, str] | None = None,
        on_death: Callable[[int], None] | None = None,
    ) -> None:
        self._user = ServerUser.current()
        self._folder = DataFolder(data_dir, self._user)
        self._settings = dict(settings or {})
        self._on_death = on_death
        self._socket_folder = Path()
        self._process: subprocess.Popen[bytes] | None = None
        self._initdb: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self._failure: BaseException | None = None
        self._spawned = threading.Event()
        self._stopping = threading.Event()
        self._ready = False

    def start(self) -> str:
        """Start the server, creating its folder if needed, and return the owner's connection
        string.

        Blocks until the database answers: about 0.2 seconds, 1 with a new folder. Raises
        EmbeddedServerError when the folder cannot be used or the server does not start.
        """
        if sys.platform != "linux":
            raise EmbeddedServerError(
                "the embedded server needs Linux: name a PostgreSQL server in the settings"
            )
        forget_libpq_environment()
        self._folder.acquire()
        try:
            self._socket_folder = self._folder.socket_folder()
            self._outlast_orphan()
            # The kernel's "parent" in the death signal is the thread that forked. So a thread of
            # the server's own starts it and waits for it, and ends only with it or the process.
            self._thread = threading.Thread(target=self._run, name="postgres", daemon=True)
            self._thread.start()
            self._wait_until_ready()
            self._ready = True
        except BaseException as error:
            self.stop()
            if isinstance(error, OSError):
                raise EmbeddedServerError(f"the embedded server can't run: {error}") from error
            raise
        return self.conninfo()

    def conninfo(self, user: str = OWNER, database: str = DATABASE) -> str:
        """The connection string, for the owner of the data unless another role is named."""
        return make_conninfo(host=str(self._socket_folder), port=5432, dbname=database, user=user)

    @property
    def pid(self) -> int | None:
        """The server's process id; None while it does not run."""
        process = self._process
        return process.pid if process and process.returncode is None else None

    def stop(self) -> None:
        """End open sessions, write everything out, stop, and release the folder. May be
        repeated."""
        self._stopping.set()
        if self._thread is not None:
            self._end_initdb()
            # A server that recovers would finish that first; it can begin again next time.
            polite = [signal.SIGINT] if self._ready else []
            for number in (*polite, signal.SIGQUIT, signal.SIGKILL):
                if self._process is not None:
                    self._process.send_signal(number)
                self._thread.join(STOP_SECONDS)
                if not self._thread.is_alive():
                    break
            self._thread = None
        self._folder.release()

    def _run(self) -> None:
        try:
            programs = programs_for_server(self._folder.path)
            if not (self._folder.pgdata / "PG_VERSION").exists():
                self._initialize(programs)
            self._process = self._spawn_server(programs)
        except BaseException as error:  # noqa: BLE001 - raised again by the thread that waits
            self._failure = error
            return
        finally:
            self._spawned.set()
        status = self._process.wait()
        if self._on_death is not None and not self._stopping.is_set():
            self._on_death(status)

    def _command(self, death: signal.Signals, *command: str) -> list[str]:
        """A command that is run as the server's user, and is sent `death` when we die."""
        bound = map(str, (os.getpid(), self._user.uid, self._user.gid, int(death)))
        return [sys.executable, "-I", "-S", launcher.__file__, *bound, *command]

    def _end_initdb(self) -> None:
        """End the creation of a cluster, and its children; the next start begins again."""
        while not self._spawned.wait(0.02):
            initdb = self._initdb
            if initdb is not None and initdb.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(initdb.pid, signal.SIGKILL)

    def _initialize(self, programs: Path) -> None:
        """Create the database cluster in a temporary folder and move it into place when it is
        complete."""
        unfinished = self._folder.path / "pgdata.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        self._initdb = subprocess.Popen(  # noqa: S603 - our own program with our own arguments
            self._command(
                # It ignores other signals until it has made some progress.
                signal.SIGKILL,
                str(programs / "initdb"),
                f"--pgdata={unfinished}",
                f"--username={OWNER}",
                "--encoding=UTF8",
                "--locale=C",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--auth-local=trust",
                "--auth-host=reject",
            ),
            env=_ENVIRONMENT,
            cwd=self._folder.path,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        said, _ = self._initdb.communicate()
        if self._initdb.returncode != 0:
            raise EmbeddedServerError(f"initdb failed: {said.decode(errors='replace')}")
        unfinished.rename(self._folder.pgdata)

    def _spawn_server(self, programs: Path) -> subprocess.Popen[bytes]:
        quoted = str(self._socket_folder).replace('"', '""')
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": f'"{quoted}"',
            "unix_socket_permissions": "0700",
            "cluster_name": "croupier",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "jit": "off",
        } | self._settings
        log = self._folder.open_log()
        try:
            return subprocess.Popen(  # noqa: S603 - our own program with our own arguments
                self._command(
                    # An immediate shutdown: it recovers from its log at the next start, as after
                    # a power cut.
                    signal.SIGQUIT,
                    str(programs / "postgres"),
                    "-D",
                    str(self._folder.pgdata),
                    *(f"--{name}={value}" for name, value in settings.items()),
                ),
                env=_ENVIRONMENT,
                cwd=self._folder.path,
                # Ctrl-C at the terminal is for the service, which stops the server after draining.
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        finally:
            os.close(log)

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        self._spawned.wait()
        while self._thread is not None and self._thread.is_alive():
            try:
                psycopg.connect(self.conninfo(), connect_timeout=5).close()
            except psycopg.OperationalError as error:
                if "does not exist" in str(error) and DATABASE in str(error):
                    self._create_database()
                elif time.monotonic() > deadline:
                    raise EmbeddedServerError(f"the server does not answer: {error}") from error
                time.sleep(0.01)
            else:
                return
        if self._failure is not None:
            raise self._failure
        messages = self._folder.log.read_text(errors="replace")[-2000:]
        raise EmbeddedServerError(f"the server ended while it started; its messages:\n{messages}")

    def _create_database(self) -> None:
        with psycopg.connect(self.conninfo(database="postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {DATABASE}")

    def _outlast_orphan(self) -> None:
        """Wait until a server whose service has just died has stopped as well."""
        deadline = time.monotonic() + ORPHAN_SECONDS
        lock = self._folder.pgdata / "postmaster.pid"
        while (pid := _first_line(lock)) and _runs_on(pid, self._folder.pgdata):
            if time.monotonic() > deadline:
                raise EmbeddedServerError(
                    f"another server uses the data in {self._folder.pgdata}: stop process {pid}"
                )
            time.sleep(0.02)
        # A leftover file names a process that has ended, or an unrelated process with the same
        # number (after a restart of the machine), which PostgreSQL would take for a running server.
        # Data still in use is recognized anyway, by its shared memory.
        for left in (lock, *self._socket_folder.glob(".s.PGSQL.*")):
            left.unlink(missing_ok=True)

    def __enter__(self) -> "EmbeddedPostgres":
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()


_ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C"}


def _first_line(lock: Path) -> int | None:
    try:
        return int(lock.read_text().splitlines()[0])
    except (FileNotFoundError, IndexError, ValueError):
        return None


def _runs_on(pid: int, pgdata: Path) -> bool:
    """Whether the process `pid` is a server on `pgdata` (a server's working directory is its data
    folder)."""
    try:
        return Path(f"/proc/{pid}/cwd").readlink() == pgdata.resolve()
    except (FileNotFoundError, PermissionError):
        return False
