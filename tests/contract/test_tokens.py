"""Who calls: tokens and keys that are not good, and what they are refused with."""

import base64
import hmac
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
        # Some are signed when the tests are collected, and used when it is their turn.
        "exp": int(time.time()) + 24 * 3600,
    }
    kept = {name: value for name, value in (good | claims).items() if value is not None}
    return jwt.encode(kept, secret, algorithm="HS256")


def signed_text(**claims: str) -> str:
    """Claims as JSON text each, which no library for tokens would write."""
    said = {"iss": f'"{OPERATOR}"', "sub": '"ann"', "aud": '"croupier"', "exp": "9000000000"}
    text = ",".join(f'"{name}":{value}' for name, value in (said | claims).items())
    payload = ("{" + text + "}").encode()
    return jwt.PyJWS().encode(payload, TOKEN_SECRET, algorithm="HS256", headers={"typ": "JWT"})


GOOD = json.dumps({"iss": OPERATOR, "sub": "ann", "aud": "croupier", "exp": 9e9}).encode()


def of_payload(payload: bytes, **header: object) -> str:
    """A payload that we have signed, whatever it says; `typ` None is written as null."""
    said = part(json.dumps({"alg": "HS256"} | header))
    body = base64.urlsafe_b64encode(payload).decode().rstrip("=")
    digest = hmac.digest(TOKEN_SECRET.encode(), f"{said}.{body}".encode(), "sha256")
    return f"{said}.{body}.{base64.urlsafe_b64encode(digest).decode().rstrip('=')}"


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
    "an end that is a truth": lambda: signed_text(exp="true"),
    "an end that is nothing": lambda: signed_text(exp="null"),
    "an end that is a number as text": lambda: signed_text(exp='"9000000000"'),
    "an end of a thousand digits": lambda: signed_text(exp="9" * 1000 + ".5e-4000"),
    "a beginning that is a list": lambda: signed_text(nbf="[]"),
    "a beginning beyond all times": lambda: signed_text(nbf="1e400"),
    "a beginning to come": lambda: signed_text(nbf="9000000000"),
    "an issue that is an object": lambda: signed_text(iat="{}"),
    "an issue beyond all times": lambda: signed_text(iat="1e400"),
    "an issue that is a text": lambda: signed_text(iat='"now"'),
    "an id that is a number": lambda: signed_text(jti="7"),
    "a player with half of a pair": lambda: signed_text(sub='"\\ud800"'),
    "an operator that is nothing": lambda: signed_text(iss="null"),
    "audiences that are numbers": lambda: signed_text(aud="[7]"),
    "audiences without ours": lambda: signed_text(aud='["roulette"]'),
    "an audience that is nothing": lambda: signed_text(aud="null"),
    "claims that are a list": lambda: of_payload(b"[]"),
    "claims that are a number": lambda: of_payload(b"7"),
    "claims that are no JSON": lambda: of_payload(b"\xff\0{"),
    "claims without end": lambda: of_payload(b'{"x":' + b"[" * 5_000),
    "another type of token": lambda: of_payload(GOOD, typ="receipt"),
    "a type that is a list": lambda: of_payload(GOOD, typ=["JWT"]),
    "a type that is nothing": lambda: of_payload(GOOD, typ=None),
    "a key id that is a list": lambda: with_header('{"alg":"HS256","typ":"JWT","kid":["k"]}'),
    "headers that have to be known": lambda: with_header('{"alg":"HS256","crit":[{}]}'),
    "an algorithm that is a list": lambda: with_header('{"alg":["HS256"]}'),
    "an algorithm that is a number": lambda: with_header('{"alg":7}'),
    "no algorithm": lambda: with_header('{"typ":"JWT"}'),
    "half of a pair for a header": lambda: with_header('{"alg":"\\ud800"}'),
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
    with pytest.raises(Refusal) as refused:  # once: too many calls in vain end connections
        await door.call(ListTablesRequest(), BAD[case]())
    assert (refused.value.code, refused.value.reason) == ("UNAUTHENTICATED",) * 2
    assert refused.value.metadata == {}


async def test_it_comes_before_whatever_else_is_wrong(door: Door) -> None:
    for request in (OpenTableRequest(request_id="r"), GetTableRequest()):
        with pytest.raises(Refusal) as refused:
            await door.call(request, BAD["a forged signature"]())
        assert refused.value.code == "UNAUTHENTICATED"


async def test_a_good_token(door: Door) -> None:
    ann = Caller(door, signed(sub="ann"), "ann")
    table = await ann.open("six-deck-h17")
    assert table.seats[0].player_id == "ann"
    assert (await ann.call(ListTablesRequest(page_size=1))).tables[0].table_id == table.table_id


@pytest.mark.parametrize(
    "token",
    [
        of_payload(GOOD),
        of_payload(GOOD, typ="jwt", kid="k1"),
        signed_text(aud='["roulette", "croupier"]'),
        signed_text(nbf="1", iat="1.5", jti='"t-1"', other='{"of": ["others", null]}'),
        signed_text(exp="9000000000.5", iat="9000000000"),
        signed(nbf=int(time.time()) + 30, exp=9e9),
    ],
)
async def test_whatever_else_a_good_token_may_say(door: Door, token: str) -> None:
    await door.call(ListTablesRequest(), token)


async def test_the_reason_names_the_claim(door: Door) -> None:
    for token, named in (
        (signed_text(exp='"x"'), "exp"),
        (signed_text(sub="7"), "sub"),
        (signed_text(nbf="[]"), "nbf"),
        (signed(aud="roulette"), "aud"),
        (of_payload(GOOD, typ="x"), "typ"),
    ):
        with pytest.raises(Refusal, match=named):
            await door.call(ListTablesRequest(), token)


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
