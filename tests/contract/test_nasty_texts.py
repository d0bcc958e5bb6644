"""Texts that nobody means: in every text field of every method, and in every header, over both
doors. They are refused as what they are, and never a fault of the service."""

import json
from collections.abc import Iterator
from typing import Any, cast
from urllib.parse import quote, quote_from_bytes

import grpc
import httpx
import pytest
from croupier.v1.table_service_pb2 import GetTableRequest
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.rpc import status_pb2

from service.api.annotations import callers_of
from service.api.contract import method_name, methods
from service.api.forms import request_check
from service.calls.access import Role
from tests.contract.declared import good_request
from tests.contract.doors import PATHS, SECONDS, refusal_of
from tests.contract.player import Caller
from tests.contract.server import OPERATOR_KEY, Server

TEXT = FieldDescriptor.TYPE_STRING
NASTY = {
    "empty": "",
    "a NUL": "\0",
    "a NUL at the end": "six-deck-h17\0",
    "half of a pair": "\ud800",
    "the other half": "a\udfff",
    "beyond the first plane": "\U0001f0a1",
    "from right to left": "\u202eabc",
    "a new line": "abc\n",
    "a byte order mark": "\ufeffabc",
    "one that Unicode has not": "\uffff",
    "a quote": "' OR 1=1 --",
    "a percent sign": "%s%(operator)s",
    "a path": "../../etc/passwd",
    "long": "a" * 300,
    "very long": "é" * 5_000,
}
FINE = {"INVALID_ARGUMENT", "NOT_FOUND", "UNIMPLEMENTED", "RESOURCE_EXHAUSTED", "UNAUTHENTICATED"}


def text_fields(message: Descriptor) -> Iterator[FieldDescriptor]:
    for field in message.fields:
        if field.type == TEXT:
            yield field
        elif field.message_type is not None:
            assert not list(text_fields(field.message_type)), f"walk into {field.full_name} too"


PLACES = {
    f"{method.name}.{field.name}": (method, field)
    for method in methods()
    for field in text_fields(method.input_type)
}


def raw(text: str) -> bytes:
    return text.encode("utf-8", errors="surrogatepass")


def varint(number: int) -> bytes:
    low, high = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + varint(high) if high else bytes([low])


def with_text(request: Message, field: FieldDescriptor, text: str) -> bytes:
    """The bytes of a request with a text that the library would refuse to put in."""
    value = raw(text)
    return request.SerializeToString() + varint(field.number << 3 | 2) + varint(len(value)) + value


def token_for(method: MethodDescriptor, player: Caller) -> str:
    return OPERATOR_KEY if Role.OPERATOR in (callers_of(method) or ()) else player.token


@pytest.fixture
def channel(server: Server) -> Iterator[Any]:
    with grpc.insecure_channel(server.grpc) as channel:
        yield channel


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"http://{server.rest}", timeout=SECONDS) as client:
        yield client


def over_grpc(channel: Any, method: MethodDescriptor, data: bytes, *metadata: Any) -> str:
    make = channel.unary_stream if method.server_streaming else channel.unary_unary
    call = make(method_name(method))
    try:
        answer = call(data, metadata=metadata, timeout=SECONDS)
        if method.server_streaming:
            next(answer, None)
            answer.cancel()
    except grpc.RpcError as error:
        trailers: Any = dict(cast("Any", error).trailing_metadata())
        details = trailers.get("grpc-status-details-bin")
        if details is None:
            raise AssertionError(f"an error without details: {error}") from error
        return refusal_of(status_pb2.Status.FromString(details)).code
    return "OK"


def code_of_answer(answer: httpx.Response) -> str:
    if answer.status_code == 200:
        return "OK"
    return refusal_of(json_format.ParseDict(answer.json(), status_pb2.Status())).code


@pytest.mark.parametrize("place", PLACES)
def test_over_grpc(place: str, channel: Any, player: Caller) -> None:
    method, field = PLACES[place]
    authorization = ("authorization", f"Bearer {token_for(method, player)}")
    for name, text in NASTY.items():
        data = with_text(good_request(method), field, text)
        code = over_grpc(channel, method, data, authorization)
        assert code in FINE or (not text and code == "OK"), (name, code)


@pytest.mark.parametrize("place", PLACES)
def test_over_rest(place: str, client: httpx.Client, player: Caller) -> None:
    method, field = PLACES[place]
    http_method, path = PATHS[method_name(method)]
    for name, text in NASTY.items():
        values = json_format.MessageToDict(good_request(method), preserving_proto_field_name=True)
        target = path
        for variable in method.input_type.fields_by_name:
            if f"{{{variable}}}" in target:
                value = values.pop(variable)
                written = raw(text) if variable == field.name else str(value).encode()
                target = target.replace(f"{{{variable}}}", quote_from_bytes(written, safe=""))
        if f"{{{field.name}}}" not in path:
            values[field.name] = text
        body = b""
        if http_method == "GET":
            pairs = (f"{key}={quote_from_bytes(raw(str(one)))}" for key, one in values.items())
            target += "?" + "&".join(pairs)
        else:
            body = json.dumps(values).encode()
        token = token_for(method, player)
        code = code_of_answer(
            client.request(
                http_method, target, content=body, headers={"authorization": f"Bearer {token}"}
            )
        )
        assert code in FINE or (not text and code == "OK"), (name, code)


ODD_BYTES = [
    b"\xff\xfe",
    b"\xc3\x28",
    b"\xed\xa0\x80",
    "é".encode(),
    b"a\tb",
    b"%00",
    b"1e400",
    b"-1",
]


@pytest.mark.parametrize("odd", ODD_BYTES)
def test_headers(odd: bytes, client: httpx.Client, player: Caller) -> None:
    good = ("authorization", f"Bearer {player.token}")
    table_id = player.token[:8].replace(".", "-")

    def send(http_method: str, path: str, *headers: Any, content: bytes = b"") -> str:
        return code_of_answer(
            client.request(http_method, path, headers=list(headers), content=content)
        )

    for scheme in (b"Bearer ", b"Bearer ck_", b"Bearer a.b.", b""):
        assert send("GET", "/v1/tables", (b"authorization", scheme + odd)) == "UNAUTHENTICATED"
    body = b'{"ruleSetId": "no-such-rules"}'
    key = send("POST", "/v1/tables", good, (b"idempotency-key", odd), content=body)
    assert key in {"INVALID_ARGUMENT", "NOT_FOUND"}
    path = f"/v1/tables/{quote(table_id)}:watch"
    assert send("GET", path, good, (b"last-event-id", odd)) in {"INVALID_ARGUMENT", "NOT_FOUND"}
    assert send("GET", "/v1/tables", good, (b"x-something", odd)) == "OK"


@pytest.mark.parametrize("odd", [b"\xff\xfe", b"\0", b"\xc3\x28", b"\xed\xa0\x80"])
def test_binary_metadata(odd: bytes, channel: Any, player: Caller) -> None:
    (method,) = [one for one in methods() if one.name == "GetTable"]
    data = GetTableRequest(table_id="nobody-has-this").SerializeToString()
    good = ("authorization", f"Bearer {player.token}")
    assert over_grpc(channel, method, data, ("authorization-bin", odd)) == "UNAUTHENTICATED"
    for name in ("authorization-bin", "grpc-trace-bin", "idempotency-key-bin"):
        assert over_grpc(channel, method, data, good, (name, odd)) == "NOT_FOUND"


@pytest.mark.parametrize("path", ["%00", "%ED%A0%80", "%FF", "a%0Ab", "%25s", "%2e%2e", "%C3%28"])
def test_segments_of_paths(path: str, client: httpx.Client, player: Caller) -> None:
    headers = {"authorization": f"Bearer {player.token}"}
    for before, after in (
        ("/v1/tables/", ""),
        ("/v1/tables/", ":watch"),
        ("/v1/tables/t/rounds/", ""),
        ("/v1/tables/t/shoes/", ""),
        ("/v1/ruleSets/", ""),
        ("/v1/", ""),
        ("/docs/", ""),
    ):
        answer = client.get(f"{before}{path}{after}", headers=headers)
        assert code_of_answer(answer) in FINE


def test_every_text_of_a_request_has_a_form() -> None:
    for method in methods():
        request_check(method.input_type)  # raises for a text without one
