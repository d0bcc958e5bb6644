"""One table, played while its service is killed again and again at one named point.

After every kill a new process starts on the same data, as a supervisor would start it, and all that
must hold is checked; then the command that was under way is sent again, and play goes on.
"""

import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx
import psycopg

from tests.crash import dying_server
from tests.crash.ledger import check_cards, check_chain, face_up, stack_of
from tests.crash.rest_player import RestPlayer, Sent
from tests.crash.server_process import ServerProcess

DECKS = 2
TABLE = {"decks": DECKS, "penetrationPercent": 25, "startingStack": "10000000"}
"""A low cut card, so that shoes change often."""
MOST_COMMANDS_BETWEEN = 3
WAIT_SECONDS = 20.0


class Point(StrEnum):
    """Where the service dies."""

    BEFORE_THE_SEND = dying_server.BEFORE_THE_SEND
    WHILE_IT_WAITS = "while the statement waits for the head's row"
    AFTER_THE_COMMIT = dying_server.AFTER_THE_COMMIT


@dataclass(frozen=True)
class Kill:
    """What one kill met: the kind of command, whether it was in, how long the next start took."""

    command: str
    took_effect: bool
    restart_seconds: float


class CrashRun:
    """A data folder, a service on it, and a player; `seed` decides how he plays."""

    def __init__(self, point: Point, seed: str) -> None:
        self._point = point
        self._choose = random.Random(f"{point} {seed}")
        # Not below pytest's folder: as root the database's user could not enter it.
        self._folder = Path(tempfile.mkdtemp(prefix="croupier-crash-"))
        self._folder.chmod(0o755)
        self._data = self._folder / "data"
        self._order = self._folder / "order"
        self._server = self._start()
        self._player = RestPlayer(self._server.rest, self._choose)

    def _start(self) -> ServerProcess:
        return ServerProcess(
            {"CROUPIER_DATA_FOLDER": str(self._data), dying_server.ORDER: str(self._order)},
            self._folder / "service.log",
            (sys.executable, dying_server.__file__),
        )

    def kill(self) -> Kill:
        """Play a little, kill the service in the middle of a command, and check what is left."""
        command = self._next_command()
        before = self._player.seen
        database = self._database_process()
        with ThreadPoolExecutor(1) as sender:
            if self._point is Point.WHILE_IT_WAITS:
                reply = self._kill_while_it_waits(sender, command)
            else:
                reply = self._let_it_die(sender, command)
            assert isinstance(reply.exception(), httpx.TransportError), "an answer came"
        self._server = self._start()
        assert not is_running(database), "a database server was left behind"
        self._player.rest = self._server.rest
        took_effect = self._check(command, before)
        kind = command.path.rpartition(":")[2] if ":" in command.path else "open"
        return Kill(kind, took_effect, self._server.start_seconds)

    def _next_command(self) -> Sent:
        """The command to die with; the first one opens the table where that can be."""
        player = self._player
        if not player.table_id:
            opening = player.opening("six-deck-h17", TABLE)
            if self._point is not Point.WHILE_IT_WAITS:
                return opening
            player.send(opening)
        for _ in range(self._choose.randint(0, MOST_COMMANDS_BETWEEN)):
            player.send(player.next_command())
        return player.next_command()

    def _let_it_die(self, sender: ThreadPoolExecutor, command: Sent) -> Future[dict[str, Any]]:
        self._order.write_text(self._point)
        reply = sender.submit(self._player.ask, "POST", command.path, command.body)
        assert self._server.has_died() == -signal.SIGKILL
        dying_server.obeyed(self._order).unlink()
        return reply

    def _kill_while_it_waits(
        self, sender: ThreadPoolExecutor, command: Sent
    ) -> Future[dict[str, Any]]:
        with closing(self._session()) as holder, closing(self._session()) as observer:
            observer.autocommit = True
            with row_held(holder, self._player.table_id):
                reply = sender.submit(self._player.ask, "POST", command.path, command.body)
                wait_until_somebody_waits(observer)
                self._server.kill()
        return reply

    def _session(self) -> "psycopg.Connection[tuple[Any, ...]]":
        return psycopg.connect(
            host=str(self._data / "socket"), port=5432, dbname="croupier", user="croupier"
        )

    def _database_process(self) -> int:
        return int((self._data / "pgdata" / "postmaster.pid").read_text().splitlines()[0])

    def _check(self, command: Sent, before: dict[str, Any]) -> bool:
        """Nothing is missing, nothing doubled, the command is in or not, and never both."""
        player = self._player
        took_effect = self._took_effect(command, before)
        if took_effect:
            player.accepted.append(command.request_id)
        if before:
            self._check_journal()
            assert took_effect or player.table() == before
        again = player.send(command)
        assert again["replayed"] == took_effect
        if before and before["round"] == again["table"]["round"]:
            assert not face_up(before) - face_up(again["table"]), "a card that lay face up is gone"
        assert again["table"] == player.table()
        assert player.send(command) == again | {"replayed": True}
        self._check_journal()
        return took_effect

    def _took_effect(self, command: Sent, before: dict[str, Any]) -> bool:
        """Whether the command is in, which two of the points decide. Whose statement waits may yet
        see it carried out, if the row is free before the server has heard of its service's end."""
        player = self._player
        if before:
            found = command.request_id in {row["requestId"] for row in player.journal()}
        else:
            found = bool(player.my_tables())
        assert found or self._point is not Point.AFTER_THE_COMMIT
        assert not (found and self._point is Point.BEFORE_THE_SEND)
        return found

    def _check_journal(self) -> None:
        player = self._player
        rows = player.journal()
        assert [row["requestId"] for row in rows] == player.accepted
        check_chain(player.table_id, rows)
        assert stack_of(rows) == int(player.table()["seats"][0]["stack"])

    def finish(self) -> int:
        """Close the table and hold its cards against the revealed seeds; how many shoes it had."""
        player = self._player
        while player.seen["your"]["decision"]:
            player.send(player.next_command())
        player.send(player.closing())
        self._check_journal()
        shoes = check_cards(player.table_id, DECKS, player.journal())
        database = self._database_process()
        assert self._server.stop() == 0
        assert not is_running(database)
        return shoes

    def __enter__(self) -> "CrashRun":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._player.close()
        self._server.__exit__(kind, error, traceback)
        if error is None:  # else the data and the logs are there to be looked at
            shutil.rmtree(self._folder)


@contextmanager
def row_held(session: "psycopg.Connection[tuple[Any, ...]]", table_id: str) -> Iterator[None]:
    """Hold a head's row in a transaction of this session, and roll it back if that still goes."""
    held = session.execute("SELECT FROM table_head WHERE table_id = %s FOR UPDATE", [table_id])
    assert held.rowcount == 1
    yield
    if not session.broken:
        try:
            session.rollback()
        except psycopg.OperationalError:
            return  # its server died with the service


def wait_until_somebody_waits(observer: "psycopg.Connection[tuple[Any, ...]]") -> None:
    """Until the server says that the move of a head waits for a lock."""
    waiting = (
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        " AND query LIKE '%UPDATE table_head%' AND datname = current_database()"
    )
    deadline = time.monotonic() + WAIT_SECONDS
    while observer.execute(waiting).fetchone() != (1,):
        assert time.monotonic() < deadline, "no statement waits"
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    """Whether there is such a process (one that nobody has waited for is over)."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"
