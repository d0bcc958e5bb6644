"""Stakes: what a seat may bet.

Rule: a stake is at least `min_bet`, at most `max_bet` (0: only the stack limits it), a multiple of
`bet_step`, and covered by the stack. It leaves the stack the moment that the bet is accepted. The
same limits hold for a pair bet.

Options: `min_bet`, `max_bet`, `bet_step`, `when_broke`. Source: docs/rules.md, section 2.
"""

from service.rules.money import MAX_AMOUNT, amount, chips
from service.rules.reasons import Reason, Refused
from service.rules.rule_set import RuleSet, WhenBroke


def largest_stake(rules: RuleSet, stack: int) -> int:
    """The largest stake that a stack allows, in minor units; 0 if it can't cover the least."""
    limit = min(stack, rules.max_bet) if rules.max_bet else stack
    limit -= limit % rules.bet_step
    return limit if limit >= rules.min_bet and stack <= MAX_AMOUNT else 0


def stack_for_betting(rules: RuleSet, stack: int) -> int:
    """The stack, in minor units, that a seat bets from: refilled where the rules say so."""
    if stack < rules.min_bet and rules.when_broke is WhenBroke.REFILL:
        return rules.starting_stack
    return stack


def is_broke(rules: RuleSet, stack: int) -> bool:
    """Whether a stack (minor units) is below the minimum bet, and nothing refills it."""
    return stack < rules.min_bet and rules.when_broke is WhenBroke.END


def check_stake(rules: RuleSet, stack: int, stake: int) -> None:
    """Raises Refused with the limit that the stake (minor units) breaks, or returns."""
    amount(stake)
    if stake < rules.min_bet:
        raise Refused(
            Reason.STAKE_BELOW_MINIMUM,
            f"a stake is at least {chips(rules.min_bet)} chips here",
            stake=stake,
            min_bet=rules.min_bet,
        )
    if rules.max_bet and stake > rules.max_bet:
        raise Refused(
            Reason.STAKE_ABOVE_MAXIMUM,
            f"a stake is at most {chips(rules.max_bet)} chips here",
            stake=stake,
            max_bet=rules.max_bet,
        )
    if stake % rules.bet_step:
        raise Refused(
            Reason.STAKE_NOT_A_STEP,
            f"stakes go in steps of {chips(rules.bet_step)} chips here",
            stake=stake,
            bet_step=rules.bet_step,
        )
    if stake > stack:
        raise Refused(
            Reason.STACK_TOO_SMALL,
            f"a stake of {chips(stake)} chips is more than the stack of {chips(stack)}",
            stake=stake,
            stack=stack,
        )
    if stack > MAX_AMOUNT:
        raise Refused(
            Reason.STACK_LIMIT,
            "a stack past 2^53 - 1 minor units takes no more bets",
            stack=stack,
        )
