"""The check of one field of a request, made from its form in the contract."""

from collections.abc import Callable, Collection
from math import inf
from typing import Any

from croupier.v1.annotations_pb2 import Form
from google.protobuf.descriptor import FieldDescriptor

from service.api.annotations import BadAnnotation
from service.calls.paging import PAGE_TOKEN, invalid_page_token
from service.journal.plain_ids import PLAIN_ID
from service.rules.reasons import Reason, Refused

Check = Callable[[Any], None]

_TEXT = (FieldDescriptor.TYPE_STRING,)
_NUMBERS = (FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_INT64)
_ENUMS = (FieldDescriptor.TYPE_ENUM,)
_is_plain_id = PLAIN_ID.fullmatch


def field_check(field: FieldDescriptor, form: Form, place: str) -> Check:
    """What refuses a message whose field does not have this form; `place` names the field.

    Raises BadAnnotation for a form that does not fit the field.
    """
    kind = form.WhichOneof("kind") or ""
    make, types, may_be_required = _KINDS[kind]
    if field.type not in types or (form.required and not may_be_required):
        raise BadAnnotation(f"{field.full_name}: its form does not fit it")
    return make(field, form, place)


def _enum(field: FieldDescriptor, form: Form, place: str) -> Check:
    name, values = field.name, field.enum_type.values  # type: ignore[union-attr]
    known = frozenset(value.number for value in values if value.number or not form.required)
    names = ", ".join(value.name for value in values if value.number)
    return _value_check(name, known.__contains__, _refusal(place, f"one of {names}", form))


def _plain_id(field: FieldDescriptor, form: Form, place: str) -> Check:
    refusal = _refusal(place, "an id has 1 to 64 letters, digits, - or _", form)
    if form.required:
        return _value_check(field.name, _is_plain_id, refusal)
    return _value_check(field.name, lambda text: not text or _is_plain_id(text), refusal)


def _request_id(field: FieldDescriptor, form: Form, place: str) -> Check:
    name = field.name
    refusal = _refusal(place, "an id has 1 to 64 letters, digits, - or _", form)

    def check(request: Any) -> None:
        text = getattr(request, name)
        if not text:
            raise Refused(
                Reason.REQUEST_ID_MISSING,
                f"{place}: every call that changes something needs one, new for each change",
                field=place,
            )
        if not _is_plain_id(text):
            raise refusal()

    return check


def _length(field: FieldDescriptor, form: Form, place: str) -> Check:
    least, most = form.length.least, form.length.most
    refusal = _refusal(place, f"{least} to {most} characters", form)
    return _value_check(field.name, lambda text: least <= len(text) <= most, refusal)


def _range(field: FieldDescriptor, form: Form, place: str) -> Check:
    limits = form.range
    least = limits.least if limits.HasField("least") else -inf
    most = limits.most if limits.HasField("most") else inf
    within = f"{least} to {most}"
    if most == inf:
        within = f"{least} or more"
    elif least == -inf:
        within = f"{most} or less"
    refusal = _refusal(place, within, form)
    return _value_check(field.name, lambda number: least <= number <= most, refusal)


def _page_size(field: FieldDescriptor, form: Form, place: str) -> Check:
    refusal = _refusal(place, "0 or more", form)
    return _value_check(field.name, lambda number: number >= 0, refusal)


def _page_token(field: FieldDescriptor, _form: Form, place: str) -> Check:
    return _value_check(field.name, PAGE_TOKEN.fullmatch, lambda: invalid_page_token(place))


def _refusal(place: str, expected: str, form: Form) -> Callable[[], Refused]:
    source = f"; take it from `{form.source}`" if form.source else ""
    return lambda: Refused(Reason.FIELD_INVALID, f"{place}: {expected}{source}", field=place)


def _value_check(name: str, is_good: Callable[[Any], Any], refusal: Callable[[], Refused]) -> Check:
    def check(request: Any) -> None:
        if not is_good(getattr(request, name)):
            raise refusal()

    return check


Make = Callable[[FieldDescriptor, Form, str], Check]

# How the check of each kind of form is made, the types of fields that it fits, and whether such a
# field may be `required`.
_KINDS: dict[str, tuple[Make, Collection[int], bool]] = {
    "": (_enum, _ENUMS, True),
    "plain_id": (_plain_id, _TEXT, True),
    "request_id": (_request_id, _TEXT, False),
    "length": (_length, _TEXT, False),
    "range": (_range, _NUMBERS, False),
    "page_size": (_page_size, _NUMBERS, False),
    "page_token": (_page_token, _TEXT, False),
}
