"""Money: integers in minor units, 100 to a chip, and exact ratios.

Rule: every amount is an integer number of minor units. `bet_step` makes every half and every
payout exact, so nothing is ever rounded; `Ratio.of` raises rather than round.

Whatever a person or a client writes as an amount passes `minor_units` or `amount`, the one place
where `NaN`, `Infinity`, fractions, negative and oversized numbers end.

Options: `natural_pays`, `triple_sevens`, `pair_bet` are ratios. Source: docs/rules.md, section 2.
"""

import re
from functools import lru_cache

import msgspec

from service.rules.reasons import Reason, Refused

CHIP = 100
MAX_AMOUNT = 2**53 - 1
"""The largest amount that is accepted: what every JSON number can hold."""
_CHIPS = re.compile(r"([0-9]{1,14})(?:\.([0-9]{1,2})0*)?")


class Ratio(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bet pays, as `numerator:denominator` of its stake."""

    numerator: int
    denominator: int

    def of(self, stake: int) -> int:
        """The payout on a stake (minor units), without the stake; ValueError if it is not an
        integer.

        >>> Ratio(3, 2).of(500)
        750
        """
        payout, rest = divmod(stake * self.numerator, self.denominator)
        if rest:
            raise ValueError(f"{self} of {stake} is not a whole number of minor units")
        return payout

    def __str__(self) -> str:
        return f"{self.numerator}:{self.denominator}"


def parse_ratio(text: str) -> Ratio:
    """The ratio that a text names, as in `3:2`; ValueError for anything else."""
    left, colon, right = text.partition(":")
    if not (colon and left.strip().isdigit() and right.strip().isdigit()):
        raise ValueError(f"{text!r} is not a ratio such as 3:2")
    return Ratio(int(left), int(right))


def amount(value: int) -> int:
    """An amount at risk in minor units, as a client sent it; refused unless 1 … 2^53 - 1."""
    if not 0 < value <= MAX_AMOUNT:
        raise Refused(
            Reason.STAKE_INVALID,
            f"{value} is not a stake: a stake is a whole number of minor units from 1 to 2^53 - 1",
            stake=value,
        )
    return value


@lru_cache(maxsize=4096)
def minor_units(chips: str) -> int:
    """Chips as a person writes them, in minor units: `7.5` is 750, and `0` is 0.

    Refuses (STAKE_INVALID) what is not a finite number, is negative, or is finer than a minor unit.
    """
    written = _CHIPS.fullmatch(chips.strip())
    if written is None:
        raise Refused(
            Reason.STAKE_INVALID, f"{chips!r} is not a number of chips, 0 or more", stake=chips
        )
    whole, fraction = written.groups("")
    minor = int(whole) * CHIP + int(fraction.ljust(2, "0"))
    return amount(minor) if minor else 0


def chips(minor: int) -> str:
    """Minor units as people read them: 750 is `7.5`, -50 is `-0.5`.

    >>> chips(750), chips(-50), chips(1000)
    ('7.5', '-0.5', '10')
    """
    whole, rest = divmod(abs(minor), CHIP)
    fraction = f".{rest:02d}".rstrip("0") if rest else ""
    return f"{'-' if minor < 0 else ''}{whole}{fraction}"
