"""Options as people write them: `NAME=VALUE` on a command line, `name: value` in a hand history.

Rule: a table may be opened from a preset with any of its options overridden. Names are those of
the rules of play; amounts are chips, ratios are written `3:2`, yes and no as such, a penetration as
a fraction in whole per cent (`0.75`) and never as a float, seats as the most that the table takes
(`4`, the preset's least number stays) or as least and most (`2-4`), and triple sevens as their two
ratios (`2:1/3:1`, or `mixed` and `suited` by name).

Options: all. Source: rules of play, section 6.
"""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal, InvalidOperation
from enum import StrEnum

from msgspec.structs import replace

from service.rules.money import Ratio, minor_units, parse_ratio
from service.rules.reasons import Reason, Refused
from service.rules.rule_set import (
    Banker,
    DealerNaturalTakes,
    DoubleOn,
    HoleCard,
    Insurance,
    Peek,
    Ranking,
    RuleSet,
    Soft17,
    SplitBy,
    Surrender,
    TripleSevens,
    WhenBroke,
)
from service.rules.rule_set_check import check_rule_set

Written = str | Mapping[str, str]
"""A value as it was written: text, or text by name for the two ratios of triple sevens."""


def with_options(rules: RuleSet, options: Mapping[str, Written]) -> RuleSet:
    """The rule set with these options in place of its own, checked.

    Refuses (RULE_SET_INVALID) an option that does not exist, a value that it does not take (the
    message names option, value and what is allowed), and options that do not fit together.
    """
    for name, written in options.items():
        rules = _with_option(rules, name, written)
    return check_rule_set(rules)


def parse_options(texts: Iterable[str]) -> dict[str, str]:
    """`NAME=VALUE` texts by name; refuses (RULE_SET_INVALID) any other form, and a name twice.

    >>> parse_options(["soft_17=hit", "decks=4"])
    {'soft_17': 'hit', 'decks': '4'}
    """
    options: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise Refused(Reason.RULE_SET_INVALID, f"{text!r} is no option: write NAME=VALUE")
        if name.strip() in options:
            raise Refused(Reason.RULE_SET_INVALID, f"option {name.strip()} is given twice")
        options[name.strip()] = value.strip()
    return options


def _with_option(rules: RuleSet, name: str, written: Written) -> RuleSet:
    if name == "seats":
        return _with_seats(rules, written)
    if name not in _READERS:
        known = ", ".join(["seats", *_READERS])
        raise Refused(Reason.RULE_SET_INVALID, f"no option {name!r}: the options are {known}")
    read, allowed = _READERS[name]
    try:
        return replace(rules, **{name: read(written)})
    except (ValueError, TypeError, Refused) as error:
        raise _not_allowed(name, written, allowed) from error


def _with_seats(rules: RuleSet, written: Written) -> RuleSet:
    try:
        least, dash, most = _text(written).partition("-")
        if dash:
            return replace(rules, min_seats=_count(least), max_seats=_count(most))
        seats = _count(least)
    except (ValueError, TypeError) as error:
        raise _not_allowed("seats", written, "1 to 7, or least and most as in 2-4") from error
    return replace(rules, min_seats=min(rules.min_seats, seats), max_seats=seats)


def _not_allowed(name: str, written: Written, allowed: str) -> Refused:
    shown = written if isinstance(written, str) else dict(written)
    return Refused(Reason.RULE_SET_INVALID, f"option {name}: {shown!r} is not among {allowed}")


def _text(written: Written) -> str:
    if not isinstance(written, str):
        raise TypeError("one value is needed here")
    return written.strip()


def _count(written: Written) -> int:
    text = _text(written)
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise ValueError(f"{text!r} is no whole number")
    return int(text)


def _chips(written: Written) -> int:
    return minor_units(_text(written))


def _per_cent(written: Written) -> int:
    try:
        per_cent = Decimal(_text(written)) * 100
        whole = int(per_cent)
    except (InvalidOperation, OverflowError) as error:
        raise ValueError(f"{written!r} is no fraction") from error
    if whole != per_cent or not 0 <= whole <= 100:
        raise ValueError(f"{written!r} is no whole number of per cent")
    return whole


def _yes_or_no(written: Written) -> bool:
    answers = {"yes": True, "true": True, "no": False, "false": False}
    text = _text(written).lower()
    if text not in answers:
        raise ValueError(f"{text!r} is neither yes nor no")
    return answers[text]


def _ratio(written: Written) -> Ratio:
    return parse_ratio(_text(written))


def _ratio_or_none(written: Written) -> Ratio | None:
    return None if written == "none" else _ratio(written)


def _two_ratios_or_none(written: Written) -> TripleSevens | None:
    if written == "none":
        return None
    if isinstance(written, str):
        mixed, _, suited = written.partition("/")
        return TripleSevens(parse_ratio(mixed), parse_ratio(suited))
    if written.keys() != {"mixed", "suited"}:
        raise ValueError("the ratios of triple sevens are mixed and suited")
    return TripleSevens(_ratio(written["mixed"]), _ratio(written["suited"]))


Reader = Callable[[Written], object]


def _one_of(values: type[StrEnum]) -> tuple[Reader, str]:
    return (lambda written: values(_text(written))), ", ".join(values)


_CHIPS = (_chips, "amounts in chips, such as 5 or 7.5")
_ANSWER = (_yes_or_no, "yes, no")
_SECONDS = (_count, "whole seconds, 0 for no limit")

_READERS: dict[str, tuple[Reader, str]] = {
    "banker": _one_of(Banker),
    "decks": (_count, "1 to 8"),
    "penetration": (_per_cent, "0.25 to 0.90 in whole per cent, or 0"),
    "min_bet": _CHIPS,
    "max_bet": _CHIPS,
    "bet_step": _CHIPS,
    "starting_stack": _CHIPS,
    "rounds": (_count, "whole numbers, 0 for open-ended"),
    "when_broke": _one_of(WhenBroke),
    "hole_card": _one_of(HoleCard),
    "soft_17": _one_of(Soft17),
    "peek": _one_of(Peek),
    "dealer_natural_takes": _one_of(DealerNaturalTakes),
    "natural_pays": (_ratio, "ratios such as 3:2"),
    "double_on": _one_of(DoubleOn),
    "double_after_split": _ANSWER,
    "hit_split_aces": _ANSWER,
    "resplit_aces": _ANSWER,
    "split_by": _one_of(SplitBy),
    "max_hands": (_count, "1 to 4"),
    "surrender": _one_of(Surrender),
    "insurance": _one_of(Insurance),
    "triple_sevens": (_two_ratios_or_none, "none, or two ratios such as 2:1/3:1"),
    "pair_bet": (_ratio_or_none, "none, or a ratio such as 11:1"),
    "first_card_hidden": _ANSWER,
    "bet_seconds": _SECONDS,
    "insurance_seconds": _SECONDS,
    "turn_seconds": _SECONDS,
    "ranking": _one_of(Ranking),
}
"""How each option is read, and what it takes in words; ranges are checked with the whole set."""
