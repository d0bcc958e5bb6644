"""The rule sets under which twins are looked for: every preset, and options that hide more."""

from typing import Any, NamedTuple

from croupier.v1.rule_set_pb2 import RuleSetOverrides

from service.api.wire.rule_sets import with_overrides
from service.rules.presets import PRESETS
from service.rules.rule_set import RuleSet


class Rules(NamedTuple):
    """A preset with these of its options overridden, as a client names them."""

    preset: str
    overrides: dict[str, Any]

    @property
    def wire(self) -> RuleSetOverrides:
        """The overrides as a request has them."""
        return RuleSetOverrides(**self.overrides)

    @property
    def rule_set(self) -> RuleSet:
        """The rule set that comes of it."""
        return with_overrides(PRESETS[self.preset], self.wire)


UNPEEKED = {"peek": "PEEK_NONE", "insurance": "INSURANCE_TWO_TO_ONE"}
TABLES = {
    **{preset: Rules(preset, {}) for preset in PRESETS},
    "twenty-rounds, no peek": Rules("twenty-rounds", UNPEEKED),
    "rotating-banker, no peek": Rules("rotating-banker", UNPEEKED),
    "ranked-match, first card hidden": Rules(
        "ranked-match",
        {
            "min_seats": 2,
            "first_card_hidden": True,
            "pair_bet": {"numerator": 11, "denominator": 1},
            "double_on": "DOUBLE_ON_HARD_9_TO_11",
        },
    ),
}
