import pytest
from croupier.v1 import rule_set_pb2
from msgspec.structs import fields, replace

from service.api.wire.rule_sets import rule_set_to_wire, with_overrides
from service.rules.money import Ratio
from service.rules.option import Written
from service.rules.options import READABLE, SEATS, parse_options, with_options
from service.rules.presets import PRESETS
from service.rules.reasons import Reason, Refused
from service.rules.rule_set import (
    OPTIONS,
    DealerNaturalTakes,
    Peek,
    RuleSet,
    Soft17,
    TripleSevens,
)

H17 = PRESETS["six-deck-h17"]


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
        ({"triple_sevens": "2:1/3:1/4:1"}, "option triple_sevens: '2:1/3:1/4:1' is not among none"),
        ({"triple_sevens": "2:1/0:1"}, "triple_sevens.suited 0:1: both sides"),
        ({"pair_bet": "2000:1"}, "pair_bet 2000:1: both sides"),
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


def test_fewer_seats_lower_the_least_as_well_where_the_api_says_it() -> None:
    overrides = rule_set_pb2.RuleSetOverrides(max_seats=3)
    assert with_overrides(PRESETS["rotating-banker"], overrides).min_seats == 2
    overrides = rule_set_pb2.RuleSetOverrides(max_seats=2)
    match = with_options(PRESETS["ranked-match"], {"seats": "3-4", "penetration": "0.4"})
    assert with_overrides(match, overrides).min_seats == 2


def test_command_line_options() -> None:
    assert parse_options(["soft_17=hit", "natural_pays = 3:2"]) == {
        "soft_17": "hit",
        "natural_pays": "3:2",
    }
    for texts in (["soft_17"], ["decks=4", "decks=5"]):
        with pytest.raises(Refused):
            parse_options(texts)
