"""Rule sets between domain and wire: field by field, as each option declares its form."""

import re
from collections.abc import Callable
from typing import Any

from croupier.v1 import rule_set_pb2 as pb
from msgspec.structs import replace

from service.api.wire.enums import WireEnum
from service.rules.money import Ratio
from service.rules.option import Form, OneOf, RatioForm, TwoRatios
from service.rules.reasons import Reason, Refused
from service.rules.rule_set import OPTIONS, RuleSet
from service.rules.rule_set_check import check_rule_set

Mapped = Callable[[Any], Any]

_NONE = Ratio(0, 0)
"""What takes a bet out of a rule set: an empty message."""


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
    if overrides.HasField("max_seats") and not overrides.HasField("min_seats"):
        changes["min_seats"] = min(rules.min_seats, overrides.max_seats)
    return check_rule_set(replace(rules, **changes))


def _to_wire(form: Form) -> Mapped:
    match form:
        case OneOf():
            return _wire_enum(form).to_wire
        case RatioForm():
            return _ratio_to_wire
        case TwoRatios():
            return lambda value: _two_ratios_to_wire(form, value)
    return _as_it_is


def _from_wire(name: str, form: Form) -> Mapped:
    match form:
        case OneOf():
            enum = _wire_enum(form)
            return lambda number: enum.from_wire(number, f"overrides.{name}")
        case RatioForm(optional=True):
            return lambda message: None if _ratio(message) == _NONE else _ratio(message)
        case RatioForm():
            return _ratio
        case TwoRatios():
            return lambda message: _two_ratios(form, message)
    return _as_it_is


def _wire_enum(form: OneOf) -> WireEnum[Any]:
    """`HoleCard` is the enum of that name, whose values begin with `HOLE_CARD`."""
    name = form.kind.__name__
    prefix = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()
    return WireEnum(form.kind, getattr(pb, name), prefix)


def _two_ratios_to_wire(form: TwoRatios, value: Any) -> pb.TripleSevens | None:
    if value is None:
        return None
    return pb.TripleSevens(**{name: _ratio_to_wire(getattr(value, name)) for name in form.names})


def _two_ratios(form: TwoRatios, message: pb.TripleSevens) -> Any:
    first, second = (_ratio(getattr(message, name)) for name in form.names)
    return None if first == second == _NONE else form.make(first, second)


def _ratio_to_wire(ratio: Ratio | None) -> pb.Ratio | None:
    return pb.Ratio(numerator=ratio.numerator, denominator=ratio.denominator) if ratio else None


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
