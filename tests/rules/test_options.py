from pathlib import Path

import msgspec
import pytest
from croupier.v1 import rule_set_pb2
from msgspec.structs import fields, replace

from service.api.wire.rule_sets import rule_set_to_wire, with_overrides
from service.rules.money import Ratio
from service.rules.option import Written
from service.rules.options import READABLE, SEATS, parse_options, with_options
from service.rules.presets import PRESETS
from service.rules.reasons import Reason, Refused
from service.rules.rule_set import OPTIONS, DealerNaturalTakes, Peek, RuleSet, Soft17, TripleSevens

H17 = PRESETS["six-deck-h17"]
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("options", "changes"),
    [
        ({}, {}),
        ({"soft_17": "stand"}, {"soft_17": Soft17.STAND}),
        ({"peek": "none", "dealer_natural_takes": "original_bets"},
         {"peek": Peek.NONE, "dealer_natural_takes": DealerNaturalTakes.ORIGINAL_BETS}),
        ({"penetration": "0.7"}, {"penetration": 70}),
        ({"penetration": "0.29"}, {"penetration": 29}),
        ({"penetration": "0"}, {"penetration": 0}),
        ({"min_bet": "5", "bet_step": "2.5"}, {"min_bet": 500, "bet_step": 250}),
        ({"seats": "2", "penetration": "0.7"}, {"max_seats": 2, "penetration": 70}),
        ({"natural_pays": "1:1"}, {"natural_pays": Ratio(1, 1)}),
        ({"pair_bet": "11:1"}, {"pair_bet": Ratio(11, 1)}),
        ({"pair_bet": "none", "triple_sevens": "none"}, {}),
        ({"resplit_aces": "yes", "hit_split_aces": "true", "double_after_split": "no"},
         {"resplit_aces": True, "hit_split_aces": True, "double_after_split": False}),
        ({"triple_sevens": {"mixed": "2:1", "suited": "3:1"}},
         {"triple_sevens": TripleSevens(Ratio(2, 1), Ratio(3, 1))}),
        ({"triple_sevens": "2:1/3:1"}, {"triple_sevens": TripleSevens(Ratio(2, 1), Ratio(3, 1))}),
    ],
)  # fmt: skip
def test_an_option_replaces_one_of_the_preset(
    options: dict[str, Written], changes: dict[str, object]
) -> None:
    assert with_options(H17, options) == replace(H17, **changes)


def test_seats_keep_the_presets_least_number_unless_it_is_given() -> None:
    rotating = PRESETS["rotating-banker"]
    assert with_options(rotating, {"seats": "3"}).min_seats == 2
    roomy = {"penetration": "0.4"}
    assert with_options(PRESETS["ranked-match"], roomy | {"seats": "3-4"}).min_seats == 3
    assert with_options(PRESETS["ranked-match"], roomy | {"seats": "1"}).max_seats == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"soft17": "hit"}, "no option 'soft17'"),
        ({"soft_17": "maybe"}, "option soft_17: 'maybe' is not among stand, hit, choose"),
        ({"soft_17": {"a": "b"}}, "option soft_17"),
        ({"penetration": "0.755"}, "option penetration: '0.755'"),
        ({"penetration": "nan"}, "option penetration: 'nan'"),
        ({"penetration": "inf"}, "option penetration: 'inf'"),
        ({"penetration": "-0.5"}, "option penetration"),
        ({"penetration": "0.1"}, "penetration 10 %: 25 to 90"),
        ({"decks": "4.0"}, "option decks: '4.0' is not among 1 to 8"),
        ({"decks": "9"}, "decks 9: 1 to 8"),
        ({"min_bet": "-5"}, "option min_bet"),
        ({"min_bet": "NaN"}, "option min_bet"),
        ({"min_bet": "0"}, "min_bet 0: at least 1"),
        ({"natural_pays": "1.5"}, "option natural_pays: '1.5' is not among ratios"),
        ({"natural_pays": "none"}, "option natural_pays"),
        ({"triple_sevens": {"mixed": "2:1"}}, "option triple_sevens"),
        ({"triple_sevens": "2:1"}, "option triple_sevens"),
        ({"resplit_aces": "maybe"}, "option resplit_aces: 'maybe' is not among yes, no"),
        ({"seats": "two"}, "option seats"),
        ({"seats": "2-"}, "option seats"),
        ({"seats": {"a": "b"}}, "option seats"),
        ({"seats": "8"}, "max_seats 8: 1 to 7"),
        ({"soft_17": "choose"}, "soft_17: choose needs a rotating banker"),
    ],
)
def test_a_refusal_names_the_option_and_what_is_allowed(
    options: dict[str, Written], message: str
) -> None:
    with pytest.raises(Refused) as refused:
        with_options(H17, options)
    assert refused.value.reason is Reason.RULE_SET_INVALID
    assert message in refused.value.message


def test_every_option_of_a_rule_set_can_be_written() -> None:
    names = {field.name for field in fields(RuleSet)} - {"min_seats", "max_seats"}
    assert set(READABLE) == names | {SEATS}


@pytest.mark.parametrize("name", OPTIONS)
def test_what_is_said_in_one_place_of_an_option_holds_everywhere(name: str) -> None:
    """A newcomer is told which file lacks the option."""
    form = OPTIONS[name]
    wire = form.wire_name(name)
    shown = rule_set_pb2.RuleSet.DESCRIPTOR.fields_by_name.get(wire)
    override = rule_set_pb2.RuleSetOverrides.DESCRIPTOR.fields_by_name.get(wire)
    assert shown is not None, f"rule_set.proto: RuleSet has no field {wire}"
    assert override is not None, f"rule_set.proto: RuleSetOverrides has no field {wire}"
    assert override.has_presence, f"rule_set.proto: RuleSetOverrides.{wire} has to be optional"
    assert shown.number == override.number, f"rule_set.proto: {wire} has two numbers"
    told = (ROOT / "docs" / "rules.md").read_text()
    written = SEATS if name in ("min_seats", "max_seats") else name
    assert f"| `{written}` |" in told, "docs/rules.md: run `make generate`"
    referee = "".join(file.read_text() for file in (ROOT / "service/audit/referee").glob("*.py"))
    assert f'"{name}"' in referee, f"service/audit/referee never asks for {name}"


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_the_api_gives_back_what_it_was_given(rules: RuleSet) -> None:
    message = rule_set_to_wire("x", True, rules)
    overrides = rule_set_pb2.RuleSetOverrides()
    for field, value in message.ListFields():
        if field.name in overrides.DESCRIPTOR.fields_by_name:
            if field.message_type is not None:
                getattr(overrides, field.name).CopyFrom(value)
            else:
                setattr(overrides, field.name, value)
    for name, form in OPTIONS.items():  # zero is not listed, and is a value
        wire = form.wire_name(name)
        if overrides.DESCRIPTOR.fields_by_name[wire].message_type is None:
            setattr(overrides, wire, getattr(message, wire))
    for absent in ("triple_sevens", "pair_bet"):
        if not message.HasField(absent):
            getattr(overrides, absent).SetInParent()
    other = PRESETS["rotating-banker" if rules.banker == "house" else "twenty-rounds"]
    assert with_overrides(other, overrides) == rules


def test_an_option_with_a_default_is_not_written_at_it() -> None:
    """So that what was recorded before it came stays to the byte."""
    assert RuleSet.__struct_config__.omit_defaults
    for field in fields(RuleSet):
        written = field.name.encode() in msgspec.json.encode(H17)
        assert written == field.required


def test_command_line_options() -> None:
    assert parse_options(["soft_17=hit", "natural_pays = 3:2"]) == {
        "soft_17": "hit",
        "natural_pays": "3:2",
    }
    for texts in (["soft_17"], ["decks=4", "decks=5"]):
        with pytest.raises(Refused):
            parse_options(texts)
