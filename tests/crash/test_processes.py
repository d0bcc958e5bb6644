"""One service of several processes: what happens when one of them, or all, die."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.crash.server_process import DEFAULTS, ServerProcess

SECONDS = 20.0


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="croupier-processes-") as name:
        yield Path(name)


def start(folder: Path) -> ServerProcess:
    settings = {"CROUPIER_PROCESSES": "2", "CROUPIER_DATA_FOLDER": str(folder)}
    return ServerProcess(settings, folder.with_suffix(".log"))


def children(pid: int) -> list[int]:
    """The serving processes below a parent; the database's is below it too."""
    found = map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
    return [child for child in found if command(child).endswith("serve")]


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().rstrip("\0")
    except FileNotFoundError:
        return ""


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def call(server: ServerProcess, path: str, token: str = "", body: object = None) -> Any:
    url = f"http://{server.rest.removeprefix('http://')}/v1/{path}"
    headers = {"authorization": f"Bearer {token}"} if token else {}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=10) as answer:
        return json.load(answer)


def open_table(server: ServerProcess) -> tuple[str, str]:
    """A guest's token, and the path of a table in the middle of a round, or just after it."""
    token = call(server, "guestTokens", body={})["token"]
    opened = call(server, "tables", token, {"requestId": "o", "ruleSetId": "six-deck-h17"})
    path = f"tables/{opened['table']['tableId']}"
    call(server, f"{path}:bet", token, {"requestId": "b", "round": 1, "stake": 1000})
    return token, path


def test_a_process_that_dies_is_replaced_and_its_tables_go_on(folder: Path) -> None:
    with start(folder) as server:
        token, path = open_table(server)
        before = call(server, path, token)
        first, second = children(server.pid)
        for dead in (first, second):
            os.kill(dead, signal.SIGKILL)
            until(lambda dead=dead: dead not in children(server.pid))  # type: ignore[misc]
            until(lambda: len(children(server.pid)) == 2)
        assert not {first, second} & set(children(server.pid))
        until(lambda: answers(server))
        assert call(server, path, token) == before
        assert server.stop() == 0


def test_processes_that_die_young_again_and_again_end_nobody_else(folder: Path) -> None:
    with start(folder) as server:
        token, path = open_table(server)
        keeps, *_ = children(server.pid)
        for _ in range(4):
            until(lambda: len(children(server.pid)) == 2)
            (young,) = (pid for pid in children(server.pid) if pid != keeps)
            os.kill(young, signal.SIGKILL)
            until(lambda young=young: young not in children(server.pid))  # type: ignore[misc]
            until(lambda: answers(server))
        assert keeps in children(server.pid)
        until(lambda: len(children(server.pid)) == 2)
        call(server, path, token)
        assert server.stop() == 0
    told = [
        json.loads(line)
        for line in folder.with_suffix(".log").read_text().splitlines()
        if "died" in line
    ]
    assert [line["signal"] for line in told] == ["SIGKILL"] * 4
    pauses = [line["pause_seconds"] for line in told]
    assert pauses == sorted(pauses)
    assert pauses[0] < 1 < pauses[-1]


def test_a_process_that_is_told_to_stop_is_replaced_too(folder: Path) -> None:
    with start(folder) as server:
        first, second = children(server.pid)
        os.kill(first, signal.SIGTERM)
        until(lambda: first not in children(server.pid))
        until(lambda: len(children(server.pid)) == 2)
        assert second in children(server.pid)
        assert server.stop() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize("processes", ["1", "2"])
def test_each_signal_to_stop_ends_all_of_it(
    folder: Path, number: signal.Signals, processes: str
) -> None:
    settings = {
        "CROUPIER_PROCESSES": processes,
        "CROUPIER_DATA_FOLDER": str(folder),
        "CROUPIER_SHUTDOWN_DELAY_SECONDS": "0" if number == signal.SIGTERM else "60",
    }
    with ServerProcess(settings, folder.with_suffix(".log")) as server:
        found = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text()
        below = [Path(f"/proc/{pid}") for pid in found.split()]
        os.kill(server.pid, number)
        assert server.has_died() == 0
        until(lambda: not any(path.exists() for path in below))
    assert "Traceback" not in folder.with_suffix(".log").read_text()


def below(folder: Path) -> list[str]:
    """The processes that work in a folder, or name it."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_text() + str((process / "cwd").readlink())
            if str(folder) in words:
                found.append(words.replace("\0", " "))
    return found


MOMENTS = {"modules": "", "initdb": "data/pgdata.new/base", "server": "data/pgdata/postmaster.pid"}
"""What is there when a start has come so far."""
AS_FIRST_PROCESS = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]


@pytest.mark.parametrize(
    ("moment", "number"),
    [("modules", signal.SIGINT), ("initdb", signal.SIGTERM), ("server", signal.SIGHUP)],
)
def test_a_signal_during_the_start_ends_it_at_once_and_leaves_nothing(
    folder: Path, moment: str, number: signal.Signals
) -> None:
    folder.chmod(0o755)
    settings = {"CROUPIER_DATA_FOLDER": str(folder / "data"), "CROUPIER_PROCESSES": "2"}
    with starting(settings) as process:
        until((folder / MOMENTS[moment]).exists)
        if moment == "modules":
            until(lambda: "croupier" in command(process.pid))
            time.sleep(0.2)  # the interpreter itself starts
        process.send_signal(number)
        started = time.monotonic()
        _, said = process.communicate(timeout=SECONDS)
        assert time.monotonic() - started < 5
    assert process.returncode in ((128 + number,) if moment == "modules" else (0,))
    assert "Traceback" not in said
    assert below(folder) == []


def test_a_signal_during_the_start_reaches_a_containers_first_process(folder: Path) -> None:
    if subprocess.run([*AS_FIRST_PROCESS, "true"], capture_output=True).returncode:
        pytest.skip("this user may not make a namespace of processes (unshare --pid)")
    folder.chmod(0o755)
    settings = {"CROUPIER_DATA_FOLDER": str(folder / "data"), "CROUPIER_PROCESSES": "1"}
    with starting(settings, AS_FIRST_PROCESS) as process:
        until((folder / MOMENTS["initdb"]).exists)
        (first,) = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.kill(int(first), signal.SIGTERM)
        shown, _ = process.communicate(timeout=SECONDS)
    assert shown == ""
    assert below(folder) == []


def starting(settings: dict[str, str], before: Sequence[str] = ()) -> subprocess.Popen[str]:
    """A service that has not begun to serve."""
    croupier = str(Path(sys.executable).with_name("croupier"))
    return subprocess.Popen(
        [*before, croupier, "serve"],
        env={**os.environ, **DEFAULTS, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_nohup_keeps_it(folder: Path) -> None:
    settings = {"CROUPIER_PROCESSES": "2", "CROUPIER_DATA_FOLDER": str(folder)}
    croupier = Path(sys.executable).with_name("croupier")
    with ServerProcess(settings, folder.with_suffix(".log"), ["nohup", str(croupier)]) as server:
        for pid in (server.pid, *children(server.pid)):
            os.kill(pid, signal.SIGHUP)
        assert answers(server)
        assert server.stop() == 0


def test_it_says_that_it_leaves_and_serves_on_for_a_while(folder: Path) -> None:
    settings = {
        "CROUPIER_PROCESSES": "2",
        "CROUPIER_DATA_FOLDER": str(folder),
        "CROUPIER_SHUTDOWN_DELAY_SECONDS": "60",
    }
    with ServerProcess(settings, folder.with_suffix(".log")) as server:
        token, path = open_table(server)
        server.interrupt()
        until(lambda: readiness(server) == 503)
        for _ in range(10):
            call(server, path, token)
            assert readiness(server) == 503
        server.interrupt()
        started = time.monotonic()
        assert server.has_died() == 0
        assert time.monotonic() - started < 10


def readiness(server: ServerProcess) -> int:
    try:
        with urllib.request.urlopen(f"http://{server.rest.removeprefix('http://')}/readyz"):
            return 200
    except urllib.error.HTTPError as error:
        return error.code


def answers(server: ServerProcess) -> bool:
    try:
        call(server, "guestTokens", body={})
    except OSError:
        return False
    return True


def test_killing_the_parent_leaves_nobody_behind_and_loses_nothing(folder: Path) -> None:
    with start(folder) as server:
        token, path = open_table(server)
        before = call(server, path, token)
        left = children(server.pid)
        assert len(left) == 2
        server.kill()
        until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in left))
    with start(folder) as again:
        assert call(again, path, token) == before
        assert again.stop() == 0


def test_a_port_that_is_in_use_is_refused_in_one_line(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        for name in ("CROUPIER_GRPC_ADDRESS", "CROUPIER_REST_ADDRESS"):
            settings = {
                "CROUPIER_PROCESSES": "2",
                "CROUPIER_DATA_FOLDER": str(folder),
                "CROUPIER_GRPC_ADDRESS": "127.0.0.1:0",
                "CROUPIER_REST_ADDRESS": "127.0.0.1:0",
                name: address,
            }
            assert refusal(settings).startswith(f"croupier: {address} can't be used")


def test_two_services_do_not_share_a_port(folder: Path) -> None:
    with start(folder) as server, tempfile.TemporaryDirectory(prefix="croupier-other-") as other:
        settings = {
            "CROUPIER_PROCESSES": "2",
            "CROUPIER_DATA_FOLDER": other,
            "CROUPIER_GRPC_ADDRESS": server.grpc,
            "CROUPIER_REST_ADDRESS": "127.0.0.1:0",
        }
        assert "can't be used" in refusal(settings)


def test_processes_that_reach_no_database_end_with_one_line_each() -> None:
    settings = {
        "CROUPIER_PROCESSES": "2",
        "CROUPIER_DATABASE_URL": "host=127.0.0.1 port=1 connect_timeout=1",
        "CROUPIER_TOKEN_SECRET": "x" * 40,
        "CROUPIER_SEALING_KEYS": f"k:{'0' * 64}",
        "CROUPIER_SIGNING_KEYS": f"s:{'0' * 64}",
        "CROUPIER_GRPC_ADDRESS": "127.0.0.1:0",
        "CROUPIER_REST_ADDRESS": "127.0.0.1:0",
        "CROUPIER_LOG_LEVEL": "error",
    }
    assert "Traceback" not in refusal(settings)


def refusal(settings: dict[str, str]) -> str:
    """What a service that does not start says; its status is 1."""
    croupier = Path(sys.executable).parent / "croupier"
    done = subprocess.run(
        [croupier, "serve"],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stderr
