"""What becomes of calls when the database ends, loses or refuses connections."""

import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import grpc
import httpx
import psycopg
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

from tests.crash.server_process import CROUPIER
from tests.trouble.below import Game, Server, running, serving, until

TOLD = 1.0
"""Seconds after which both doors tell the truth."""
MANY = 1000
SLACK = 1.5
"""What a busy machine may add."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running() as server:
        yield server


@pytest.fixture
def game(server: Server) -> Iterator[Game]:
    with serving(server) as game:
        game.plays()
        yield game


def rows(server: Server, game: Game) -> int:
    with psycopg.connect(server.conninfo()) as connection:
        found = connection.execute(
            "SELECT count(*) FROM journal WHERE table_id = %s", [game.table]
        ).fetchone()
    assert found is not None
    return int(found[0])


def healthy(game: Game) -> bool:
    """Whether gRPC's health service says so."""
    with grpc.insecure_channel(game.process.grpc) as channel:
        answer = HealthStub(channel).Check(HealthCheckRequest(), timeout=5)
    return bool(answer.status == HealthCheckResponse.SERVING)


def both(game: Game, *, serve: bool) -> bool:
    return game.ready() is serve and healthy(game) is serve


@pytest.mark.parametrize("setting", ["idle_session_timeout", "idle_in_transaction_session_timeout"])
def test_sessions_that_the_server_ends_when_they_are_idle(server: Server, setting: str) -> None:
    server.sql(f"ALTER ROLE croupier_service SET {setting} = '400ms'")
    try:
        with serving(server) as game:
            for _ in range(3):
                time.sleep(0.9)
                game.plays()
    finally:
        server.sql(f"ALTER ROLE croupier_service RESET {setting}")


def test_sessions_that_an_administrator_ends(server: Server, game: Game) -> None:
    for _ in range(5):
        server.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE usename = 'croupier_service'"
        )
        game.plays()
    assert rows(server, game) == game.accepted


def test_a_server_that_is_killed_and_comes_back(server: Server, game: Game) -> None:
    server.kill()
    assert until(lambda: both(game, serve=False)) < TOLD + SLACK
    started = time.monotonic()
    refused = game.see()
    assert time.monotonic() - started < 0.5, "a call that can't be served fails at once"
    assert refused.status_code == httpx.codes.SERVICE_UNAVAILABLE
    assert int(refused.headers["retry-after"]) >= 1
    retry = refused.json()["details"][1]
    assert retry["@type"] == "type.googleapis.com/google.rpc.RetryInfo"
    server.start()
    assert until(lambda: both(game, serve=True)) < TOLD + SLACK
    game.plays()
    assert rows(server, game) == game.accepted


def test_a_server_that_stands_still(server: Server, game: Game) -> None:
    server.signal_all(signal.SIGSTOP)
    try:
        assert until(lambda: both(game, serve=False)) < TOLD + SLACK
        started = time.monotonic()
        assert game.step().status_code == httpx.codes.SERVICE_UNAVAILABLE
        assert time.monotonic() - started < 0.5
    finally:
        server.signal_all(signal.SIGCONT)
    assert until(lambda: both(game, serve=True)) < TOLD + SLACK
    game.plays()
    assert rows(server, game) == game.accepted


def test_a_short_pause_is_bridged(server: Server, game: Game) -> None:
    server.signal_all(signal.SIGSTOP)
    time.sleep(0.3)
    server.signal_all(signal.SIGCONT)
    game.plays()
    assert both(game, serve=True)


def test_a_database_that_only_reads(server: Server, game: Game) -> None:
    server.sql("ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
    try:
        assert until(lambda: both(game, serve=False)) < TOLD + SLACK
    finally:
        server.sql(
            "SET default_transaction_read_only = off",
            "ALTER SYSTEM RESET ALL",
            "SELECT pg_reload_conf()",
        )
    assert until(lambda: both(game, serve=True)) < TOLD + SLACK
    game.plays()


def test_connections_that_run_out(server: Server, game: Game) -> None:
    """Others take all that there are: what the service has goes on, and what it lost comes back."""
    others: list[psycopg.Connection] = []
    try:
        with suppress(psycopg.OperationalError):
            while len(others) < MANY:
                others.append(psycopg.connect(server.conninfo(user="croupier_service")))
        assert len(others) < MANY
        game.plays()
        while others:
            others.pop().close()
        game.plays()
    finally:
        for one in others:
            one.close()
    assert rows(server, game) == game.accepted


def test_a_service_that_starts_before_the_database_does(tmp_path: Path) -> None:
    """It says in one line what it needs, and shows no password."""
    done = subprocess.run(
        [*CROUPIER, "serve"],
        env={
            "PATH": "/usr/bin",
            "CROUPIER_DATABASE_URL": "postgresql://croupier:hidden@127.0.0.1:9/croupier",
            "CROUPIER_TOKEN_SECRET": "t" * 40,
            "CROUPIER_SEALING_KEYS": f"k1:{'5e' * 32}",
            "CROUPIER_SIGNING_KEYS": f"s1:{'51' * 32}",
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "hidden" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
