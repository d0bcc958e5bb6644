"""Options as people write them: `NAME=VALUE` on a command line, `name: value` in a hand history.

Rule: a table may be opened from a preset with any of its options overridden. Names are those of
the rules of play; amounts are chips, ratios are written `3:2`, yes and no as such, a penetration as
a fraction in whole per cent (`0.75`) and never as a float, seats as the most that the table takes
(`4`, the preset's least number stays) or as least and most (`2-4`), and triple sevens as their two
ratios (`2:1/3:1`, or `mixed` and `suited` by name).

Options: all. Source: docs/rules.md, section 6.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from service.rules.option import Written, text_of, whole_number
from service.rules.reasons import Reason, Refused
from service.rules.rule_set import MOST_SEATS, OPTIONS, RuleSet
from service.rules.rule_set_check import check_rule_set

SEATS = "seats"
"""The option that people write for `min_seats` and `max_seats` together."""

READABLE = {
    SEATS: f"1 to {MOST_SEATS}, or least and most as in 2-4",
    **{
        name: form.values
        for name, form in OPTIONS.items()
        if name not in ("min_seats", "max_seats")
    },
}
"""Every option that can be written, and what it takes."""


def with_options(rules: RuleSet, options: Mapping[str, Written]) -> RuleSet:
    """The rule set with these options in place of its own, checked.

    Refuses (RULE_SET_INVALID) an option that does not exist, a value that it does not take (the
    message names option, value and what is allowed), and options that do not fit together.
    """
    changes: dict[str, Any] = {}
    for name, written in options.items():
        changes |= _changes(name, written)
    return with_changes(rules, changes)


def with_changes(rules: RuleSet, changes: Mapping[str, Any]) -> RuleSet:
    """The rule set with these values in place of its own, checked (else RULE_SET_INVALID).

    A table never needs more players than it takes: `max_seats` alone lowers `min_seats` where that
    is higher.
    """
    if "max_seats" in changes and "min_seats" not in changes:
        changes = {**changes, "min_seats": min(rules.min_seats, changes["max_seats"])}
    return check_rule_set(replace(rules, **changes))


def parse_options(texts: Iterable[str]) -> dict[str, str]:
    """`NAME=VALUE` texts by name; refuses (RULE_SET_INVALID) any other form, and a name twice.

    >>> parse_options(["soft_17=hit", "decks=4"])
    {'soft_17': 'hit', 'decks': '4'}
    """
    options: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise Refused(
                Reason.RULE_SET_INVALID,
                f"{text!r} is not an option: write NAME=VALUE",
                options=text,
            )
        if name.strip() in options:
            raise Refused(
                Reason.RULE_SET_INVALID,
                f"option {name.strip()} is given twice",
                options=name.strip(),
            )
        options[name.strip()] = value.strip()
    return options


def _changes(name: str, written: Written) -> dict[str, Any]:
    if name not in READABLE:
        known = ", ".join(READABLE)
        raise Refused(
            Reason.RULE_SET_INVALID, f"no option {name!r}: the options are {known}", options=name
        )
    try:
        return _seats(written) if name == SEATS else {name: OPTIONS[name].read(written)}
    except (ValueError, TypeError, Refused) as error:
        shown = written if isinstance(written, str) else dict(written)
        raise Refused(
            Reason.RULE_SET_INVALID,
            f"option {name}: {shown!r} is not among {READABLE[name]}",
            options=name,
        ) from error


def _seats(written: Written) -> dict[str, Any]:
    least, dash, most = text_of(written).partition("-")
    if dash:
        return {"min_seats": whole_number(least), "max_seats": whole_number(most)}
    return {"max_seats": whole_number(least)}
