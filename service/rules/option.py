"""Forms of options: how a value is written by a person, and which values there are, also in words.

Every option of a rule set declares its form once, beside its field in `rule_set.py`. Everything
else follows from it: what `NAME=VALUE` and hand histories may say, the check of ranges, the words
of refusals, the mapping to the API and the table in the documentation.

Source: rules of play, section 6.
"""

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any

import msgspec

from service.rules.money import MAX_AMOUNT, Ratio, minor_units, parse_ratio

Written = str | Mapping[str, str]
"""A value as it was written: text, or text by name for the two ratios of triple sevens."""

_LARGEST_SIDE = 1000


class Form(msgspec.Struct, frozen=True):
    """What kind of value an option takes."""

    @property
    def values(self) -> str:
        """What it takes, in words."""
        raise NotImplementedError

    def read(self, written: Written) -> object:
        """The value that a person wrote; ValueError, TypeError or Refused for anything else."""
        raise NotImplementedError

    def fault(self, value: Any) -> str:  # noqa: ARG002 - most forms have no range
        """Why a value is out of range, in words; empty: it is not."""
        return ""

    def wire_name(self, name: str) -> str:
        """The name of the option's field in the API."""
        return name


class Whole(Form, frozen=True):
    """A whole number from `least` to `most`; with `zero`, which says what it means, 0 as well."""

    least: int
    most: int
    zero: str = ""

    @property
    def values(self) -> str:
        """The range."""
        zero = f", or 0 ({self.zero})" if self.zero else ""
        return f"{self.least} to {self.most}{zero}"

    def read(self, written: Written) -> int:
        """Digits."""
        return whole_number(written)

    def fault(self, value: Any) -> str:
        """Outside of the range."""
        fits = self.least <= value <= self.most or (self.zero and value == 0)
        return "" if fits else f"{value}: {self.values}"


class PerCent(Form, frozen=True):
    """Whole per cent from `least` to `most`, or 0; written as a fraction, never as a float."""

    least: int
    most: int
    zero: str

    @property
    def values(self) -> str:
        """The range, as it is written."""
        least, most = (f"0.{edge:02d}" for edge in (self.least, self.most))
        return f"{least} to {most} in whole per cent, or 0 ({self.zero})"

    def read(self, written: Written) -> int:
        """`0.75` is 75."""
        try:
            per_cent = Decimal(text_of(written)) * 100
            whole = int(per_cent)
        except (InvalidOperation, OverflowError) as error:
            raise ValueError(f"{written!r} is no fraction") from error
        if whole != per_cent or not 0 <= whole <= 100:
            raise ValueError(f"{written!r} is no whole number of per cent")
        return whole

    def fault(self, value: Any) -> str:
        """Outside of the range."""
        if value == 0 or self.least <= value <= self.most:
            return ""
        return f"{value} %: {self.least} to {self.most}, or 0 ({self.zero})"

    def wire_name(self, name: str) -> str:
        """The API names the unit."""
        return f"{name}_percent"


class Chips(Form, frozen=True):
    """An amount: chips where people write it, minor units everywhere else; with `zero`, which says
    what it means, 0 as well."""

    zero: str = ""

    @property
    def values(self) -> str:
        """As it is written."""
        zero = f", or 0 ({self.zero})" if self.zero else ""
        return f"amounts in chips, such as 5 or 7.5{zero}"

    def read(self, written: Written) -> int:
        """`7.5` is 750 minor units."""
        return minor_units(text_of(written))

    def fault(self, value: Any) -> str:
        """Outside of what can be counted exactly."""
        if (0 if self.zero else 1) <= value <= MAX_AMOUNT:
            return ""
        least = f"0 ({self.zero}) to" if self.zero else "at least 1 minor unit, at most"
        return f"{value}: {least} 2^53 - 1"


class YesNo(Form, frozen=True):
    """Yes or no."""

    @property
    def values(self) -> str:
        """The two answers."""
        return "yes, no"

    def read(self, written: Written) -> bool:
        """`yes`, `true`, `no` or `false`."""
        answers = {"yes": True, "true": True, "no": False, "false": False}
        text = text_of(written).lower()
        if text not in answers:
            raise ValueError(f"{text!r} is neither yes nor no")
        return answers[text]


class OneOf(Form, frozen=True):
    """One of several named values."""

    kind: type[StrEnum]

    @property
    def values(self) -> str:
        """The names."""
        return ", ".join(self.kind)

    def read(self, written: Written) -> StrEnum:
        """One of the names."""
        return self.kind(text_of(written))


class RatioForm(Form, frozen=True):
    """What a bet pays, as `3:2`; with `optional` there may be no such bet."""

    optional: bool = False

    @property
    def values(self) -> str:
        """As it is written."""
        return "none, or a ratio such as 11:1" if self.optional else "ratios such as 3:2"

    def read(self, written: Written) -> Ratio | None:
        """A ratio, or `none`."""
        if self.optional and written == "none":
            return None
        return parse_ratio(text_of(written))

    def fault(self, value: Any) -> str:
        """Sides that no casino would write on the felt."""
        return _ratio_fault(value) if value else ""


class TwoRatios(Form, frozen=True):
    """Two ratios by name, or none; `make` puts the value together from both."""

    names: tuple[str, str]
    make: Callable[[Ratio, Ratio], Any]

    @property
    def values(self) -> str:
        """As it is written."""
        return "none, or two ratios such as 2:1/3:1"

    def read(self, written: Written) -> Any:
        """`2:1/3:1`, both by name, or `none`."""
        if written == "none":
            return None
        if isinstance(written, str):
            left, _, right = written.partition("/")
            return self.make(parse_ratio(left), parse_ratio(right))
        if written.keys() != set(self.names):
            raise ValueError(f"the two ratios are {' and '.join(self.names)}")
        first, second = (parse_ratio(text_of(written[name])) for name in self.names)
        return self.make(first, second)

    def fault(self, value: Any) -> str:
        """As for one ratio."""
        if value is None:
            return ""
        faults = ((name, _ratio_fault(getattr(value, name))) for name in self.names)
        return "; ".join(f"{name} {fault}" for name, fault in faults if fault)


def _ratio_fault(ratio: Ratio) -> str:
    fits = all(1 <= side <= _LARGEST_SIDE for side in (ratio.numerator, ratio.denominator))
    return "" if fits else f"{ratio}: both sides between 1 and {_LARGEST_SIDE}"


def text_of(written: Written) -> str:
    """One value as text; TypeError for several by name."""
    if not isinstance(written, str):
        raise TypeError("one value is needed here")
    return written.strip()


def whole_number(written: Written) -> int:
    """A whole number in digits; ValueError for anything else."""
    text = text_of(written)
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise ValueError(f"{text!r} is no whole number")
    return int(text)
