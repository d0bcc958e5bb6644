"""Messages as JSON, in the form of proto JSON: camelCase names, 64-bit integers as strings.

Zero values are printed; a message or an `optional` field that is not set is left out. The writer of
each message type is put together once, because walking descriptors costs more than the call.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from service.rest.wire_types import TIMESTAMP

Write = Callable[[Any], Any]

_encode = msgspec.json.Encoder().encode


def to_json(message: Message) -> bytes:
    """The JSON text of a message, UTF-8."""
    return _encode(_message_writer(message.DESCRIPTOR)(message))


@cache
def _message_writer(descriptor: Descriptor) -> Write:
    if descriptor.full_name == TIMESTAMP:
        return lambda moment: moment.ToJsonString()
    fields = [
        (field.name, field.json_name, field.has_presence, field.is_repeated, _value_writer(field))
        for field in descriptor.fields
    ]

    def write(message: Any) -> dict[str, Any]:
        written = {}
        for name, json_name, has_presence, repeated, write_value in fields:
            if has_presence and not message.HasField(name):
                continue
            value = getattr(message, name)
            if repeated:
                value = list(value) if write_value is None else [write_value(one) for one in value]
            elif write_value is not None:
                value = write_value(value)
            written[json_name] = value
        return written

    return write


def _value_writer(field: FieldDescriptor) -> Write | None:
    """How one value is written; None: as it is."""
    if field.message_type is not None:
        return _message_writer(field.message_type)
    if field.enum_type is not None:
        return _enum_writer(field.enum_type)
    return str if field.type == FieldDescriptor.TYPE_INT64 else None


def _enum_writer(enum: EnumDescriptor) -> Write:
    names = {value.number: value.name for value in enum.values}
    return lambda number: names.get(number, number)
