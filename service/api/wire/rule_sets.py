"""Rule sets between domain and wire: field by field, as each option declares its form."""

import re
from collections.abc import Callable
from typing import Any

import msgspec
from croupier.v1 import rule_set_pb2 as pb

from service.api.wire.enums import WireEnum
from service.rules.money import Ratio
from service.rules.option import Form, OneOf, OrNone, RatioForm, Ratios
from service.rules.options import with_changes
from service.rules.reasons import Reason, Refused
from service.rules.rule_set import OPTIONS, RuleSet

Mapped = Callable[[Any], Any]


def rule_set_to_wire(rule_set_id: str, preset: bool, rules: RuleSet) -> pb.RuleSet:
    """A rule set as clients see it."""
    return pb.RuleSet(
        rule_set_id=rule_set_id,
        preset=preset,
        **{
            form.wire_name(name): _TO_WIRE[name](getattr(rules, name))
            for name, form in OPTIONS.items()
        },
    )


def with_overrides(rules: RuleSet, overrides: pb.RuleSetOverrides) -> RuleSet:
    """The rule set that differs in these options, checked; or refused with the reason."""
    changes: dict[str, object] = {}
    for field, value in overrides.ListFields():
        name = _NAMES[field.name]
        changes[name] = _FROM_WIRE[name](value)
    return with_changes(rules, changes)


def _to_wire(form: Form) -> Mapped:
    match form:
        case OneOf():
            return _wire_enum(form).to_wire
        case RatioForm() | Ratios():
            return msgspec.to_builtins
        case OrNone():
            some = _to_wire(form.form)
            return lambda value: None if value is None else some(value)
    return _as_it_is


def _from_wire(name: str, form: Form) -> Mapped:
    match form:
        case OneOf():
            enum = _wire_enum(form)
            return lambda number: enum.from_wire(number, f"overrides.{name}")
        case RatioForm():
            return _ratio
        case Ratios(record):
            ratios = record.__struct_fields__
            return lambda message: record(*(_ratio(getattr(message, one)) for one in ratios))
        case OrNone():
            some = _from_wire(name, form.form)
            return lambda value: _unless_empty(some, value)
    return _as_it_is


def _unless_empty(read: Mapped, value: Any) -> Any:
    """0 or an empty message says that there is none."""
    found = read(value)
    return None if found == read(type(value)()) else found


def _wire_enum(form: OneOf) -> WireEnum[Any]:
    """`HoleCard` is the enum of that name, whose values begin with `HOLE_CARD`."""
    name = form.kind.__name__
    prefix = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()
    return WireEnum(form.kind, getattr(pb, name), prefix)


def _ratio(message: pb.Ratio) -> Ratio:
    return Ratio(message.numerator, message.denominator)


def _as_it_is(value: object) -> object:
    return value


_NAMES = {form.wire_name(name): name for name, form in OPTIONS.items()}
_TO_WIRE = {name: _to_wire(form) for name, form in OPTIONS.items()}
_FROM_WIRE = {name: _from_wire(name, form) for name, form in OPTIONS.items()}


def unknown_rule_set(rule_set_id: str) -> Refused:
    """The refusal of a rule set that does not exist for the caller."""
    return Refused(
        Reason.RULE_SET_NOT_FOUND, f"there is no rule set {rule_set_id!r}", rule_set_id=rule_set_id
    )
