"""Forms of options: how a value is written by a person, and which values there are, also in words.

Every option of a rule set declares its form once, beside its field in `rule_set.py`. Everything
else follows from it: what `NAME=VALUE` and hand histories may say, the check of ranges, the words
of refusals, the mapping to the API and the table in the documentation.

Source: docs/rules.md, section 6.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any

import msgspec

from service.rules.money import MAX_AMOUNT, Ratio, minor_units, parse_ratio

Written = str | Mapping[str, str]
"""A value as it was written: text, or text by name for several ratios."""


class Form(msgspec.Struct, frozen=True):
    """What kind of value an option takes."""

    @property
    def some(self) -> "Form":
        """The form of a value that is not none."""
        return self

    @property
    def ranged(self) -> bool:
        """Whether there are values that are out of range."""
        return type(self.some).fault is not Form.fault

    @property
    def pays(self) -> bool:
        """Whether it has ratios in which a stake is paid."""
        return type(self.some).ratios is not Form.ratios

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

    def ratios(self, name: str, value: Any) -> Iterator[tuple[str, Ratio]]:  # noqa: ARG002 - none
        """The ratios in which it pays a stake, each by a name that begins with the option's."""
        return iter(())

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
            raise ValueError(f"{written!r} is not a fraction") from error
        if whole != per_cent or not 0 <= whole <= 100:
            raise ValueError(f"{written!r} is not a whole number of per cent")
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
    """What a bet pays, as `3:2`."""

    @property
    def values(self) -> str:
        """As it is written."""
        return "ratios such as 3:2"

    def read(self, written: Written) -> Ratio:
        """A ratio."""
        return parse_ratio(text_of(written))

    def ratios(self, name: str, value: Any) -> Iterator[tuple[str, Ratio]]:
        """The one that it is."""
        yield name, value


class Ratios(Form, frozen=True):
    """A record of several ratios, written in its order or by name."""

    record: type[msgspec.Struct]

    @property
    def values(self) -> str:
        """As it is written."""
        names = self.record.__struct_fields__
        such_as = "/".join(f"{pays}:1" for pays, _ in enumerate(names, 2))
        return f"ratios for {'/'.join(names)} such as {such_as}"

    def read(self, written: Written) -> msgspec.Struct:
        """`2:1/3:1`, or each by name."""
        names = self.record.__struct_fields__
        if isinstance(written, str):
            parts = written.split("/")
        elif written.keys() == set(names):
            parts = [text_of(written[name]) for name in names]
        else:
            raise ValueError(f"the ratios are {', '.join(names)}")
        return self.record(*map(parse_ratio, parts))

    def ratios(self, name: str, value: Any) -> Iterator[tuple[str, Ratio]]:
        """Each of the record."""
        for one in self.record.__struct_fields__:
            yield f"{name}.{one}", getattr(value, one)


class OrNone(Form, frozen=True):
    """None, or a value of another form."""

    form: Form

    @property
    def some(self) -> Form:
        """The other form."""
        return self.form

    @property
    def values(self) -> str:
        """None first."""
        return f"none, or {self.form.values}"

    def read(self, written: Written) -> object:
        """`none`, or what the other form reads."""
        return None if written == "none" else self.form.read(written)

    def fault(self, value: Any) -> str:
        """As for the other form."""
        return "" if value is None else self.form.fault(value)

    def ratios(self, name: str, value: Any) -> Iterator[tuple[str, Ratio]]:
        """As for the other form."""
        if value is not None:
            yield from self.form.ratios(name, value)

    def wire_name(self, name: str) -> str:
        """As for the other form."""
        return self.form.wire_name(name)


def text_of(written: Written) -> str:
    """One value as text; TypeError for several by name."""
    if not isinstance(written, str):
        raise TypeError("one value is needed here")
    return written.strip()


def whole_number(written: Written) -> int:
    """A whole number in digits; ValueError for anything else."""
    text = text_of(written)
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise ValueError(f"{text!r} is not a whole number")
    return int(text)
