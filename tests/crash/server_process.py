"""`croupier serve` in a process of its own: started, talked to, and killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

from service.calls.caller_limits import Most

CROUPIER = (str(Path(sys.executable).with_name("croupier")),)
DEFAULTS = {
    "CROUPIER_GRPC_ADDRESS": "127.0.0.1:0",
    "CROUPIER_REST_ADDRESS": "127.0.0.1:0",
    "CROUPIER_PROCESSES": "1",
    "CROUPIER_SHUTDOWN_DELAY_SECONDS": "0",
    # All players of the tests have one address.
    "CROUPIER_CALLS_IN_VAIN": "100000",
    # And they play faster than people.
    **dict.fromkeys(
        [f"CROUPIER_{name.upper()}" for name in Most.__struct_fields__],
        "0",
    ),
}
SLOWER = {"PYTHONDONTWRITEBYTECODE"}
"""A server that starts again finds its modules compiled, whatever holds for the tests."""
START_SECONDS = 60.0
END_SECONDS = 30.0


class ServerProcess:
    """`croupier serve`, with one serving process at free ports unless `settings` (names of the
    environment) say otherwise."""

    def __init__(
        self, settings: Mapping[str, str], log: Path, program: Sequence[str] = CROUPIER
    ) -> None:
        started = time.monotonic()
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("CROUPIER_") and name not in SLOWER
        }
        with log.open("ab") as messages:
            self._process = subprocess.Popen(
                [*program, "serve"],
                env={**inherited, **DEFAULTS, **settings},
                stdout=subprocess.PIPE,
                stderr=messages,
                text=True,
            )
        try:
            self.grpc, self.rest = self._addresses(log, started + START_SECONDS)
        except BaseException:
            self.kill()
            raise
        self.start_seconds = time.monotonic() - started

    def _addresses(self, log: Path, deadline: float) -> tuple[str, str]:
        """Where the two doors are, as the first screen says, which is read to its last line."""
        assert self._process.stdout is not None
        found: dict[str, str] = {}
        for line in self._process.stdout:
            words = line.split()
            if words and words[0] in {"gRPC", "REST"}:
                found[words[0]] = words[1]
            if line.startswith("Stop with"):
                return found["gRPC"], found["REST"]
            assert time.monotonic() < deadline, "the server takes too long to start"
        raise AssertionError(f"the server did not start:\n{log.read_text()}")

    def kill(self) -> None:
        """End the process at once, without a chance to tidy up."""
        self._process.kill()
        self.has_died()

    def has_died(self) -> int:
        """Wait for the end of the process; its status, negative for a signal."""
        status = self._process.wait(END_SECONDS)
        if self._process.stdout is not None:
            self._process.stdout.close()
        return status

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def runs(self) -> bool:
        """Whether the process is there."""
        return self._process.poll() is None

    def interrupt(self) -> None:
        """Ask the process to end, as a supervisor does."""
        self._process.send_signal(signal.SIGTERM)

    def stop(self) -> int:
        """Ask the process to end, and wait for it; its status."""
        self.interrupt()
        return self.has_died()

    def __enter__(self) -> "ServerProcess":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.runs:
            self.kill()
