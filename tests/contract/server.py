"""`croupier serve` as a process of its own, on a database that the tests look into."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.crash.server_process import ServerProcess

TOKEN_SECRET = "the contract suite signs with this secret"
SEALING_KEYS = f"k1:{'5e' * 32}"
SIGNING_KEYS = f"s2:{'51' * 32},s1:{'50' * 32}"
OPERATOR = "house"
OPERATOR_KEY = "ck_the-contract-suite"


@dataclass(frozen=True)
class Server:
    """A running service: where its doors are, `host:port`, and what it wrote."""

    process: ServerProcess
    grpc: str
    rest: str
    log: Path


@contextmanager
def running_server(
    database: str, folder: Path, settings: Mapping[str, str] | None = None
) -> Iterator[Server]:
    """Serve on a database until the end of the block; everything is logged."""
    log = folder / "service.log"
    ours = {
        "CROUPIER_DATABASE_URL": database,
        "CROUPIER_TOKEN_SECRET": TOKEN_SECRET,
        "CROUPIER_SEALING_KEYS": SEALING_KEYS,
        "CROUPIER_SIGNING_KEYS": SIGNING_KEYS,
        "CROUPIER_OPERATOR": OPERATOR,
        "CROUPIER_OPERATOR_KEY": OPERATOR_KEY,
        "CROUPIER_GUESTS": "true",
        "CROUPIER_CONNECTIONS": "4",
        "CROUPIER_LOG_LEVEL": "debug",
    }
    with ServerProcess({**ours, **(settings or {})}, log) as process:
        yield Server(process, process.grpc, process.rest.removeprefix("http://"), log)
