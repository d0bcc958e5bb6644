"""The rotating banker: the choice on soft hands, stepping down, and the next banker.

Rule: under 17 draws and hard 17 or more stands, both by itself. On soft 17 to 20 the banker chooses
hit or stand as long as that holds; never on a natural.

The banker steps down after a round in which at least one punter bet and each punter's hands
together were a gain, on leaving, or when holding less than 1.5 x `min_bet`. The next banker is
the next occupied seat counter-clockwise (the next lower number, then from the highest) that holds
at least 1.5 x `min_bet`.

Options: `banker`, `soft_17`, `min_bet`. Source: docs/rules.md, section 8.
"""

from collections.abc import Mapping, Sequence

from service.rules.rule_set import RuleSet, Soft17
from service.rules.totals import BEST, total


def banker_chooses(rules: RuleSet, cards: Sequence[str]) -> bool:
    """Whether the banker may hit or stand on these cards."""
    count, soft = total(cards)
    return rules.soft_17 is Soft17.CHOOSE and soft and 17 <= count < BEST


def can_hold_the_bank(rules: RuleSet, stack: int) -> bool:
    """Whether a stack (minor units) is enough for the bank: 1.5 x the minimum bet."""
    return 2 * stack >= 3 * rules.min_bet


def next_banker(rules: RuleSet, stacks: Mapping[int, int], before: int) -> int:
    """The seat after the banker's, counter-clockwise, that can hold the bank; 0 if none can.

    `stacks` are the seats that may take the bank; `before` is the seat that had it.
    """
    for number in sorted(stacks, key=lambda number: (number >= before, -number)):
        if can_hold_the_bank(rules, stacks[number]):
            return number
    return 0


def steps_down(rules: RuleSet, stack: int, gains: Sequence[int]) -> bool:
    """Whether a banker who stays steps down after a round.

    `gains` is what the hands of each punter who bet brought in (minor units, negative for a loss).
    """
    everybody_gained = bool(gains) and all(gain > 0 for gain in gains)
    return everybody_gained or not can_hold_the_bank(rules, stack)
