"""Two serving processes on one database, with the same keys, as behind a load balancer."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from service.keys.key_file import Keys
from tests.crash.server_process import ServerProcess


class SharedDatabase:
    """Starts processes on one database; `owner` is how a test looks into it."""

    def __init__(self, conninfo: str, owner: str, folder: Path) -> None:
        keys = Keys.fresh()
        self.owner = owner
        self._log = folder / "service.log"
        self._settings = {
            "CROUPIER_DATABASE_URL": conninfo,
            "CROUPIER_TOKEN_SECRET": keys.token_secret,
            "CROUPIER_SEALING_KEYS": keys.sealing_keys,
            "CROUPIER_SIGNING_KEYS": keys.signing_keys,
            "CROUPIER_GUESTS": "true",
        }

    def start(self) -> ServerProcess:
        """One more process."""
        return ServerProcess(self._settings, self._log)

    @contextmanager
    def two(self) -> Iterator[list[ServerProcess]]:
        """Two processes, killed at the end."""
        with ExitStack() as stack:
            yield [stack.enter_context(self.start()) for _ in range(2)]
