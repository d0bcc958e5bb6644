"""Who calls: tokens and keys that are not good, and what they are refused with."""

import base64
import json
import time
from collections.abc import Callable

import httpx
import jwt
import pytest
from croupier.v1.rule_set_service_pb2 import ListRuleSetsRequest
from croupier.v1.table_service_pb2 import GetTableRequest, ListTablesRequest, OpenTableRequest

from tests.contract.doors import Door, Refusal
from tests.contract.player import Caller
from tests.contract.server import OPERATOR, OPERATOR_KEY, TOKEN_SECRET, Server


def signed(secret: str = TOKEN_SECRET, **claims: object) -> str:
    good = {
        "iss": OPERATOR,
        "sub": "ann",
        "aud": "croupier",
        "exp": int(time.time()) + 60,
    }
    kept = {name: value for name, value in (good | claims).items() if value is not None}
    return jwt.encode(kept, secret, algorithm="HS256")


def signed_text(**claims: str) -> str:
    """Claims as JSON text each, which no library for tokens would write."""
    said = {"iss": f'"{OPERATOR}"', "sub": '"ann"', "aud": '"croupier"', "exp": "9000000000"}
    text = ",".join(f'"{name}":{value}' for name, value in (said | claims).items())
    payload = ("{" + text + "}").encode()
    return jwt.PyJWS().encode(payload, TOKEN_SECRET, algorithm="HS256", headers={"typ": "JWT"})


def part(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def with_header(header: str) -> str:
    return ".".join([part(header), *signed().split(".")[1:]])


BAD: dict[str, Callable[[], str]] = {
    "none": lambda: "",
    "garbage": lambda: "garbage",
    "dots": lambda: "..",
    "a key that is not known": lambda: f"{OPERATOR_KEY}x",
    "an empty key": lambda: "ck_",
    "a long text": lambda: "x" * 7_000,
    "a forged signature": lambda: signed("another secret of thirty-two characters"),
    "an ended token": lambda: signed(exp=int(time.time()) - 1),
    "a token without an end": lambda: signed(exp=None),
    "a token for another audience": lambda: signed(aud="roulette"),
    "a token without an audience": lambda: signed(aud=None),
    "a token without an operator": lambda: signed(iss=None),
    "a token without a player": lambda: signed(sub=None),
    "a token of the table itself": lambda: signed(sub="table"),
    "a player with a space": lambda: signed(sub="ann b"),
    "an empty player": lambda: signed(sub=""),
    "a player that is a number": lambda: signed(sub=7),
    "a player that is a list": lambda: signed(sub=["ann"]),
    "an operator that is a number": lambda: signed_text(iss="7"),
    "an operator that is an object": lambda: signed_text(iss='{"house":1}'),
    "an operator with a NUL": lambda: signed(iss="house\0"),
    "an end that is a text": lambda: signed(exp="tomorrow"),
    "an end that is a list": lambda: signed(exp=[9e9]),
    "an end before the beginning": lambda: signed(exp=-1),
    "an end that is not a number": lambda: signed_text(exp="NaN"),
    "an end that is endless": lambda: signed_text(exp="-1e400"),
    "an audience that is a number": lambda: signed_text(aud="7"),
    "an unsigned token": lambda: jwt.encode(
        {"iss": OPERATOR, "sub": "ann", "aud": "croupier", "exp": 9e9}, "", algorithm="none"
    ),
    "a changed payload": lambda: ".".join(
        [signed().split(".")[0], part(json.dumps({"sub": "bob"})), signed().split(".")[2]]
    ),
    "a header that is no object": lambda: with_header("[]"),
    "a header of another algorithm": lambda: with_header('{"alg": {"x": []}, "typ": "JWT"}'),
    "a header nested without end": lambda: with_header("[" * 4_000),
    "a header that is no JSON": lambda: with_header("{"),
}


@pytest.mark.parametrize("end", ["1e400", "1e300", "99999999999999999999"])
async def test_a_token_with_an_end_beyond_all_times_is_no_fault(door: Door, end: str) -> None:
    try:
        await door.call(ListTablesRequest(), signed_text(exp=end))
    except Refusal as refused:
        assert refused.reason == "UNAUTHENTICATED"  # noqa: PT017 - either answer will do


@pytest.mark.parametrize("case", BAD)
async def test_a_token_that_is_not_good(case: str, door: Door) -> None:
    for request in (ListTablesRequest(), OpenTableRequest(request_id="r"), GetTableRequest()):
        with pytest.raises(Refusal) as refused:
            await door.call(request, BAD[case]())
        assert (refused.value.code, refused.value.reason) == ("UNAUTHENTICATED",) * 2
        assert refused.value.metadata == {}


async def test_a_good_token(door: Door) -> None:
    ann = Caller(door, signed(sub="ann"), "ann")
    table = await ann.open("six-deck-h17")
    assert table.seats[0].player_id == "ann"
    assert (await ann.call(ListTablesRequest(page_size=1))).tables[0].table_id == table.table_id


async def test_a_player_of_another_operator(door: Door, player: Caller) -> None:
    table = await player.open("six-deck-h17")
    foreign = Caller(door, signed(iss="rival"), "ann")
    with pytest.raises(Refusal) as refused:
        await foreign.see(table.table_id)
    assert (refused.value.code, refused.value.reason) == ("NOT_FOUND", "TABLE_NOT_FOUND")
    assert (await foreign.call(ListRuleSetsRequest())).rule_sets


@pytest.mark.parametrize("header", ["Bearer", "Basic YTpi", "Token x", "Bearer a b", ","])
async def test_a_header_that_is_no_bearer(header: str, server: Server) -> None:
    async with httpx.AsyncClient(base_url=f"http://{server.rest}", verify=False) as client:
        answer = await client.get("/v1/tables", headers={"authorization": header})
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
