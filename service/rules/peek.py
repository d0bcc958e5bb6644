"""The peek.

Rule: when `peek` names the upcard, the dealer looks at the hole card after the insurance decisions
and before the turns. With a natural the round ends at once: nobody has more than stake and
insurance at risk.

Options: `peek`. Source: docs/rules.md, section 3.
"""

from service.rules.cards import pips
from service.rules.rule_set import Peek, RuleSet


def peeks_under(rules: RuleSet, upcard: str) -> bool:
    """Whether the dealer looks under this upcard."""
    if rules.peek is Peek.NONE:
        return False
    count = pips(upcard)
    return count == 1 or (count == 10 and rules.peek is Peek.ACE_AND_TEN)
