"""Rule sets between domain and wire."""

from collections.abc import Callable
from typing import Any

from croupier.v1 import rule_set_pb2 as pb
from msgspec.structs import replace

from service.api.wire.enums import WireEnum
from service.rules import rule_set as domain
from service.rules.money import Ratio
from service.rules.reasons import Reason, Refused
from service.rules.rule_set import RuleSet, TripleSevens
from service.rules.rule_set_check import check_rule_set

_PLAIN = (
    "min_seats",
    "max_seats",
    "decks",
    "min_bet",
    "max_bet",
    "bet_step",
    "starting_stack",
    "rounds",
    "double_after_split",
    "hit_split_aces",
    "resplit_aces",
    "max_hands",
    "first_card_hidden",
    "bet_seconds",
    "insurance_seconds",
    "turn_seconds",
)

_ENUMS: dict[str, WireEnum[Any]] = {
    "banker": WireEnum(domain.Banker, pb.Banker, "BANKER"),
    "when_broke": WireEnum(domain.WhenBroke, pb.WhenBroke, "WHEN_BROKE"),
    "hole_card": WireEnum(domain.HoleCard, pb.HoleCard, "HOLE_CARD"),
    "soft_17": WireEnum(domain.Soft17, pb.Soft17, "SOFT17"),
    "peek": WireEnum(domain.Peek, pb.Peek, "PEEK"),
    "dealer_natural_takes": WireEnum(
        domain.DealerNaturalTakes, pb.DealerNaturalTakes, "DEALER_NATURAL_TAKES"
    ),
    "double_on": WireEnum(domain.DoubleOn, pb.DoubleOn, "DOUBLE_ON"),
    "split_by": WireEnum(domain.SplitBy, pb.SplitBy, "SPLIT_BY"),
    "surrender": WireEnum(domain.Surrender, pb.Surrender, "SURRENDER"),
    "insurance": WireEnum(domain.Insurance, pb.Insurance, "INSURANCE"),
    "ranking": WireEnum(domain.Ranking, pb.Ranking, "RANKING"),
}


def rule_set_to_wire(rule_set_id: str, preset: bool, rules: RuleSet) -> pb.RuleSet:
    """A rule set as clients see it."""
    message = pb.RuleSet(
        rule_set_id=rule_set_id,
        preset=preset,
        penetration_percent=rules.penetration,
        natural_pays=_ratio_to_wire(rules.natural_pays),
        **{name: getattr(rules, name) for name in _PLAIN},
        **{name: enum.to_wire(getattr(rules, name)) for name, enum in _ENUMS.items()},
    )
    if rules.triple_sevens:
        message.triple_sevens.mixed.CopyFrom(_ratio_to_wire(rules.triple_sevens.mixed))
        message.triple_sevens.suited.CopyFrom(_ratio_to_wire(rules.triple_sevens.suited))
    if rules.pair_bet:
        message.pair_bet.CopyFrom(_ratio_to_wire(rules.pair_bet))
    return message


def with_overrides(rules: RuleSet, overrides: pb.RuleSetOverrides) -> RuleSet:
    """The rule set that differs in these options, checked; or refused with the reason."""
    changes: dict[str, object] = {}
    for field, value in overrides.ListFields():
        name = field.name
        if name in _ENUMS:
            changes[name] = _ENUMS[name].from_wire(value, f"overrides.{name}")
        else:
            changes[_DOMAIN_NAMES.get(name, name)] = _READ.get(name, _as_it_is)(value)
    if overrides.HasField("max_seats") and not overrides.HasField("min_seats"):
        changes["min_seats"] = min(rules.min_seats, overrides.max_seats)
    return check_rule_set(replace(rules, **changes))


def _ratio_to_wire(ratio: Ratio) -> pb.Ratio:
    return pb.Ratio(numerator=ratio.numerator, denominator=ratio.denominator)


def _ratio(message: pb.Ratio) -> Ratio:
    return Ratio(message.numerator, message.denominator)


def _optional_ratio(message: pb.Ratio) -> Ratio | None:
    """0:0 takes the bet out of a rule set."""
    ratio = _ratio(message)
    return None if ratio == Ratio(0, 0) else ratio


def _triple_sevens(message: pb.TripleSevens) -> TripleSevens | None:
    sevens = TripleSevens(_ratio(message.mixed), _ratio(message.suited))
    return None if sevens == TripleSevens(Ratio(0, 0), Ratio(0, 0)) else sevens


def _as_it_is(value: object) -> object:
    return value


_DOMAIN_NAMES = {"penetration_percent": "penetration"}
_READ: dict[str, Callable[[Any], object]] = {
    "natural_pays": _ratio,
    "pair_bet": _optional_ratio,
    "triple_sevens": _triple_sevens,
}


def unknown_rule_set(rule_set_id: str) -> Refused:
    """The refusal of a rule set that does not exist for the caller."""
    return Refused(Reason.RULE_SET_NOT_FOUND, f"there is no rule set {rule_set_id!r}")
