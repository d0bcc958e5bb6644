"""A connection string that will not do is named, and nothing of its password is shown: in no error
line, no trace, no log."""

from pathlib import Path

import pytest
import structlog
from typer.testing import CliRunner

from db.connection_string import check_connection_string
from service.cli.app import app
from service.errors import InputWrong
from service.keys.key_file import Keys

UNREADABLE = (
    "postgresql://u:sesame@[bad/x",
    "postgresql://u:sesame%zz@h/x",
    "postgres://u:sesame@h/x?sesame",
    "host=/nowhere password=open sesame",
    "host=/nowhere password='sesame",
    "password=sesame no=thing",
    "sesame",
)
"""libpq's words for these quote the string."""

UNESCAPED = tuple(
    f"postgresql://u:{password}@127.0.0.1:1/x"
    for password in ("open@sesame", "open/sesame", "12/sesame", "12/ses@me", "op@n/sesame")
)
"""libpq reads a part of these passwords as host, port or database."""

READABLE = (
    "postgresql://u:sesame@127.0.0.1:1/x",
    "postgresql://u:%73esame@127.0.0.1:1/x",
    "postgresql://u:open%40sesame@127.0.0.1:1/x",
    "postgresql://u:sesame@127.0.0.1:none/x",
    "postgresql://127.0.0.1:1/x?user=u&password=sesame",
    "host=/nowhere password='open sesame' sslmode=wrong",
    "host=/nowhere port=1,2,3 password=sesame",
)
"""libpq can read these, and connects to nothing."""

STRINGS = UNREADABLE + UNESCAPED + READABLE
PARTS = ("sesame", "ses@me", "op@n", "%73")

COMMANDS = {
    "migrate": ["migrate"],
    "verify": ["verify", "--database"],
    "export rounds": ["export", "rounds", "--database"],
    "export events": ["export", "events", "--database"],
    "digest": ["digest", "--out", "digest", "--database"],
}
BY_SETTING = {"serve": ["serve"], "verify": ["verify"], "export rounds": ["export", "rounds"]}


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fresh = Keys.fresh()
    monkeypatch.setenv("CROUPIER_TOKEN_SECRET", fresh.token_secret)
    monkeypatch.setenv("CROUPIER_SEALING_KEYS", fresh.sealing_keys)
    monkeypatch.setenv("CROUPIER_SIGNING_KEYS", fresh.signing_keys)
    monkeypatch.chdir(tmp_path)


def told(arguments: list[str], caplog: pytest.LogCaptureFixture) -> tuple[int, str]:
    with caplog.at_level(0), structlog.testing.capture_logs() as logged:
        result = CliRunner().invoke(app, arguments)
    return result.exit_code, f"{result.output}{caplog.text}{logged}"


def holds_none_of_it(said: str) -> bool:
    return not any(part in said for part in PARTS)


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("string", STRINGS)
def test_a_password_in_an_argument(
    command: str, string: str, caplog: pytest.LogCaptureFixture
) -> None:
    status, said = told([*COMMANDS[command], string], caplog)
    assert status in (1, 2)
    assert "Traceback" not in said
    assert holds_none_of_it(said)
    if string not in READABLE:
        assert ("DATABASE" if command == "migrate" else "--database") in said


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize("command", BY_SETTING)
@pytest.mark.parametrize("string", STRINGS)
def test_a_password_in_a_setting(
    command: str,
    string: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CROUPIER_DATABASE_URL", string)
    monkeypatch.setattr("service.server.serve.configure_logs", lambda _: None)
    status, said = told(BY_SETTING[command], caplog)
    assert status in (1, 2)
    assert "Traceback" not in said
    assert holds_none_of_it(said)
    if string not in READABLE:
        assert "CROUPIER_DATABASE_URL" in said


@pytest.mark.parametrize("string", UNREADABLE + UNESCAPED)
def test_a_trace_would_not_show_it_either(string: str) -> None:
    with pytest.raises(InputWrong) as refusal:
        check_connection_string(string, "--database")
    assert refusal.value.__suppress_context__ or refusal.value.__context__ is None


@pytest.mark.parametrize(
    "string",
    [
        *READABLE,
        "",
        "dbname=croupier",
        "host=a@b dbname=c@d",
        "postgresql:///x?host=@abstract",
        "postgresql://u:a%40b%2Fc@h1:1,h2:2/x%40y",
        "postgresql://u:why?@h/x",
    ],
)
def test_what_libpq_reads_as_it_was_meant_is_taken(string: str) -> None:
    check_connection_string(string, "--database")
