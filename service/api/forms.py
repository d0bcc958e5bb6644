"""Requests checked by the forms that the contract gives their fields (`annotations.proto`).

The checks of a type of request are put together once; a call only runs them.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from croupier.v1.annotations_pb2 import Form
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from service.api.annotations import BadAnnotation, form_of
from service.api.field_checks import field_check

Check = Callable[[Any], None]


@cache
def request_check(message: Descriptor) -> Check:
    """What refuses a request that does not have the form of its type, naming the first field that
    is wrong. Raises BadAnnotation for a form that does not fit its field, and for
    a text without one: whatever nobody has looked at must not reach the database."""
    checks = tuple(_checks(message, "", (message,)))
    if len(checks) == 1:
        return checks[0]

    def check(request: Any) -> None:
        for one in checks:
            one(request)

    return check


def page_size(request: Message) -> int:
    """How many rows a page of a list has, as its request asks: 0 asks for the default, more than
    the largest gives the largest."""
    default, largest = _page_sizes(request.DESCRIPTOR)
    asked: int = getattr(request, "page_size")  # noqa: B009 - what lists has this field
    return min(asked or default, largest)


@cache
def _page_sizes(message: Descriptor) -> tuple[int, int]:
    form = form_of(message.fields_by_name["page_size"])
    if form is None or not form.HasField("page_size"):
        raise BadAnnotation(f"{message.full_name}: its page_size has no form")
    return form.page_size.default_size, form.page_size.largest_size


def _checks(message: Descriptor, path: str, within: tuple[Descriptor, ...]) -> Iterator[Check]:
    """The checks of a message, which stands at `path` and in these messages."""
    for field in message.fields:
        form = form_of(field)
        inner = field.message_type
        if inner is not None and form is None:
            if inner in within:
                raise BadAnnotation(f"{field.full_name}: a request within itself")
            found = tuple(_checks(inner, f"{path}{field.name}.", (*within, inner)))
        elif form is not None or field.enum_type is not None:
            found = (field_check(field, form or Form(), path + field.name),)
        elif field.type == FieldDescriptor.TYPE_STRING:
            raise BadAnnotation(f"{field.full_name}: a text needs a form")
        else:
            continue
        if found and field.is_repeated:
            raise BadAnnotation(f"{field.full_name}: nothing looks at what is in a list")
        if inner is not None and found:
            yield _inside(field.name, found)
        elif found:
            yield _if_given(field.name, found[0]) if field.has_presence else found[0]


def _inside(name: str, checks: tuple[Check, ...]) -> Check:
    def check(request: Any) -> None:
        if request.HasField(name):
            inner = getattr(request, name)
            for one in checks:
                one(inner)

    return check


def _if_given(name: str, check_value: Check) -> Check:
    def check(request: Any) -> None:
        if request.HasField(name):
            check_value(request)

    return check
