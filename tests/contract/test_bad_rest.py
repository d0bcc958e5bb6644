"""What only HTTP can carry: texts that are no JSON, paths, methods and headers."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from croupier.v1.table_pb2 import Table

from tests.contract.conftest import guest
from tests.contract.doors import Refusal, RestDoor, open_door
from tests.contract.player import Caller, bytes_of
from tests.contract.server import Server


@pytest.fixture
async def door(server: Server) -> AsyncIterator[RestDoor]:
    async with open_door("rest", server) as door:
        assert isinstance(door, RestDoor)
        yield door


@pytest.fixture
async def player(door: RestDoor) -> Caller:
    return await guest(door)


@pytest.fixture
async def table(player: Caller) -> Table:
    return await player.open("six-deck-h17")


async def refused(
    door: RestDoor, method: str, path: str, token: str, **content: Any
) -> tuple[int, Refusal]:
    statuses = []

    async def note(response: httpx.Response) -> None:
        statuses.append(response.status_code)

    door.client.event_hooks = {"response": [note]}
    with pytest.raises(Refusal) as refusal:
        await door.send(method, path, token, **content)
    door.client.event_hooks = {}
    return statuses[0], refusal.value


GOOD = '"request_id": "r", "round": 1'
BODIES: dict[str, tuple[str | bytes, str]] = {
    "half an object": ('{"request_id": "r"', ""),
    "no JSON": ("request_id=r&round=1", ""),
    "a list": ("[]", ""),
    "a text": ('"bet"', ""),
    "null": ("null", ""),
    "2^63": (f'{{{GOOD}, "stake": 9223372036854775808}}', "stake"),
    "2^63 as text": (f'{{{GOOD}, "stake": "9223372036854775808"}}', "stake"),
    "a float": (f'{{{GOOD}, "stake": 100.5}}', "stake"),
    "a float as text": (f'{{{GOOD}, "stake": "100.0"}}', "stake"),
    "a word": (f'{{{GOOD}, "stake": "ten"}}', "stake"),
    "an empty text": (f'{{{GOOD}, "stake": ""}}', "stake"),
    "NaN": (f'{{{GOOD}, "stake": NaN}}', ""),
    "NaN as text": (f'{{{GOOD}, "stake": "NaN"}}', "stake"),
    "Infinity": (f'{{{GOOD}, "stake": Infinity}}', ""),
    "true": (f'{{{GOOD}, "stake": true}}', "stake"),
    "an object": (f'{{{GOOD}, "stake": {{}}}}', "stake"),
    "a huge exponent": (f'{{{GOOD}, "stake": 1e999999999}}', "stake"),
    "many digits": (f'{{{GOOD}, "stake": {"9" * 5000}}}', ""),
    "a round past 2^31": ('{"request_id": "r", "round": 4294967297, "stake": 100}', "round"),
    "an unknown field": (f'{{{GOOD}, "stake": 100, "cheat": 1}}', "cheat"),
    "a field of another request": (f'{{{GOOD}, "stake": 100, "action": 1}}', "action"),
    "an unknown field in a list": (
        f'{{{GOOD}, "stake": 100, "pairBets": [{{"x": 1}}]}}', "pairBets[0].x"),
    "a key twice": (f'{{{GOOD}, "stake": 100, "stake": 200}}', ""),
    "a field under both its names": (
        '{"request_id": "r", "requestId": "r", "round": 1, "stake": 100}', "requestId"),
    "invalid UTF-8": (b'{"request_id": "\xff", "round": 1, "stake": 100}', ""),
    "half a surrogate pair": ('{"request_id": "\\ud800", "round": 1, "stake": 100}', "request_id"),
    "another table in the body": (f'{{{GOOD}, "stake": 100, "table_id": "t"}}', "table_id"),
    "deep nesting": ("[" * 100_000, ""),
    "deep nesting in a field": ('{"pairBets":' * 20_000, ""),
    "a NUL": ("\0", ""),
}  # fmt: skip


@pytest.mark.parametrize("case", BODIES)
async def test_a_malformed_bet(case: str, door: RestDoor, player: Caller, table: Table) -> None:
    body, field = BODIES[case]
    path = f"/v1/tables/{table.table_id}:bet"
    status, refusal = await refused(door, "POST", path, player.token, content=body)
    assert (status, refusal.code, refusal.reason) == (400, "INVALID_ARGUMENT", "FIELD_INVALID")
    assert refusal.metadata == {"field": field or ""}
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)


@pytest.mark.parametrize("action", ['"ACTION_CHEAT"', '"hit"', "1.5", "[1]", '"1"', "4294967297"])
async def test_an_unknown_action(action: str, door: RestDoor, player: Caller, table: Table) -> None:
    table = await player.deal_until_a_decision(table)
    body = f'{{"request_id": "a", "decision": "{table.your.decision}", "action": {action}}}'
    path = f"/v1/tables/{table.table_id}:act"
    status, refusal = await refused(door, "POST", path, player.token, content=body)
    assert (status, refusal.reason, refusal.metadata) == (
        400,
        "FIELD_INVALID",
        {"field": "action"},
    )
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)


async def test_a_body_of_5_mb(door: RestDoor, player: Caller, table: Table) -> None:
    path = f"/v1/tables/{table.table_id}:bet"
    status, refusal = await refused(door, "POST", path, player.token, content=b" " * 5_000_000)
    assert (status, refusal.code, refusal.reason) == (413, "RESOURCE_EXHAUSTED", "TOO_LARGE")
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/v1/nothing", 404, "UNIMPLEMENTED"),
        ("GET", "/v2/tables", 404, "UNIMPLEMENTED"),
        ("GET", "/v1/tables/t/cheat", 404, "UNIMPLEMENTED"),
        ("GET", "/v1/tables/t/u/v", 404, "UNIMPLEMENTED"),
        ("GET", "/v1/tables/%00", 400, "INVALID_ARGUMENT"),
        ("GET", "/v1/tables/%ff", 400, "INVALID_ARGUMENT"),
        ("GET", "/v1/tables/a%2Fb", 400, "INVALID_ARGUMENT"),
        ("GET", f"/v1/tables/{'t' * 5_000}", 400, "INVALID_ARGUMENT"),
        ("GET", "/v1/tables/t/rounds/x", 400, "INVALID_ARGUMENT"),
        ("GET", "/v1/tables/t/rounds/99999999999", 400, "INVALID_ARGUMENT"),
        ("GET", "/v1/tables?page_size=x", 400, "INVALID_ARGUMENT"),
        ("GET", "/v1/tables?page_size=1&page_size=2", 400, "INVALID_ARGUMENT"),
        ("GET", "/v1/tables?cheat=1", 400, "INVALID_ARGUMENT"),
        ("GET", "/v1/tables?page_token=%ff", 400, "INVALID_ARGUMENT"),
        ("GET", "/v1/tables?page_token=%00", 400, "INVALID_ARGUMENT"),
        ("DELETE", "/v1/tables/t", 405, "UNIMPLEMENTED"),
        ("PUT", "/v1/tables", 405, "UNIMPLEMENTED"),
        ("PATCH", "/v1/tables/t:bet", 405, "UNIMPLEMENTED"),
        ("GET", "/v1/tables/t:bet", 405, "UNIMPLEMENTED"),
        ("OPTIONS", "/v1/tables", 405, "UNIMPLEMENTED"),
        ("POST", "/docs", 405, "UNIMPLEMENTED"),
        ("POST", "/healthz", 405, "UNIMPLEMENTED"),
    ],
)
async def test_paths_and_methods(
    door: RestDoor, player: Caller, method: str, path: str, status: int, code: str
) -> None:
    got, refusal = await refused(door, method, path, player.token)
    assert (got, refusal.code) == (status, code), refusal


async def test_the_content_type_is_not_asked(door: RestDoor, player: Caller, table: Table) -> None:
    """Whatever a client says that it sends is read as JSON: `curl -d` says that it sends a form."""
    path = f"/v1/tables/{table.table_id}:bet"
    for kind in ("text/plain", "application/x-www-form-urlencoded", "image/png", ""):
        status, refusal = await refused(
            door, "POST", path, player.token, content=b"stake=1", headers={"content-type": kind}
        )
        assert (status, refusal.reason) == (400, "FIELD_INVALID")
    answer = await door.send(
        "POST",
        path,
        player.token,
        content=f'{{{GOOD}, "stake": 100}}',
        headers={"content-type": "application/x-www-form-urlencoded"},
    )
    assert answer["version"] == "2"


async def test_the_idempotency_key(door: RestDoor, player: Caller, table: Table) -> None:
    path = f"/v1/tables/{table.table_id}:bet"
    bet = {"round": 1, "stake": "100"}
    for key, body in (("k", bet | {"request_id": "other"}), ("k k", bet), ("k, k", bet)):
        status, refusal = await refused(
            door, "POST", path, player.token, json=body, headers={"Idempotency-Key": key}
        )
        assert (status, refusal.reason) == (400, "FIELD_INVALID")
    assert bytes_of(await player.see(table.table_id)) == bytes_of(table)
    answers = [
        await door.send("POST", path, player.token, json=bet | body, headers=headers)
        for body, headers in (
            ({}, {"Idempotency-Key": "k"}),
            ({"requestId": "k"}, {"Idempotency-Key": "k"}),
            ({"request_id": "k"}, {}),
        )
    ]
    assert [answer.pop("replayed") for answer in answers] == [False, True, True]
    assert answers[0] == answers[1] == answers[2]


async def test_texts_that_are_no_http(server: Server, player: Caller) -> None:
    host, port = server.rest.split(":")
    for text, status in (
        (b"\0\0\0\0\r\n\r\n", b"400"),
        (b"GET\r\n\r\n", b"400"),
        (b"GET /v1/tables HTTP/9.9\r\n\r\n", b"505"),
        (b"POST /v1/tables HTTP/1.1\r\ncontent-length: -1\r\n\r\n", b"400"),
        (b"POST /v1/tables HTTP/1.1\r\ncontent-length: x\r\n\r\n", b"400"),
        (b"POST /v1/tables HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", b"400"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"505"),
    ):
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(text)
        async with asyncio.timeout(10):
            line = await reader.readline()
        writer.close()
        assert line.split()[1:2] == [status], (text, line)
    assert (await player.open("six-deck-h17")).version == 1


async def test_a_web_socket_is_not_opened(door: RestDoor, player: Caller) -> None:
    response = await door.client.get(
        "/v1/tables",
        headers={
            "connection": "upgrade",
            "upgrade": "websocket",
            "sec-websocket-version": "13",
            "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
            "authorization": f"Bearer {player.token}",
        },
    )
    assert response.status_code == 200


async def test_a_client_that_goes_away_in_its_body(server: Server, player: Caller) -> None:
    host, port = server.rest.split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"POST /v1/tables HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{")
    await writer.drain()
    writer.close()
    assert (await player.open("six-deck-h17")).version == 1
