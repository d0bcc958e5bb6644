"""Random rule sets: any mixture of options that a table can be opened with.

They come from the declarations of the options alone, so that a new one is played at once. From a
rule set that is legal one option after another takes another value, unless that would not fit.
"""

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from service.rules.money import Ratio
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
from service.rules.presets import BASE, PRESETS
from service.rules.rule_set import OPTIONS, RuleSet
from service.rules.rule_set_check import faults_of

BASES = (BASE, PRESETS["rotating-banker"])
AMOUNTS = (1000, 100, 10, 500, 2000, 5000, 10_000, 30_000, 2050, 1501)
RATIOS = (
    Ratio(3, 2),
    Ratio(2, 1),
    Ratio(11, 1),
    Ratio(1, 1),
    Ratio(6, 5),
    Ratio(5, 2),
    Ratio(1, 2),
)
FEW = 8
NUMBERS = (1, 3, 6, 20)
"""For what may be so many that nobody can try them all: rounds, seconds."""


def random_rule_set(random: Random) -> RuleSet:
    """A legal rule set, with a house or a rotating banker."""
    rules = random.choice(BASES)
    for _ in range(2):
        rules = redrawn(random, rules)
    return rules


def redrawn(random: Random, rules: RuleSet, names: Sequence[str] = tuple(OPTIONS)) -> RuleSet:
    """A legal rule set that differs from a legal one in some of these options, or in none."""
    for name in names:
        changed = replace(rules, **{name: any_value(OPTIONS[name], random)})
        if not any(faults_of(changed)):
            rules = changed
    return rules


def any_value(form: Form, random: Random) -> object:
    """A value that an option of this form takes."""
    match form:
        case OneOf(kind):
            return random.choice(list(kind))
        case YesNo():
            return random.choice((False, True))
        case Whole(least, most, zero):
            some = NUMBERS if most - least > FEW else range(least, most + 1)
            return _zero_or(random, some) if zero else random.choice(some)
        case PerCent(least, most):
            return random.choice((0, least, random.randint(least, most), most))
        case Chips(zero):
            return _zero_or(random, AMOUNTS) if zero else random.choice(AMOUNTS)
        case RatioForm():
            return random.choice(RATIOS)
        case Ratios(record):
            return record(*(random.choice(RATIOS) for _ in record.__struct_fields__))
        case OrNone(some_form):
            return random.choice((None, any_value(some_form, random)))
    raise TypeError(f"no values of {form!r} are known")


def _zero_or(random: Random, values: Sequence[int]) -> int:
    return random.choice((0, random.choice(values)))
