"""Several serving processes on one machine, because one Python process uses one core.

A parent starts them, shows the first screen when all of them serve, passes signals on, and starts
another one when one dies. They share nothing but the database and the ports: each listens on the
same ones (SO_REUSEPORT), and the kernel spreads connections over them. When the parent is killed,
they die with it.
"""

import ctypes
import os
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress

import structlog

from service.errors import AddressTaken

_log = structlog.get_logger(__name__)

Serve = Callable[[Callable[[str], None]], None]
"""Serves until it is told to stop; calls its argument with the first screen once it serves."""

_PR_SET_PDEATHSIG = 1
_SHORTEST_LIFE = 5.0
"""Seconds. A process that dies sooner would die again, so no other one is started."""


class HeldPort:
    """A port that is kept for the serving processes. Refuses one that anybody listens on."""

    def __init__(self, host: str, port: int) -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            # Without SO_REUSEPORT, so that another service on the port is found out.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError as error:
                raise AddressTaken(f"{host}:{port} can't be used: {error.strerror}") from error
            self.port: int = probe.getsockname()[1]
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        # Bound and never listening: it keeps the port, and no connection comes here.
        self._socket.bind((host, self.port))


class Processes:
    """`count` processes that all run `serve`."""

    def __init__(self, count: int, serve: Serve, show: Callable[[str], None]) -> None:
        self._count = count
        self._serve = serve
        self._show = show
        self._born: dict[int, float] = {}
        self._group = 0
        self._stopping = False

    def run(self) -> int:
        """Serve until SIGINT or SIGTERM; the exit status, 0 if every process ended as it should."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        screens = [self._first_words(self._start()) for _ in range(self._count)]
        if all(screens):
            self._show(screens[0])
        else:
            self._stop()
        status = 0
        while self._born:
            pid, ended = os.waitpid(-self._group, 0)
            lived = time.monotonic() - self._born.pop(pid)
            code = os.waitstatus_to_exitcode(ended)
            if self._stopping:
                # Who has not begun to serve yet simply dies of the signal.
                status = status or (0 if code == -signal.SIGTERM else abs(code))
            elif lived < _SHORTEST_LIFE:
                status = abs(code) or 1
                self._stop()
            else:
                _log.error("a serving process died; another one is started", status=code)
                self._first_words(self._start())
        return status

    def _stop(self, *_signal: object) -> None:
        self._stopping = True
        for pid in self._born:
            os.kill(pid, signal.SIGTERM)

    def _start(self) -> int:
        """Start a process; the end of a pipe that its first screen comes through."""
        reader, writer = os.pipe()
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            self._be_a_process(parent, writer)
        os.close(writer)
        # A group of their own, so that they can be waited for apart from the database.
        self._group = self._group if self._born else pid
        with suppress(ProcessLookupError):  # dead already
            os.setpgid(pid, self._group)
        self._born[pid] = time.monotonic()
        if self._stopping:
            os.kill(pid, signal.SIGTERM)
        return reader

    def _be_a_process(self, parent: int, writer: int) -> None:
        """Serve, and never return."""
        code = 1
        try:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)
            _die_with(parent)

            def show(text: str) -> None:
                with os.fdopen(writer, "w") as pipe:
                    pipe.write(text)

            self._serve(show)
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        except Exception:  # noqa: BLE001 - the last that can be said of it
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    @staticmethod
    def _first_words(reader: int) -> str:
        """What a process showed when it began to serve; nothing if it died before."""
        with os.fdopen(reader) as pipe:
            return pipe.read()


def _die_with(parent: int) -> None:
    """Be killed when the parent dies, however that happens."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
