"""JSON into messages, in the form of proto JSON, and strictly: what is not understood is refused.

Names may be camelCase or as in the proto file. Integers may be numbers or strings of digits, a
number with a fraction is refused. `null` is as if the field were not there. Refused are unknown
fields, a field or key given twice, unknown enum names, and text that is not UTF-8 or not JSON.
"""

import json
import re
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from service.errors import NotAllowed
from service.rest.times import seconds_and_nanos
from service.rest.wire_types import is_timestamp

_DIGITS = re.compile(r"-?[0-9]{1,20}", re.ASCII)
_RANGES = {
    FieldDescriptor.TYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_INT64: (-(2**63), 2**63 - 1),
}

Read = Callable[[Any, str], Any]


class BadJson(NotAllowed):
    """A text that is no JSON for the message; `field` says where, empty: as a whole."""

    def __init__(self, problem: str, field: str = "") -> None:
        super().__init__(f"{field}: {problem}" if field else problem)
        self.field = field


def from_json(body: bytes, message: Message) -> frozenset[str]:
    """Read a body into an empty message; an empty body is an empty object.

    Returns the names of the fields that it gave. Raises `BadJson`.
    """
    if not body:
        return frozenset()
    try:
        value = json.loads(
            body.decode(),
            object_pairs_hook=_once,
            parse_float=Decimal,
            parse_constant=_refuse_constant,
        )
    except UnicodeDecodeError as error:
        raise BadJson(f"not UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise BadJson("nested too deeply") from error
    except ValueError as error:
        raise BadJson(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise BadJson("not a JSON object")
    return _fill(message, value, "")


def set_text(message: Message, name: str, text: str) -> None:
    """Set a string, integer, enum or time from a path segment or a query parameter: an enum by a
    value's name or number. Raises `BadJson`."""
    field = fields_by_name(message.DESCRIPTOR)[name]
    if is_timestamp(field):
        _read_time(getattr(message, field.name), text, name)
    elif field.enum_type is not None:
        setattr(message, field.name, _read_enum_text(field.enum_type, text, name))
    else:
        setattr(message, field.name, _value_reader(field)(text, name))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _fill(message: Message, values: dict[str, Any], path: str) -> frozenset[str]:
    known = fields_by_name(message.DESCRIPTOR)
    filled = set()
    for key, value in values.items():
        field = known.get(key)
        place = f"{path}{key}"
        if field is None:
            raise BadJson("there is no such field", place)
        if field.name in filled:
            raise BadJson("given twice, under both of its names", place)
        if value is not None:
            filled.add(field.name)
            _set(message, field, value, place)
    return frozenset(filled)


@cache
def fields_by_name(descriptor: Descriptor) -> dict[str, FieldDescriptor]:
    """The fields of a message by both of their names."""
    return {name: field for field in descriptor.fields for name in (field.name, field.json_name)}


def _set(message: Message, field: FieldDescriptor, value: Any, place: str) -> None:
    if field.is_repeated:
        if not isinstance(value, list):
            raise BadJson("not a list", place)
        items = getattr(message, field.name)
        for index, item in enumerate(value):
            spot = f"{place}[{index}]"
            if is_timestamp(field):
                _read_time(items.add(), item, spot)
            elif field.message_type is not None:
                _fill_object(items.add(), item, spot)
            else:
                items.append(_value_reader(field)(item, spot))
    elif field.message_type is not None:
        inner = getattr(message, field.name)
        inner.SetInParent()
        if is_timestamp(field):
            _read_time(inner, value, place)
        else:
            _fill_object(inner, value, place)
    else:
        setattr(message, field.name, _value_reader(field)(value, place))


def _read_time(moment: Any, value: Any, place: str) -> None:
    """A time in the form of RFC 3339: `2026-01-31T12:00:00Z`, or with an offset."""
    try:
        moment.seconds, moment.nanos = seconds_and_nanos(_read_string(value, place))
    except ValueError as error:
        raise BadJson("no time, as in 2026-01-31T12:00:00Z", place) from error


def _fill_object(message: Message, value: Any, place: str) -> None:
    if not isinstance(value, dict):
        raise BadJson("not an object", place)
    _fill(message, value, f"{place}.")


@cache
def _value_reader(field: FieldDescriptor) -> Read:
    if field.enum_type is not None:
        return _enum_reader(field.enum_type)
    if field.type == FieldDescriptor.TYPE_BOOL:
        return _read_bool
    if field.type == FieldDescriptor.TYPE_STRING:
        return _read_string
    low, high = _RANGES[field.type]
    return lambda value, place: _read_integer(value, place, low, high)


def _read_bool(value: Any, place: str) -> bool:
    if not isinstance(value, bool):
        raise BadJson("neither true nor false", place)
    return value


def _read_string(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise BadJson("not a string", place)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BadJson("not Unicode text: half of a surrogate pair", place) from error
    return value


def _read_integer(value: Any, place: str, low: int, high: int) -> int:
    """A whole number in its range, compared before it is converted: 1e999999 is a short text."""
    if isinstance(value, str):
        if not _DIGITS.fullmatch(value):
            raise BadJson("not a whole number", place)
        value = int(value)
    elif isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise BadJson("not a whole number", place)
    if not low <= value <= high:
        raise BadJson(f"not between {low} and {high}", place)
    if value != int(value):
        raise BadJson("not a whole number", place)
    return int(value)


@cache
def _numbers(enum: EnumDescriptor) -> dict[str, int]:
    return {value.name: value.number for value in enum.values}


def _read_enum_text(enum: EnumDescriptor, text: str, place: str) -> int:
    numbers = _numbers(enum)
    number = numbers.get(text)
    # Not `values_by_number`, which takes 2**32 + 1 for 1.
    if number is None and _DIGITS.fullmatch(text) and int(text) in numbers.values():
        number = int(text)
    if number is None:
        raise BadJson(f"not one of {', '.join(numbers)}", place)
    return number


def _enum_reader(enum: EnumDescriptor) -> Read:
    numbers = _numbers(enum)

    def read(value: Any, place: str) -> int:
        if isinstance(value, str):
            if value not in numbers:
                raise BadJson(f"not one of {', '.join(numbers)}", place)
            return numbers[value]
        return _read_integer(value, place, *_RANGES[FieldDescriptor.TYPE_INT32])

    return read
