"""Insurance.

Rule: when the upcard is an ace and the rule set has insurance, every seat dealt in may insure for
exactly half its stake, also on a natural (that is all that even money is). Seats decide in any
order, once; a seat that can't pay is answered "no" by the table.

Settlement of `two_to_one`: a dealer natural returns the insurance and twice as much again, any
other hand returns nothing; a push of the main bet does not bring it back.

Options: `insurance`. Source: docs/rules.md, sections 3 and 4.
"""

from service.rules.reasons import Reason
from service.rules.rule_set import Insurance, RuleSet


def is_insurance_offered(rules: RuleSet, upcard: str) -> bool:
    """Whether this upcard opens the insurance phase."""
    return rules.insurance is not Insurance.NONE and upcard[0] == "A"


def premium(stake: int) -> int:
    """What insuring costs: exactly half the stake, in minor units."""
    return stake // 2


def refuse_insurance(stack: int, stake: int) -> Reason | None:
    """Why a seat to which insurance is offered can't take it, or None."""
    return Reason.STACK_TOO_SMALL if stack < premium(stake) else None


def insurance_returns(insured: int, dealer_natural: bool) -> int:
    """What comes back of an insurance bet `two_to_one`, both in minor units."""
    return 3 * insured if dealer_natural else 0
