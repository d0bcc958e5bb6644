"""Which rule sets are refused, and why.

A rule set is checked once, when it is made or when a table overrides a preset. Refused are options
out of range, options that contradict each other, stakes that would need rounding, and a shoe that
could run out within a round. An option that is merely without effect is allowed.

Source: docs/rules.md, sections 2, 5 and 6.
"""

import re
from collections.abc import Iterator

from service.rules.money import Ratio
from service.rules.reasons import Reason, Refused
from service.rules.rule_set import (
    OPTIONS,
    Banker,
    Insurance,
    Peek,
    Ranking,
    RuleSet,
    Soft17,
    WhenBroke,
)
from service.rules.shoe import cards_at_latest_start, worst_round

_RANGED = [(name, form.fault) for name, form in OPTIONS.items() if form.ranged]
_PAYING = [(name, form.ratios) for name, form in OPTIONS.items() if form.pays]
_LARGEST_SIDE = 1000
"""Of a ratio: more than any casino would write on the felt."""


def check_rule_set(rules: RuleSet) -> RuleSet:
    """The same rule set, if its options fit together; else Refused (RULE_SET_INVALID), all faults
    named in the message."""
    faults = list(faults_of(rules))
    if faults:
        told = "; ".join(faults)
        raise Refused(Reason.RULE_SET_INVALID, told, options=",".join(_named(told)))
    return rules


def _named(told: str) -> list[str]:
    """The options that the faults name, in their order."""
    words = set(re.findall(r"\w+", told))
    seats = {"min_seats", "max_seats"} if "seats" in words else set()
    return [name for name in OPTIONS if name in words | seats]


def faults_of(rules: RuleSet) -> Iterator[str]:
    """Every fault of a rule set, as a sentence; the later checks assume that ranges hold."""
    ranges = list(_ranges(rules))
    yield from ranges
    if not ranges:
        yield from _money(rules)
        yield from _contradictions(rules)
        yield from _shoe(rules)


def _ranges(rules: RuleSet) -> Iterator[str]:
    for name, fault_of in _RANGED:
        fault = fault_of(getattr(rules, name))
        if fault:
            yield f"{name} {fault}"
    for name, ratio in _ratios(rules):
        if not all(1 <= side <= _LARGEST_SIDE for side in (ratio.numerator, ratio.denominator)):
            yield f"{name} {ratio}: both sides between 1 and {_LARGEST_SIDE}"
    if rules.min_seats > rules.max_seats:
        yield f"seats {rules.min_seats} to {rules.max_seats}: the least first"


def _ratios(rules: RuleSet) -> Iterator[tuple[str, Ratio]]:
    for name, ratios_of in _PAYING:
        yield from ratios_of(name, getattr(rules, name))


def _money(rules: RuleSet) -> Iterator[str]:
    if rules.min_bet % rules.bet_step:
        yield f"min_bet {rules.min_bet} is not a multiple of bet_step {rules.bet_step}"
    if rules.max_bet and rules.max_bet < rules.min_bet:
        yield f"max_bet {rules.max_bet} is below min_bet {rules.min_bet}"
    if rules.starting_stack < rules.min_bet:
        yield f"starting_stack {rules.starting_stack} is below min_bet {rules.min_bet}"
    if rules.bet_step % 2:
        yield f"half of a bet_step of {rules.bet_step} minor units would have to be rounded"
    for name, ratio in _ratios(rules):
        if rules.bet_step * ratio.numerator % ratio.denominator:
            yield f"{name} {ratio} of a bet_step of {rules.bet_step} would have to be rounded"


def _contradictions(rules: RuleSet) -> Iterator[str]:
    rotating = rules.banker is Banker.ROTATING
    if rotating and rules.min_seats < 2:
        yield "a rotating banker needs at least two seats"
    if rotating and rules.triple_sevens:
        yield "triple_sevens is not played against a rotating banker"
    if not rotating and rules.soft_17 is Soft17.CHOOSE:
        yield "soft_17: choose needs a rotating banker"
    if rules.insurance is Insurance.PROTECTS_STAKE:
        if not rotating:
            yield "insurance: protects_stake needs a rotating banker"
        if rules.peek is Peek.NONE:
            yield "insurance: protects_stake needs a peek"
    if rules.when_broke is WhenBroke.REFILL:
        if rotating:
            yield "when_broke: refill is not played with a rotating banker"
        if rules.ranking is not Ranking.NONE:
            yield "when_broke: refill is not played with a ranking"
    if rules.ranking is not Ranking.NONE and not rules.rounds:
        yield "a ranking needs a number of rounds"


def _shoe(rules: RuleSet) -> Iterator[str]:
    left = cards_at_latest_start(rules)
    need = worst_round(rules.decks, rules.betting_seats * rules.max_hands)
    if left < need:
        yield (
            f"the shoe could run out: {left} cards are left at the latest start of a round,"
            f" and a full table can take {need}"
        )
