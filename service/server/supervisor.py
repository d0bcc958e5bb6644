"""Several serving processes on one machine, because one Python process uses one core.

A parent starts them, shows the first screen when all of them serve, passes signals on, and starts
another one when one dies: at once if it had served for a while, else after a pause that grows, so
that a fault at the start does not become a storm. The others go on meanwhile. They share nothing
but the database and the ports: each listens on the same ones (SO_REUSEPORT), and the kernel spreads
connections over them. When the parent is killed, they die with it.
"""

import ctypes
import os
import random
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import structlog

from service.errors import AddressTaken
from service.server.stopping import stop_signals

_log = structlog.get_logger(__name__)

Serve = Callable[[Callable[[str], None]], None]
"""Serves until it is told to stop; calls its argument with the first screen once it serves."""

_PR_SET_PDEATHSIG = 1
_LONG_LIFE = 10.0
"""Seconds after which a process that dies is replaced at once."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0
"""Seconds until one that died sooner is replaced; each time twice as long as the time before."""


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


@dataclass
class _Child:
    """A serving process: since when, and where its first screen comes from until it has come."""

    born: float
    screen: int | None
    words: str = ""


class Processes:
    """`count` processes that all run `serve`."""

    def __init__(self, count: int, serve: Serve, show: Callable[[str], None]) -> None:
        self._count = count
        self._serve = serve
        self._show = show
        self._children: dict[int, _Child] = {}
        self._due: list[float] = []
        self._pause = _FIRST_PAUSE
        self._shown = False
        self._stopping = 0
        self._wake = -1

    def run(self) -> int:
        """Serve until SIGINT, SIGTERM or SIGHUP; the exit status: 0 if every process ended as it
        should, that of the first one if none could begin to serve."""
        self._wake, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
        for number in stop_signals():
            signal.signal(number, self._stop)
        # Without a handler the end of a child would not wake the loop.
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for _ in range(self._count):
            self._start()
        status = 0
        while self._children or (self._due and not self._stopping):
            self._wait()
            for pid, code in self._ended():
                child = self._children.pop(pid)
                if self._stopping:
                    # Who has not begun to serve yet simply dies of the signal.
                    died_of_it = -code in (self._stopping, signal.SIGTERM)
                    status = status or (0 if died_of_it else abs(code))
                elif code > 0 and not self._shown and not self._serving():
                    # It has said why it could not begin, and the others would say the same.
                    status = code
                    self._stop(signal.SIGTERM)
                else:
                    self._replace(child, code)
            self._start_those_due()
            self._hear_screens()
        return status

    def _replace(self, child: _Child, code: int) -> None:
        """Have another one started, and say why."""
        lived = time.monotonic() - child.born
        if lived >= _LONG_LIFE:
            self._pause = _FIRST_PAUSE
            pause = 0.0
        else:
            pause = self._pause * random.uniform(0.8, 1.2)  # noqa: S311 - jitter
            self._pause = min(2 * self._pause, _LONGEST_PAUSE)
        self._due.append(time.monotonic() + pause)
        _log.error(
            "a serving process died; another one is started",
            status=code,
            signal=signal.Signals(-code).name if code < 0 else None,
            lived_seconds=round(lived, 1),
            pause_seconds=round(pause, 1),
            still_serving=len(self._children),
        )

    def _wait(self) -> None:
        """Until a signal, a child's end, a first screen, or the time to start another one."""
        screens = [child.screen for child in self._children.values() if child.screen is not None]
        timeout = max(0.0, min(self._due) - time.monotonic()) if self._due else None
        ready, _, _ = select.select([self._wake, *screens], [], [], timeout)
        if self._wake in ready:
            os.read(self._wake, 4096)

    def _ended(self) -> Iterator[tuple[int, int]]:
        """The serving processes that have ended, and how. Other children, such as the database's,
        are left to those who started them."""
        for pid in list(self._children):
            ended, how = os.waitpid(pid, os.WNOHANG)
            if ended:
                self._hear(self._children[pid])
                yield pid, os.waitstatus_to_exitcode(how)

    def _start_those_due(self) -> None:
        now = time.monotonic()
        while not self._stopping and self._due and min(self._due) <= now:
            self._due.remove(min(self._due))
            self._start()

    def _hear_screens(self) -> None:
        """Show the first screen once, when every process serves."""
        for child in self._children.values():
            self._hear(child)
        serving = self._serving()
        if not self._shown and len(serving) == self._count and not self._stopping:
            self._shown = True
            self._show(serving[0])

    def _serving(self) -> list[str]:
        """The first screens of those that serve."""
        return [child.words for child in self._children.values() if child.words]

    @staticmethod
    def _hear(child: _Child) -> None:
        """Read what a process shows when it begins to serve."""
        while child.screen is not None:
            try:
                words = os.read(child.screen, 65536)
            except BlockingIOError:
                return
            child.words += words.decode()
            if not words:
                os.close(child.screen)
                child.screen = None

    def _stop(self, number: int, _frame: object = None) -> None:
        """Pass a signal on; a second one hurries."""
        self._stopping = number
        for pid in list(self._children):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def _start(self) -> None:
        reader, writer = os.pipe2(os.O_CLOEXEC)
        parent = os.getpid()
        # Until the new process has handlers of its own it would take a signal for its parent's.
        signal.pthread_sigmask(signal.SIG_BLOCK, stop_signals())
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            self._be_a_process(parent, writer)
        os.close(writer)
        os.set_blocking(reader, False)
        with suppress(ProcessLookupError, PermissionError):  # dead already
            os.setpgid(pid, pid)  # Ctrl-C at the terminal is for the parent, which passes it on
        self._children[pid] = _Child(time.monotonic(), reader)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, stop_signals())
        if self._stopping:
            os.kill(pid, self._stopping)

    def _be_a_process(self, parent: int, writer: int) -> None:
        """Serve, and never return."""
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            numbers = stop_signals()
            for number in (*numbers, signal.SIGCHLD):
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)
            _die_with(parent)

            def show(text: str) -> None:
                with os.fdopen(writer, "w") as pipe:
                    pipe.write(text)

            self._serve(show)
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        except Exception:  # noqa: BLE001 - the last that can be said of it
            _log.exception("a serving process failed")
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)


def _die_with(parent: int) -> None:
    """Be killed when the parent dies, however that happens."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
