"""The check of requests is made from the forms in their descriptors."""

from typing import Any

import pytest
from croupier.v1.annotations_pb2 import Form, Length, PageSize, Range, form
from croupier.v1.rule_set_pb2 import RuleSetOverrides
from croupier.v1.table_service_pb2 import OpenTableRequest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

from service.api.annotations import BadAnnotation
from service.api.contract import methods
from service.api.forms import page_size, request_check
from service.rules.reasons import Reason, Refused
from service.table.deciding.voiding import LONGEST_REASON

TEXT, INT32, INT64 = (
    FieldDescriptorProto.TYPE_STRING,
    FieldDescriptorProto.TYPE_INT32,
    FieldDescriptorProto.TYPE_INT64,
)
BOOL, ENUM, MESSAGE = (
    FieldDescriptorProto.TYPE_BOOL,
    FieldDescriptorProto.TYPE_ENUM,
    FieldDescriptorProto.TYPE_MESSAGE,
)
ONE, MANY = FieldDescriptorProto.LABEL_OPTIONAL, FieldDescriptorProto.LABEL_REPEATED


def message(kind: Any, its_form: Form | None, label: Any = ONE) -> type[Any]:
    """A type of message with one field `x` of this type and form, in a message `Outer`."""
    file = FileDescriptorProto(name="x.proto", package="x", syntax="proto3")
    enum = file.enum_type.add(name="Kind")
    for number, name in enumerate(("NONE", "ONE", "TWO")):
        enum.value.add(name=name, number=number)
    outer = file.message_type.add(name="Outer")
    type_name = {ENUM: ".x.Kind", MESSAGE: ".x.Outer"}.get(kind)
    field = outer.field.add(name="x", number=1, type=kind, label=label, type_name=type_name)
    if its_form is not None:
        field.options.Extensions[form].CopyFrom(its_form)
    pool = DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    return GetMessageClass(pool.FindMessageTypeByName("x.Outer"))


CASES: dict[str, tuple[Any, Form, list[Any], list[Any]]] = {
    "a plain id": (TEXT, Form(plain_id=True), ["", "a", "-" * 64], ["é", "a b", "a" * 65, "a\n"]),
    "an id that has to be": (
        TEXT, Form(plain_id=True, required=True), ["a", "Z9_-"], ["", " ", "a.b"]),
    "a length": (TEXT, Form(length=Length(most=3)), ["", "é" * 3], ["abcd"]),
    "a length that has to be": (TEXT, Form(length=Length(least=2, most=3)), ["ab"], ["", "a"]),
    "at least": (INT32, Form(range=Range(least=1)), [1, 2**31 - 1], [0, -1, -(2**31)]),
    "at most": (INT64, Form(range=Range(most=-1)), [-1, -(2**63)], [0, 2**63 - 1]),
    "between": (INT64, Form(range=Range(least=0, most=9)), [0, 9], [-1, 10]),
    "rows of a page": (INT32, Form(page_size=PageSize(default_size=5, largest_size=9)),
                       [0, 1, 10**6], [-1]),
    "an enum": (ENUM, Form(), [0, 1, 2], [3, -1]),
    "an enum that has to be": (ENUM, Form(required=True), [1, 2], [0, 3]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_a_field_may_hold(case: str) -> None:
    kind, its_form, good, bad = CASES[case]
    made = message(kind, its_form)
    check = request_check(made.DESCRIPTOR)
    for value in good:
        check(made(x=value))
    for value in bad:
        with pytest.raises(Refused) as refused:
            check(made(x=value))
        assert (refused.value.reason, refused.value.details) == (
            Reason.FIELD_INVALID,
            {"field": "x"},
        )
        assert refused.value.message.startswith("x: ")


def test_a_request_id() -> None:
    made = message(TEXT, Form(request_id=True))
    check = request_check(made.DESCRIPTOR)
    check(made(x="r-1"))
    for value, reason in (("", Reason.REQUEST_ID_MISSING), ("r 1", Reason.FIELD_INVALID)):
        with pytest.raises(Refused) as refused:
            check(made(x=value))
        assert (refused.value.reason, refused.value.details) == (reason, {"field": "x"})


def test_a_page_token() -> None:
    made = message(TEXT, Form(page_token=True))
    check = request_check(made.DESCRIPTOR)
    for good in ("", "WyJ0Il0", "-_" * 256):
        check(made(x=good))
    for bad in ("\0", "é", "a=", "a\n", "a" * 513):
        with pytest.raises(Refused) as refused:
            check(made(x=bad))
        assert refused.value.reason is Reason.PAGE_TOKEN_INVALID
        assert refused.value.details == {"field": "x"}


def test_a_refusal_says_where_the_value_is_taken_from() -> None:
    made = message(INT32, Form(range=Range(least=1), source="table.your.bet.round"))
    with pytest.raises(Refused) as refused:
        request_check(made.DESCRIPTOR)(made())
    assert refused.value.message == "x: 1 or more; take it from `table.your.bet.round`"


def test_an_enum_without_a_form_is_one_of_its_values() -> None:
    made = message(ENUM, None)
    check = request_check(made.DESCRIPTOR)
    check(made(x=2))
    with pytest.raises(Refused, match="x: one of ONE, TWO"):
        check(made(x=7))


def test_a_message_within_is_looked_at_where_it_is_given() -> None:
    check = request_check(OpenTableRequest.DESCRIPTOR)
    request = OpenTableRequest(request_id="r", rule_set_id="six-deck-h17")
    check(request)
    request.overrides.CopyFrom(RuleSetOverrides(decks=8))
    check(request)
    request.overrides.CopyFrom(RuleSetOverrides(peek=9))  # type: ignore[arg-type]
    with pytest.raises(Refused) as refused:
        check(request)
    assert refused.value.details == {"field": "overrides.peek"}


WRONG: dict[str, tuple[Any, Form | None, Any]] = {
    "a number that is an id": (INT32, Form(plain_id=True), ONE),
    "a text within limits": (TEXT, Form(range=Range(least=1)), ONE),
    "a number with a length": (INT64, Form(length=Length(most=1)), ONE),
    "a text of no kind": (TEXT, Form(), ONE),
    "a text without one": (TEXT, None, ONE),
    "a list of texts": (TEXT, None, MANY),
    "a number that is a page token": (INT64, Form(page_token=True), ONE),
    "a yes or no": (BOOL, Form(required=True), ONE),
    "a number that has to be": (INT32, Form(range=Range(least=1), required=True), ONE),
    "an enum with a kind": (ENUM, Form(plain_id=True), ONE),
    "a message": (MESSAGE, Form(required=True), ONE),
    "a message within itself": (MESSAGE, None, ONE),
    "a list of ids": (TEXT, Form(plain_id=True), MANY),
    "a list of enums": (ENUM, None, MANY),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_form_that_does_not_fit(case: str) -> None:
    with pytest.raises(BadAnnotation):
        request_check(message(*WRONG[case]).DESCRIPTOR)


def test_page_sizes_are_those_of_the_contract() -> None:
    for method in methods():
        sized = method.input_type.fields_by_name.get("page_size")
        if sized is None:
            continue
        sizes = sized.GetOptions().Extensions[form].page_size
        request = GetMessageClass(method.input_type)()
        for asked, given in (
            (0, sizes.default_size),
            (1, 1),
            (sizes.largest_size, sizes.largest_size),
            (10**9, sizes.largest_size),
        ):
            request.page_size = asked  # type: ignore[attr-defined]
            assert page_size(request) == given
        assert 0 < sizes.default_size <= sizes.largest_size


def test_a_reason_to_void_is_as_long_as_the_decider_lets_it() -> None:
    (void,) = [method.input_type for method in methods() if method.name == "VoidRound"]
    length = void.fields_by_name["reason"].GetOptions().Extensions[form].length
    assert (length.least, length.most) == (1, LONGEST_REASON)
