"""The embedded server: what a person who kills, restarts and moves things about will meet."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from db.embedded import server_programs
from db.embedded.data_folder import LONGEST_SOCKET_FOLDER
from db.embedded.server import EmbeddedPostgres, EmbeddedServerError

SERVICE = """
import sys, time, threading
from pathlib import Path
import psycopg
from db.embedded.server import EmbeddedPostgres
server = EmbeddedPostgres(Path(sys.argv[1]))
with psycopg.connect(server.start(), autocommit=True) as connection:
    connection.execute("CREATE TABLE IF NOT EXISTS kept (number int)")
    connection.execute("INSERT INTO kept VALUES (7)")
    print(server.pid, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    # Not pytest's tmp_path: root's lies below a folder that the server's user cannot enter.
    base = Path(tempfile.mkdtemp(prefix="croupier-test-"))
    base.chmod(0o755)
    yield base / "data"
    shutil.rmtree(base)


def serve(folder: Path) -> tuple["subprocess.Popen[str]", int]:
    """Start a service process that commits one row; return it and its server's process id."""
    service = subprocess.Popen(
        [sys.executable, "-c", SERVICE, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert service.stdout is not None
    return service, int(service.stdout.readline())


def kill(service: "subprocess.Popen[str]") -> None:
    service.kill()
    service.communicate()


def is_gone(pid: int) -> bool:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.01)
    return False


def kept_rows(conninfo: str) -> int:
    with psycopg.connect(conninfo) as connection:
        row = connection.execute("SELECT count(*) FROM kept").fetchone()
    assert row is not None
    return int(row[0])


def test_data_stays_between_runs(folder: Path) -> None:
    with EmbeddedPostgres(folder) as server, psycopg.connect(server.conninfo()) as connection:
        connection.execute("CREATE TABLE kept (number int)")
        connection.execute("INSERT INTO kept VALUES (1), (2)")
    with EmbeddedPostgres(folder) as server:
        assert kept_rows(server.conninfo()) == 2


def test_the_data_is_written_through_and_unreachable_from_outside(folder: Path) -> None:
    with EmbeddedPostgres(folder) as server, psycopg.connect(server.conninfo()) as connection:
        settings: dict[str, str] = dict(
            connection.execute(
                "SELECT name, setting FROM pg_settings WHERE name IN "
                "('fsync', 'synchronous_commit', 'listen_addresses', 'server_encoding')"
            ).fetchall()
        )
        socket = Path(connection.info.host)
        assert socket.stat().st_mode & 0o077 == 0
    assert settings == {
        "fsync": "on",
        "synchronous_commit": "on",
        "listen_addresses": "",
        "server_encoding": "UTF8",
    }


def test_a_killed_service_leaves_no_server_and_loses_no_committed_row(folder: Path) -> None:
    for round_number in range(1, 4):
        service, server_pid = serve(folder)
        kill(service)
        assert is_gone(server_pid)
        # At once, as a supervisor would: the next start must outlast what still runs.
        with EmbeddedPostgres(folder) as server:
            assert kept_rows(server.conninfo()) == round_number


def test_a_lock_file_left_by_a_killed_server_is_no_obstacle(folder: Path) -> None:
    service, server_pid = serve(folder)
    os.kill(server_pid, signal.SIGKILL)
    kill(service)
    assert is_gone(server_pid)
    left = folder / "pgdata" / "postmaster.pid"
    lines = left.read_text().splitlines()
    # After a restart of the machine, the number can belong to any process.
    left.write_text("\n".join([str(os.getpid()), *lines[1:]]) + "\n")
    with EmbeddedPostgres(folder) as server:
        assert kept_rows(server.conninfo()) == 1


def test_a_second_service_on_the_same_folder_is_refused_by_name(folder: Path) -> None:
    with EmbeddedPostgres(folder) as server:
        with pytest.raises(EmbeddedServerError, match=rf"in use .*process {os.getpid()}\)"):
            EmbeddedPostgres(folder).start()
        psycopg.connect(server.conninfo()).close()


def test_a_folder_with_other_files_is_refused_and_left_alone(folder: Path) -> None:
    folder.mkdir()
    (folder / "thesis.txt").write_text("chapter 1")
    with pytest.raises(EmbeddedServerError, match="has other files"):
        EmbeddedPostgres(folder).start()
    assert [each.name for each in folder.iterdir()] == ["thesis.txt"]


def test_a_path_too_long_for_a_socket_works(folder: Path) -> None:
    deep = folder / ("d" * LONGEST_SOCKET_FOLDER)
    folder.mkdir(mode=0o755)
    with EmbeddedPostgres(deep) as server, psycopg.connect(server.conninfo()) as connection:
        socket_folder = Path(connection.info.host)
        assert not socket_folder.is_relative_to(deep)
        assert socket_folder.stat().st_mode & 0o077 == 0
    assert not socket_folder.exists()


def test_a_path_with_a_space_a_comma_and_a_quote_works(folder: Path) -> None:
    folder.mkdir(mode=0o755)
    with EmbeddedPostgres(folder / "a b, \"c' \\d") as server:
        psycopg.connect(server.conninfo()).close()


def test_the_server_outlives_the_thread_that_started_it(folder: Path) -> None:
    server = EmbeddedPostgres(folder)
    starter = threading.Thread(target=server.start)
    starter.start()
    starter.join()
    time.sleep(0.2)
    psycopg.connect(server.conninfo()).close()
    server.stop()


def test_a_copy_serves_where_the_installed_programs_are_private(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root's server runs as another user")
    monkeypatch.setattr(server_programs, "_open_to_all", lambda _: False)
    with EmbeddedPostgres(folder) as server:
        program = Path(f"/proc/{server.pid}/exe").readlink()
        assert program.is_relative_to(folder)
        assert Path(f"/proc/{server.pid}").stat().st_uid != 0


def test_a_half_made_cluster_is_made_anew(folder: Path) -> None:
    with EmbeddedPostgres(folder):
        pass
    (folder / "pgdata").rename(folder / "pgdata.new")
    (folder / "pgdata.new" / "PG_VERSION").unlink()
    with EmbeddedPostgres(folder) as server:
        psycopg.connect(server.conninfo()).close()


def test_the_service_hears_of_its_servers_death(folder: Path) -> None:
    heard: list[int] = []
    death = threading.Event()

    def on_death(status: int) -> None:
        heard.append(status)
        death.set()

    server = EmbeddedPostgres(folder, on_death=on_death)
    server.start()
    assert server.pid is not None
    os.kill(server.pid, signal.SIGKILL)
    assert death.wait(5)
    assert heard == [-signal.SIGKILL]
    server.stop()


def test_a_start_that_fails_shows_the_servers_words(folder: Path) -> None:
    with pytest.raises(EmbeddedServerError, match="no_such_setting"):
        EmbeddedPostgres(folder, settings={"no_such_setting": "1"}).start()
