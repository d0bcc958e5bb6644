"""Our JSON is proto JSON: what protobuf's own library writes and reads, we write and read alike."""

import json
from typing import Any

import pytest
from croupier.v1.history_service_pb2 import (
    GetRoundResponse,
    ListEventsResponse,
    ListRoundsRequest,
)
from croupier.v1.rule_set_service_pb2 import CreateRuleSetRequest
from croupier.v1.table_service_pb2 import ActResponse, OpenTableRequest, PlaceBetRequest
from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st

from service.rest.json_reader import BadJson, from_json
from service.rest.json_writer import to_json

# Messages are large, and the machine may be busy.
MANY = settings(max_examples=50, deadline=None)

TEXT = st.text(st.characters(codec="utf-8"), max_size=5)
INT32 = st.integers(-(2**31), 2**31 - 1)
INT64 = st.integers(-(2**63), 2**63 - 1)
# Years 1 to 9999, which is what a timestamp can be written for.
SECONDS = st.integers(-62_135_596_800, 253_402_300_799)


def values(field: Any) -> st.SearchStrategy[Any]:
    if field.containing_type.full_name == "google.protobuf.Timestamp":
        return SECONDS if field.name == "seconds" else st.integers(0, 999_999_999)
    if field.message_type is not None:
        return contents(field.message_type)
    if field.enum_type is not None:
        return st.sampled_from([value.number for value in field.enum_type.values])
    return {
        FieldDescriptor.TYPE_STRING: TEXT,
        FieldDescriptor.TYPE_BOOL: st.booleans(),
        FieldDescriptor.TYPE_INT32: INT32,
        FieldDescriptor.TYPE_INT64: INT64,
    }[field.type]


def contents(descriptor: Any) -> st.SearchStrategy[dict[str, Any]]:
    """What a message may be made of: keyword arguments of its class, some left out."""
    return st.fixed_dictionaries(
        {},
        optional={
            field.name: st.lists(values(field), max_size=2) if field.is_repeated else values(field)
            for field in descriptor.fields
        },
    )


@pytest.mark.parametrize("kind", [ActResponse, GetRoundResponse, ListEventsResponse])
@MANY
@given(data=st.data())
def test_written_as_the_library_writes(kind: type[Message], data: st.DataObject) -> None:
    message = kind(**data.draw(contents(kind.DESCRIPTOR)))
    expected = json_format.MessageToDict(message, always_print_fields_with_no_presence=True)
    assert json.loads(to_json(message)) == expected


@pytest.mark.parametrize(
    "kind", [OpenTableRequest, PlaceBetRequest, CreateRuleSetRequest, ListRoundsRequest]
)
@MANY
@given(data=st.data())
def test_read_as_the_library_writes(kind: type[Message], data: st.DataObject) -> None:
    message = kind(**data.draw(contents(kind.DESCRIPTOR)))
    for proto_names in (True, False):
        text = json_format.MessageToJson(message, preserving_proto_field_name=proto_names)
        read = kind()
        from_json(text.encode(), read)
        assert read == message


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**65), 2**65)
    | st.floats()
    | TEXT
    | st.sampled_from(["SOFT17_HIT", "10", "-5", "1.0", " 1"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["decks", "soft17", "naturalPays", "numerator"]), inner)
    ),
    max_leaves=6,
)


@MANY
@given(st.dictionaries(st.sampled_from(["overrides", "requestId", "rule_set_id"]), VALUES))
def test_nothing_is_read_that_the_library_refuses(body: dict[str, Any]) -> None:
    text = json.dumps(body)
    message = OpenTableRequest()
    try:
        from_json(text.encode(), message)
    except BadJson:
        return
    assert message == json_format.Parse(text, OpenTableRequest())


def test_a_number_past_doubles_is_read_exactly() -> None:
    message = PlaceBetRequest()
    from_json(b'{"stake": 9007199254740993}', message)
    assert message.stake == 2**53 + 1
    from_json(b'{"stake": 9007199254740993.0}', message)
    assert message.stake == 2**53 + 1


def test_a_field_that_is_not_set_is_told_from_zero() -> None:
    message = OpenTableRequest()
    from_json(b'{"overrides": {"decks": 0, "minSeats": null, "tripleSevens": {}}}', message)
    assert message.overrides.HasField("decks")
    assert not message.overrides.HasField("min_seats")
    assert message.overrides.HasField("triple_sevens")
    assert not message.overrides.HasField("pair_bet")
