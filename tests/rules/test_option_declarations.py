"""Each option is declared once; whatever else has to know it knows it. Failures name the file."""

import ast
from pathlib import Path
from typing import Annotated, Any

import msgspec
import pytest
from croupier.v1 import rule_set_pb2 as pb
from google.protobuf.descriptor import FieldDescriptor
from msgspec.structs import FieldInfo, fields

from docs.generator.contract import schemas
from service.rules.option import (
    Chips,
    Form,
    OneOf,
    OrNone,
    PerCent,
    RatioForm,
    Ratios,
    Whole,
    YesNo,
)
from service.rules.options import READABLE, SEATS
from service.rules.presets import BASE
from service.rules.rule_set import OPTIONS, RuleSet, Surrender, TripleSevens, form_of

ROOT = Path(__file__).parents[2]
REFEREE = ROOT / "service/audit/referee"
PROTO = "proto/croupier/v1/rule_set.proto, then `make generate`"


def wire_type(form: Form) -> str:
    """What the field of such an option is in the proto file."""
    match form:
        case OneOf(kind):
            return kind.__name__
        case YesNo():
            return "bool"
        case Whole() | PerCent():
            return "int32"
        case Chips():
            return "int64"
        case RatioForm():
            return "Ratio"
        case Ratios(record):
            return record.__name__
        case OrNone(some):
            return wire_type(some)
    raise TypeError(f"{form!r}: say its type in the proto file here")


def declared_type(field: FieldDescriptor) -> str:
    """The type that the proto file gives."""
    kind = field.message_type or field.enum_type
    if kind is not None:
        return str(kind.name)
    types = {field.TYPE_BOOL: "bool", field.TYPE_INT32: "int32", field.TYPE_INT64: "int64"}
    return types.get(field.type, "something else")


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_is_in_the_contract(name: str) -> None:
    wire = OPTIONS[name].wire_name(name)
    shown = pb.RuleSet.DESCRIPTOR.fields_by_name.get(wire)
    override = pb.RuleSetOverrides.DESCRIPTOR.fields_by_name.get(wire)
    assert shown is not None, f"{PROTO}: RuleSet has no field {wire}"
    assert override is not None, f"{PROTO}: RuleSetOverrides has no field {wire}"
    assert override.has_presence, f"{PROTO}: RuleSetOverrides.{wire} has to be optional"
    assert shown.number == override.number, f"{PROTO}: {wire} has two numbers"
    for field in (shown, override):
        expected = wire_type(OPTIONS[name])
        assert declared_type(field) == expected, f"{PROTO}: {field.full_name} has to be {expected}"


def test_the_contract_has_no_option_that_is_not_declared() -> None:
    declared = {form.wire_name(name) for name, form in OPTIONS.items()}
    own = {"rule_set_id", "preset"}
    assert set(pb.RuleSet.DESCRIPTOR.fields_by_name) - own == declared
    assert set(pb.RuleSetOverrides.DESCRIPTOR.fields_by_name) == declared


@pytest.mark.parametrize("name", OPTIONS)
def test_the_contract_says_the_range(name: str) -> None:
    """What is counted to at most a hundred; amounts, rounds and seconds end where nobody gets."""
    form = OPTIONS[name]
    if isinstance(form, Whole | PerCent) and form.most <= 100:
        wire = pb.RuleSet.DESCRIPTOR.fields_by_name.get(form.wire_name(name))
        assert wire is not None, f"{PROTO}: RuleSet has no field {form.wire_name(name)}"
        said = schemas()["RuleSet"]["properties"][wire.json_name]["description"]
        assert str(form.most) in said, f"{PROTO}: RuleSet.{wire.name} goes to {form.most}"


@pytest.mark.parametrize("name", OPTIONS)
def test_people_can_write_and_look_up_an_option(name: str) -> None:
    written = SEATS if name in ("min_seats", "max_seats") else name
    assert written in READABLE
    page = (ROOT / "docs/rules.md").read_text()
    assert f"| `{written}` |" in page, "docs/rules.md: run `make generate`"


@pytest.mark.parametrize("name", OPTIONS)
def test_the_referee_asks_for_an_option(name: str) -> None:
    constants = {node.value for node in nodes() if isinstance(node, ast.Constant)}
    assert name in constants, f"service/audit/referee: nothing asks for table.rules for {name!r}"


def unfit_defaults(field: FieldInfo, referee: list[ast.AST]) -> list[str]:
    """Where the referee reads an option that may not be written otherwise than its default says."""
    default = msgspec.to_builtins(field.default)
    unfit = []
    for node in referee:
        match node:
            case ast.Subscript(slice=ast.Constant(field.name)):
                unfit.append(f"[{field.name!r}] fails where the default is not written")
            case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(field.name), *rest]):
                given = ast.literal_eval(rest[0]) if rest else None
                if given != default or type(given) is not type(default):
                    unfit.append(f".get({field.name!r}, {given!r}) where it is {default!r}")
    return unfit


def test_the_referee_knows_what_is_meant_by_an_option_that_is_not_written() -> None:
    referee = nodes()
    later = [field for field in fields(RuleSet) if not field.required]
    unfit = [what for field in later for what in unfit_defaults(field, referee)]
    assert unfit == [], "service/audit/referee: read it as table.rules.get(NAME, DEFAULT)"


@pytest.mark.parametrize(
    ("source", "unfit"),
    [
        ("table.rules.get('charlie', 0)", 0),
        ("table.rules.get('charlie', 5)", 1),
        ("table.rules.get('charlie', False)", 1),
        ("table.rules.get('charlie')", 1),
        ("table.rules['charlie']", 1),
        ("table.rules['decks']", 0),
    ],
)
def test_a_referee_that_means_something_else_is_seen(source: str, unfit: int) -> None:
    (field,) = fields(msgspec.defstruct("Rules", [("charlie", int, 0)]))
    assert len(unfit_defaults(field, list(ast.walk(ast.parse(source))))) == unfit


def nodes() -> list[ast.AST]:
    """Everything that the referee says."""
    files = sorted(REFEREE.glob("*.py"))
    return [node for file in files for node in ast.walk(ast.parse(file.read_text()))]


def test_an_option_is_written_unless_it_has_its_default() -> None:
    """So that what was recorded before it came stays to the byte."""
    written = msgspec.json.decode(msgspec.json.encode(BASE))
    assert list(written) == [field.name for field in fields(RuleSet) if field.required]


def written_at_its_default(rule_set: type[msgspec.Struct], known: dict[str, Any]) -> list[str]:
    """The options that are written though they have their default, because a client named it."""
    named = {
        field.name: msgspec.to_builtins(field.default)
        for field in fields(rule_set)
        if not field.required
    }
    text = msgspec.json.encode(known | named)
    again = msgspec.json.decode(msgspec.json.encode(msgspec.json.decode(text, type=rule_set)))
    return [name for name in named if name in again]


def test_a_default_that_is_named_is_not_written_either() -> None:
    written = written_at_its_default(RuleSet, msgspec.to_builtins(BASE))
    assert written == [], "service/rules/rule_set.py: such a default is not left out; see RuleSet"


def test_a_default_that_would_be_written_is_seen() -> None:
    rules = msgspec.defstruct(
        "Rules",
        [("few", int, 5), ("many", int, 1000), ("late", Surrender, Surrender.LATE)],
        omit_defaults=True,
    )
    assert written_at_its_default(rules, {}) == ["many"]


@pytest.mark.parametrize(
    ("hint", "form"),
    [
        (bool, YesNo()),
        (Surrender, OneOf(Surrender)),
        (TripleSevens | None, OrNone(Ratios(TripleSevens))),
        (Annotated[int, Whole(5, 7)], Whole(5, 7)),
        (Annotated[int | None, Whole(5, 7)], OrNone(Whole(5, 7))),
    ],
)
def test_the_type_says_what_an_option_takes(hint: Any, form: Form) -> None:
    assert form_of("charlie", hint) == form


@pytest.mark.parametrize("hint", [int, int | None, str])
def test_a_number_has_to_say_its_range(hint: Any) -> None:
    with pytest.raises(TypeError, match="charlie"):
        form_of("charlie", hint)


def test_none_or_a_number() -> None:
    form = OrNone(Whole(5, 7))
    assert form.values == "none, or 5 to 7"
    assert (form.read("none"), form.read("6")) == (None, 6)
    assert (form.fault(None), form.fault(4)) == ("", "4: 5 to 7")
