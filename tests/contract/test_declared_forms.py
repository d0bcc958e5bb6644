"""Each form that the contract declares holds at both doors: what fits passes, nothing else does."""

from collections.abc import Callable, Iterator
from typing import Any, cast
from urllib.parse import quote, urlencode

import grpc
import pytest
from croupier.v1.annotations_pb2 import Form
from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.rpc import status_pb2
from hypothesis import given, settings
from hypothesis import strategies as st

from service.api.annotations import callers_of
from service.api.contract import method_name
from service.calls.access import Role
from tests.contract.declared import Declared, declared_fields, good_request
from tests.contract.doors import PATHS, SECONDS, Refusal, refusal_of
from tests.rest.doors import Request, send, servers
from tests.rest.real_pipeline import OPERATOR_KEY, real_pipeline

FIELDS = {one.name: one for one in declared_fields()}
Send = Callable[[MethodDescriptor, Message, str], Refusal | None]
"""Makes a call, and gives how it was refused, if it was."""


@pytest.fixture(scope="module")
def ports() -> Iterator[tuple[int, int]]:
    with servers(real_pipeline) as ports:
        yield ports


@pytest.fixture(scope="module")
def player(ports: tuple[int, int]) -> str:
    body = send(ports[0], Request("POST", "/v1/guestTokens")).body
    assert isinstance(body, dict)
    return str(body["token"])


@pytest.fixture(scope="module", params=["grpc", "rest"])
def call(request: pytest.FixtureRequest, ports: tuple[int, int]) -> Iterator[Send]:
    if request.param == "rest":
        yield lambda method, message, token: over_rest(ports[0], method, message, token)
        return
    with grpc.insecure_channel(f"127.0.0.1:{ports[1]}") as channel:
        yield lambda method, message, token: over_grpc(channel, method, message, token)


def over_grpc(channel: Any, method: MethodDescriptor, message: Message, token: str) -> Any:
    make = channel.unary_stream if method.server_streaming else channel.unary_unary
    metadata = (("authorization", f"Bearer {token}"),)
    try:
        answer = make(method_name(method))(
            message.SerializeToString(), metadata=metadata, timeout=SECONDS
        )
        if method.server_streaming:
            next(answer, None)
            answer.cancel()
    except grpc.RpcError as error:
        trailers: Any = dict(cast("Any", error).trailing_metadata())
        return refusal_of(status_pb2.Status.FromString(trailers["grpc-status-details-bin"]))
    return None


def over_rest(port: int, method: MethodDescriptor, message: Message, token: str) -> Refusal | None:
    http_method, path = PATHS[method_name(method)]
    values = json_format.MessageToDict(message, preserving_proto_field_name=True)
    for field in method.input_type.fields:
        if f"{{{field.name}}}" in path:
            value = values.pop(field.name, getattr(message, field.name))
            path = path.replace(f"{{{field.name}}}", quote(str(value), safe=""))
    body = b""
    if http_method == "GET":
        path += f"?{urlencode(values)}"
    else:
        body = json_format.MessageToJson(message).encode() if values else b"{}"
    answer = send(port, Request(http_method, path, body, {"authorization": f"Bearer {token}"}))
    if answer.status == 200:
        return None
    return refusal_of(json_format.ParseDict(cast("Any", answer.body), status_pb2.Status()))


PLAIN_IDS = st.from_regex(r"\A[A-Za-z0-9_-]{1,64}\Z")
TEXTS = st.text(max_size=80)
LIMITS = {FieldDescriptor.TYPE_INT32: 2**31, FieldDescriptor.TYPE_INT64: 2**63}


def good_values(field: FieldDescriptor, form: Form) -> st.SearchStrategy[Any]:
    if field.enum_type is not None:
        return st.sampled_from([one.number for one in field.enum_type.values][form.required :])
    match form.WhichOneof("kind"):
        case "plain_id":
            return PLAIN_IDS if form.required else PLAIN_IDS | st.just("")
        case "request_id":
            return PLAIN_IDS
        case "page_token":
            return st.just("")
        case "length":
            return st.text(min_size=form.length.least, max_size=form.length.most)
    least, most = limits(field, form)
    return st.integers(least, most)


def bad_values(field: FieldDescriptor, form: Form) -> st.SearchStrategy[Any]:
    """What is refused; an empty strategy where the form takes all that the type has."""
    if field.enum_type is not None:
        known = [one.number for one in field.enum_type.values][form.required :]
        return st.integers(-(2**31), 2**31 - 1).filter(lambda number: number not in known)
    match form.WhichOneof("kind"):
        case "plain_id" | "request_id":
            wrong = TEXTS.filter(lambda text: not is_plain_id(text)).filter(bool)
            needed = form.required or form.request_id
            return wrong | PLAIN_IDS.map(lambda text: text * 65) | nothing_if(needed)
        case "page_token":
            letters = st.characters(exclude_categories=["Cs", "L", "N"], exclude_characters="-_")
            return st.text(letters, min_size=1, max_size=80) | st.just("a" * 513)
        case "length":
            most = form.length.most
            too_long = st.text(min_size=most + 1, max_size=2 * most)
            return too_long | nothing_if(form.length.least > 0)
    least, most = limits(field, form)
    limit = LIMITS[field.type]
    below = st.integers(-limit, least - 1) if least > -limit else st.nothing()
    return below | (st.integers(most + 1, limit - 1) if most < limit - 1 else st.nothing())


def nothing_if(needed: bool) -> st.SearchStrategy[str]:
    """The empty text, where a text is needed."""
    return st.just("") if needed else st.nothing()


def limits(field: FieldDescriptor, form: Form) -> tuple[int, int]:
    limit = LIMITS[field.type]
    if form.HasField("page_size"):
        return 0, limit - 1
    return (
        form.range.least if form.range.HasField("least") else -limit,
        form.range.most if form.range.HasField("most") else limit - 1,
    )


def is_plain_id(text: str) -> bool:
    allowed = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
    return 0 < len(text) <= 64 and set(text) <= allowed


def with_value(declared: Declared, value: Any) -> Message:
    request = good_request(declared.method)
    setattr(request, declared.field.name, value)
    return request


def token_for(declared: Declared, player: str) -> str:
    return OPERATOR_KEY if Role.OPERATOR in (callers_of(declared.method) or ()) else player


@pytest.mark.parametrize("name", FIELDS)
def test_what_fits_passes(name: str, call: Send, player: str) -> None:
    declared = FIELDS[name]

    @settings(max_examples=15, derandomize=True, deadline=None)
    @given(value=good_values(declared.field, declared.form))
    def try_it(value: Any) -> None:
        refusal = call(declared.method, with_value(declared, value), token_for(declared, player))
        assert refusal is None or refusal.code == "NOT_FOUND", refusal

    try_it()


@pytest.mark.parametrize("name", FIELDS)
def test_nothing_else_does(name: str, call: Send, player: str) -> None:
    declared = FIELDS[name]
    field = declared.field

    @settings(max_examples=15, derandomize=True, deadline=None)
    @given(value=bad_values(field, declared.form))
    def try_it(value: Any) -> None:
        in_path = f"{{{field.name}}}" in PATHS[method_name(declared.method)][1]
        if value == "" and in_path:  # over REST another path
            value = " "
        refusal = call(declared.method, with_value(declared, value), token_for(declared, player))
        reason = "FIELD_INVALID"
        if declared.form.page_token:
            reason = "PAGE_TOKEN_INVALID"
        elif value == "" and declared.form.request_id:
            reason = "REQUEST_ID_MISSING"
        assert refusal is not None
        assert (refusal.code, refusal.reason, refusal.metadata) == (
            "INVALID_ARGUMENT",
            reason,
            {"field": field.name},
        )

    try_it()
