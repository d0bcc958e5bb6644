"""The options of a rule set.

A rule set is data: every table keeps its own for its whole life. Presets and operators' rule sets
are values of `RuleSet`, and no code asks which preset a table came from. Whether the options fit
together is decided in `rule_set_check`.

Source: docs/rules.md, section 6. The jargon of other casinos stands behind each option.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec

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


class Banker(StrEnum):
    """Whose chips settle."""

    HOUSE = "house"
    ROTATING = "rotating"


class WhenBroke(StrEnum):
    """What happens between rounds to a stack below `min_bet`."""

    END = "end"
    REFILL = "refill"


class HoleCard(StrEnum):
    """Which of the dealer's two cards lies face down."""

    FIRST = "first"
    SECOND = "second"


class Soft17(StrEnum):
    """What the dealer does on soft 17: stand (S17), hit (H17), or as a rotating banker chooses."""

    STAND = "stand"
    HIT = "hit"
    CHOOSE = "choose"


class Peek(StrEnum):
    """Upcards under which the dealer looks for a natural before the turns (none: ENHC)."""

    NONE = "none"
    ACE = "ace"
    ACE_AND_TEN = "ace_and_ten"


class DealerNaturalTakes(StrEnum):
    """What a dealer natural that no peek found takes: every stake, or the original bets (OBO)."""

    ALL = "all"
    ORIGINAL_BETS = "original_bets"


class DoubleOn(StrEnum):
    """Which two-card hands may double (DOA, D9-11, D10); a soft hand never counts as hard."""

    ANY_TWO = "any_two"
    HARD_9_TO_11 = "hard_9_to_11"
    HARD_10_11 = "hard_10_11"
    NONE = "none"


class SplitBy(StrEnum):
    """What makes a pair for splitting: equal rank, or equal value (any two ten-value cards)."""

    RANK = "rank"
    VALUE = "value"


class Surrender(StrEnum):
    """Whether a seat may give up half its stake as its first decision (late surrender, LS)."""

    NONE = "none"
    LATE = "late"


class Insurance(StrEnum):
    """The side bet against a dealer natural under an ace."""

    NONE = "none"
    TWO_TO_ONE = "two_to_one"
    PROTECTS_STAKE = "protects_stake"


class Ranking(StrEnum):
    """How a match is decided."""

    NONE = "none"
    HIGHEST_STACK = "highest_stack"


class TripleSevens(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What 7-7-7 as the first three cards pays: of mixed suits, and all of one suit."""

    mixed: Ratio
    suited: Ratio


MOST_SEATS = 7
MOST_HANDS = 4
"""The most that a table takes, and the most hands that a seat may hold, under any rule set."""
_DAY = 24 * 60 * 60
_SEATS = Whole(1, MOST_SEATS)
_SECONDS = Whole(1, _DAY, zero="no limit")


class RuleSet(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """All the options of a table. Amounts are minor units, times seconds, penetration per cent.

    Each option is declared here and nowhere else: its name, its type, and the form of a number,
    which has a range. `| None` means that there may be none. What it means stands in
    `rule_set.proto`. An option that comes later has a default that changes nothing, and is not
    written at it: so what was recorded stays to the byte. Such a default is None, yes, no, a value
    of an enum or a number below 257, for msgspec leaves out only the very object that it is.
    """

    min_seats: Annotated[int, _SEATS]
    max_seats: Annotated[int, _SEATS]
    banker: Banker
    decks: Annotated[int, Whole(1, 8)]
    penetration: Annotated[int, PerCent(25, 90, zero="a fresh shoe for every round")]
    min_bet: Annotated[int, Chips()]
    max_bet: Annotated[int, Chips(zero="only the stack limits")]
    bet_step: Annotated[int, Chips()]
    starting_stack: Annotated[int, Chips()]
    rounds: Annotated[int, Whole(1, 1_000_000, zero="open-ended")]
    when_broke: WhenBroke
    hole_card: HoleCard
    soft_17: Soft17
    peek: Peek
    dealer_natural_takes: DealerNaturalTakes
    natural_pays: Ratio
    double_on: DoubleOn
    double_after_split: bool  # DAS
    hit_split_aces: bool  # HSA
    resplit_aces: bool  # RSA
    split_by: SplitBy
    max_hands: Annotated[int, Whole(1, MOST_HANDS)]
    surrender: Surrender
    insurance: Insurance
    triple_sevens: TripleSevens | None
    pair_bet: Ratio | None
    first_card_hidden: bool
    bet_seconds: Annotated[int, _SECONDS]
    insurance_seconds: Annotated[int, _SECONDS]
    turn_seconds: Annotated[int, _SECONDS]
    ranking: Ranking

    @property
    def betting_seats(self) -> int:
        """How many seats can bet: a rotating banker plays from one seat and does not bet."""
        return self.max_seats - (self.banker is Banker.ROTATING)


def form_of(name: str, hint: Any) -> Form:
    """The form of an option that is declared so; TypeError for a type that does not say it."""
    kind, *said = get_args(hint) if get_origin(hint) is Annotated else [hint]
    types = [one for one in get_args(kind) or (kind,) if one is not NoneType]
    form = said[0] if said else _form_of_type(name, types[0])
    return OrNone(form) if NoneType in get_args(kind) else form


def _form_of_type(name: str, kind: type) -> Form:
    if kind is bool:
        return YesNo()
    if issubclass(kind, StrEnum):
        return OneOf(kind)
    if kind is Ratio:
        return RatioForm()
    if issubclass(kind, msgspec.Struct):
        return Ratios(kind)
    raise TypeError(f"option {name} does not say its form: Annotated[int, Whole(1, 8)] does")


OPTIONS: Mapping[str, Form] = {
    name: form_of(name, hint) for name, hint in get_type_hints(RuleSet, include_extras=True).items()
}
"""The form of every option, by its name, in their order."""
