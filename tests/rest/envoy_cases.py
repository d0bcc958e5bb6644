"""The requests that both doors are asked, and where their answers may differ."""

import json
from dataclasses import dataclass
from typing import Any

from service.rules.reasons import Reason
from tests.rest.doors import Request

TABLE, BET, ACT = "/v1/tables/t-1", "/v1/tables/t-1:bet", "/v1/tables/t-1:act"

# Each difference with its reason. There are no others.
DIFFERENCES = {
    "own words": "Envoy says what it refuses by itself in plain text; here every refusal is a "
    "google.rpc.Status with a reason, under the same HTTP code",
    "method": "Envoy has no 405 and no HEAD; here a path that takes other methods names them, and "
    "HEAD is answered wherever GET is, as HTTP asks",
    "unknown": "Envoy drops fields that a message does not have, and takes parts of a body from "
    "the query; here both are refused, so that a mistyped name is not lost in silence",
    "twice": "Envoy takes the last of several values; here a field that is given twice is refused, "
    "because nobody can tell which stake was meant",
    "lax text": "Envoy takes text that is no proto JSON (quotes and commas left out, 'true' as a "
    "string) or no UTF-8, which only the service behind it refuses; here it is refused at the door",
}


@dataclass(frozen=True)
class Case:
    """A request; with a difference, the HTTP codes of our answer and of Envoy's."""

    request: Request
    difference: str = ""
    ours: int = 0
    envoys: int = 0

    @property
    def name(self) -> str:
        return f"{self.request.method} {self.request.target} {self.request.body[:60]!r}"


def get(target: str, **headers: str) -> Request:
    return Request("GET", target, headers=headers)


def post(target: str, body: Any = b"", **headers: str) -> Request:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Request("POST", target, text, named)


def bet(fields: bytes) -> Request:
    """A bet whose body is `{fields}`."""
    return post(BET, b"{" + fields + b"}")


_PATHS = [
    *(TABLE, "/v1/tables/zeros", "/v1/tables", "/v1/tables?", "/v1/tables/", "/v1/tables/t-1//"),
    *("//v1/tables/t-1", "/v1//tables", "/v1/t%61bles/t-1", "/V1/tables/t-1", "/nope", "/v1"),
    *("/v1/tables/t%2D1", "/v1/tables/a%2Fb", "/v1/tables/a%20b", "/v1/tables/a+b"),
    *("/v1/tables/%zz", "/v1/tables/%C3%BC", "/v1/tables/t%3Aact", "/v1/tables/t:foo"),
    *("/v1/tables/a:b:c", "/v1/tables/%20", "/v1/tables/..", "/v1/tables/%2e%2e"),
    *("/v1/tables/t-1;x=1", "/v1/ruleSets", "/v1/ruleSets/six-deck-h17", "/v1/tables/t-1/nope"),
    *(f"{TABLE}/rounds/{number}" for number in ("3", "-3", "x", "3.0", "99999999999", "", "%33")),
    *(f"{TABLE}/events{query}" for query in ("", "?round=0", "?round=2&page_size=7")),
    *("/v1/rounds", "/v1/rounds?table_id=t-1", "/v1/rounds?tableId=", "/v1/rounds/3"),
    *("/v1/tables?page_size=5&page_token=a", "/v1/tables?pageSize=5&pageToken=a%20b+c"),
    *(f"/v1/tables?pageSize={size}" for size in ("x", "", "1_0", "+5", "5.0", "1e1", "-1", "0")),
    *("/v1/tables?pageSize=2147483648", "/v1/tables?nope=1", "/v1/tables?pageToken=%zz"),
    *("/v1/tables?pageToken", "/v1/tables?&&pageSize=3&", "/v1/tables?PageSize=3"),
    *(
        f"/v1/tables?phase=PHASE_{name}"
        for name in ("BETTING", "UNSPECIFIED", "NONE", "BETTING%20")
    ),
    *(f"/v1/tables?phase={name}" for name in ("betting", "phase_betting", "PHASE%5FBETTING", "")),
    *(f"/v1/tables?phase={number}" for number in ("2", "02", "-0", "0", "99", "-1", "2.0", "+2")),
    *(f"/v1/tables?phase={number}" for number in ("1e0", "%202", 2**31, 2**32 + 2, "0x2", "true")),
]

_STAKES = [
    *(b'"1000"', b"1000", b"1000.0", b"1000.5", b"1e3", b'"1e3"', b'"1000.0"', b'" 5"', b'"1_000"'),
    *(b'"05"', b'""', b"-5", b"0", b'"-9223372036854775808"', b"9223372036854775807", b"1e400"),
    *(b"9223372036854775808", b'"9223372036854775808"', b"9007199254740993", b"NaN", b'"NaN"'),
    *(b"true", b"null", b"[1]", b"{}", b"05", b"0x10", b"-", b"1e-1"),
]

_BODIES = [
    *(
        b"",
        b"  ",
        b"null",
        b"[]",
        b"5",
        b'"x"',
        b"\xef\xbb\xbf{}",
        b"// c\n{}",
        b"{",
        b"}",
        b"{}{}",
    ),
    *(b'{"requestId":"a"', b'{"requestId":"a"} x', b'{"requestId" "a"}', b'{"requestId":}'),
    *(b"[" * 5000, b'{"a":' * 5000, b'{"requestId":"' + b"x" * 300_000 + b'"}'),
]

_BETS = [
    *(b'"requestId":"r1","round":3,"stake":"1000"', b'"request_id":"r1","round":3,"stake":1000'),
    *(b'"round":2147483648', b'"round":3000000000.0', b'"round":-2147483648', b'"round":"3"'),
    *(b'"requestId":5', b'"requestId":true', b'"requestId":null', b'"requestId":{"a":1}'),
    *(b'"requestId":["a"]', b'"requestId":"\\ud800"', b'"requestId":"\\u0000"'),
    *('"requestId":"\\ud83d\\ude00 ü \\" \\n"'.encode(), b'"requestId":"\xff"'),
    *(b'"table_id":"t-1"', b'"table_id":"other"', b'"table_id":""'),
    *(b'"pairBets":null', b'"pairBets":[]', b'"pairBets":[5]', b'"pairBets":[{}]'),
    b'"pairBets":[{"seat":1,"stake":"5"},{"seat":2,"stake":6}]',
]

_ACTIONS: list[object] = [
    *("ACTION_HIT", "HIT", "action_hit", "", 1, 99, -1, 1.0, 1.5, None, True, ["ACTION_HIT"], {}),
]

_OVERRIDES: list[object] = [
    *({}, None, [], "x", {"soft_17": 2}, {"soft17": "SOFT17_HIT"}, {"minSeats": None}),
    *({"doubleAfterSplit": value} for value in (True, False, 1, None)),
    {"minSeats": 0, "naturalPays": {"numerator": 6, "denominator": 5}, "tripleSevens": {}},
]

_SAME = [
    *(get(path) for path in _PATHS),
    *(get(f"/v1/tables/refuse-{reason.name}") for reason in Reason),
    *(bet(b'"stake":' + stake) for stake in _STAKES),
    *(bet(fields) for fields in _BETS),
    *(post(BET, body) for body in _BODIES),
    *(post(ACT, {"action": action}) for action in _ACTIONS),
    *(post("/v1/tables", {"overrides": value}) for value in _OVERRIDES),
    *(post("/v1/guestTokens"), post("/v1/guestTokens", {}), post("/v1/guestTokens?x=1", {})),
    *(post("/v1/tables/a:b:act", {}), post("/v1/tables/:act", {}), post("/nope", {})),
    post("/v1/ruleSets", {"ruleSetId": "mine", "baseRuleSetId": "x", "overrides": {"decks": 8}}),
    *(
        post(BET, {"requestId": "r"}, content_type=kind)
        for kind in ("application/json", "text/plain", "application/x-www-form-urlencoded")
    ),
    get(TABLE, authorization="Bearer other"),
    Request("GET", "/v1/tables", b'{"pageSize": 5}'),
    Request("GET", TABLE, b"{"),
]


def _differing(name: str, ours: int, envoys: int, *requests: Request) -> list[Case]:
    return [Case(request, name, ours, envoys) for request in requests]


CASES = [
    *(Case(request) for request in _SAME),
    *_differing(
        "method",
        *(405, 404),
        *(Request(method, TABLE) for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "POST")),
        *(get("/v1/tables/t-1:act"), post("/v1/tables/t-1:nope", {})),
    ),
    *_differing("method", 200, 404, Request("HEAD", TABLE)),
    *_differing(
        "unknown",
        *(400, 200),
        *(bet(b'"unknown":1'), bet(b'"pairBets":[{"sea":1}]'), bet(b'"Stake":5')),
        *(post("/v1/tables", {"overrides": {"x": 1}}), Request("GET", TABLE, b'{"a":1}')),
        *(post(f"{BET}?round=3", {}), post(f"{BET}?pairBets.seat=3", {})),
    ),
    *_differing(
        "twice",
        *(400, 200),
        *(get("/v1/tables?pageSize=5&pageSize=6"), get("/v1/tables?pageSize=5&page_size=6")),
        *(bet(b'"stake":5,"stake":6'), bet(b'"requestId":"a","request_id":"b"')),
        *(bet(b'"tableId":"other"'), get(f"{TABLE}?tableId=other")),
    ),
    *_differing(
        "lax text",
        *(400, 200),
        *(bet(b'"requestId":"a",'), bet(b"'requestId':'a'"), bet(b'requestId:"a"')),
        *(bet(b'"requestId":"a\x01b"'), bet(b'"pairBets":{"seat":1}'), bet(b'"pairBets":[null]')),
        *(bet(b'"stake":"+5"'), post(ACT, {"action": "1"})),
        post("/v1/tables", {"overrides": {"doubleAfterSplit": "true"}}),
    ),
    *_differing("lax text", 400, 400, get("/v1/tables/%ff"), get("/v1/tables?pageToken=%ff")),
]
