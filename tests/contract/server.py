"""`croupier serve` as a process of its own, on a database that the tests look into."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

TOKEN_SECRET = "the contract suite signs with this secret"
SEALING_KEYS = f"k1:{'5e' * 32}"
OPERATOR = "house"
OPERATOR_KEY = "ck_the-contract-suite"
START_SECONDS = 60.0


@dataclass(frozen=True)
class Server:
    """A running service: where its doors are, and what it wrote."""

    process: "subprocess.Popen[str]"
    grpc: str
    rest: str
    log: Path

    def interrupt(self) -> None:
        """Ask it to stop."""
        self.process.send_signal(signal.SIGTERM)

    def wait(self, seconds: float = 20.0) -> int:
        """Its exit status."""
        return self.process.wait(seconds)


@contextmanager
def running_server(
    database: str, folder: Path, settings: Mapping[str, str] | None = None
) -> Iterator[Server]:
    """Serve on a database until the end of the block; everything is logged."""
    log = folder / "service.log"
    environment = {
        **{name: text for name, text in os.environ.items() if not name.startswith("CROUPIER_")},
        "CROUPIER_DATABASE_URL": database,
        "CROUPIER_GRPC_ADDRESS": "127.0.0.1:0",
        "CROUPIER_REST_ADDRESS": "127.0.0.1:0",
        "CROUPIER_TOKEN_SECRET": TOKEN_SECRET,
        "CROUPIER_SEALING_KEYS": SEALING_KEYS,
        "CROUPIER_OPERATOR": OPERATOR,
        "CROUPIER_OPERATOR_KEY": OPERATOR_KEY,
        "CROUPIER_GUESTS": "true",
        "CROUPIER_CONNECTIONS": "4",
        "CROUPIER_LOG_LEVEL": "debug",
        **(settings or {}),
    }
    with log.open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-c", "from service.cli import main; main()", "serve"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    try:
        yield Server(process, *_addresses(process, log), log)
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


def _addresses(process: "subprocess.Popen[str]", log: Path) -> tuple[str, str]:
    """What the first screen says of gRPC and REST."""
    watchdog = threading.Timer(START_SECONDS, process.kill)
    watchdog.start()
    screen = ""
    try:
        for line in process.stdout or ():
            screen += line
            if line.startswith("Stop with"):
                break
    finally:
        watchdog.cancel()
    found = re.search(r"gRPC +(\S+)\n +REST +http://(\S+) ", screen)
    if found is None:
        raise RuntimeError(f"the service did not start:\n{screen}\n{log.read_text()}")
    return found[1], found[2]
