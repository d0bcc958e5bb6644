"""Which rule sets are refused, and why.

A rule set is checked once, when it is made or when a table overrides a preset. Refused are options
out of range, options that contradict each other, stakes that would need rounding, and a shoe that
could run out within a round. An option that is merely without effect is allowed.

Source: docs/rules.md, sections 2, 5 and 6.
"""

from collections.abc import Iterator
from typing import NamedTuple

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


class Fault(NamedTuple):
    """What is wrong with a rule set, as a sentence, and the options that it is about."""

    sentence: str
    options: tuple[str, ...]


def check_rule_set(rules: RuleSet) -> RuleSet:
    """The same rule set, if its options fit together; else Refused (RULE_SET_INVALID), all faults
    in the message and their options in the metadata."""
    faults = list(faults_of(rules))
    if faults:
        named = {name for fault in faults for name in fault.options}
        raise Refused(
            Reason.RULE_SET_INVALID,
            "; ".join(fault.sentence for fault in faults),
            options=",".join(
                form.wire_name(name) for name, form in OPTIONS.items() if name in named
            ),
        )
    return rules


def faults_of(rules: RuleSet) -> Iterator[Fault]:
    """Every fault of a rule set; the later checks assume that ranges hold."""
    ranges = list(_ranges(rules))
    yield from ranges
    if not ranges:
        yield from _money(rules)
        yield from _contradictions(rules)
        yield from _shoe(rules)


def _ranges(rules: RuleSet) -> Iterator[Fault]:
    for name, fault_of in _RANGED:
        fault = fault_of(getattr(rules, name))
        if fault:
            yield Fault(f"{name} {fault}", (name,))
    for name, ratio in _ratios(rules):
        if not all(1 <= side <= _LARGEST_SIDE for side in (ratio.numerator, ratio.denominator)):
            yield Fault(
                f"{name} {ratio}: both sides between 1 and {_LARGEST_SIDE}", (_option(name),)
            )
    if rules.min_seats > rules.max_seats:
        yield Fault(
            f"seats {rules.min_seats} to {rules.max_seats}: the least first",
            ("min_seats", "max_seats"),
        )


def _ratios(rules: RuleSet) -> Iterator[tuple[str, Ratio]]:
    for name, ratios_of in _PAYING:
        yield from ratios_of(name, getattr(rules, name))


def _option(ratio: str) -> str:
    """The option that a ratio belongs to, as `triple_sevens` of `triple_sevens.mixed`."""
    return ratio.partition(".")[0]


def _money(rules: RuleSet) -> Iterator[Fault]:
    if rules.min_bet % rules.bet_step:
        yield Fault(
            f"min_bet {rules.min_bet} is not a multiple of bet_step {rules.bet_step}",
            ("min_bet", "bet_step"),
        )
    if rules.max_bet and rules.max_bet < rules.min_bet:
        yield Fault(
            f"max_bet {rules.max_bet} is below min_bet {rules.min_bet}", ("max_bet", "min_bet")
        )
    if rules.starting_stack < rules.min_bet:
        yield Fault(
            f"starting_stack {rules.starting_stack} is below min_bet {rules.min_bet}",
            ("starting_stack", "min_bet"),
        )
    if rules.bet_step % 2:
        yield Fault(
            f"half of a bet_step of {rules.bet_step} minor units would have to be rounded",
            ("bet_step",),
        )
    for name, ratio in _ratios(rules):
        if rules.bet_step * ratio.numerator % ratio.denominator:
            yield Fault(
                f"{name} {ratio} of a bet_step of {rules.bet_step} would have to be rounded",
                (_option(name), "bet_step"),
            )


def _contradictions(rules: RuleSet) -> Iterator[Fault]:
    rotating = rules.banker is Banker.ROTATING
    if rotating and rules.min_seats < 2:
        yield Fault("a rotating banker needs at least two seats", ("banker", "min_seats"))
    if rotating and rules.triple_sevens:
        yield Fault(
            "triple_sevens is not played against a rotating banker", ("triple_sevens", "banker")
        )
    if not rotating and rules.soft_17 is Soft17.CHOOSE:
        yield Fault("soft_17: choose needs a rotating banker", ("soft_17", "banker"))
    if rules.insurance is Insurance.PROTECTS_STAKE:
        if not rotating:
            yield Fault(
                "insurance: protects_stake needs a rotating banker", ("insurance", "banker")
            )
        if rules.peek is Peek.NONE:
            yield Fault("insurance: protects_stake needs a peek", ("insurance", "peek"))
    if rules.when_broke is WhenBroke.REFILL:
        if rotating:
            yield Fault(
                "when_broke: refill is not played with a rotating banker", ("when_broke", "banker")
            )
        if rules.ranking is not Ranking.NONE:
            yield Fault(
                "when_broke: refill is not played with a ranking", ("when_broke", "ranking")
            )
    if rules.ranking is not Ranking.NONE and not rules.rounds:
        yield Fault("a ranking needs a number of rounds", ("ranking", "rounds"))


def _shoe(rules: RuleSet) -> Iterator[Fault]:
    left = cards_at_latest_start(rules)
    need = worst_round(rules.decks, rules.betting_seats * rules.max_hands)
    if left < need:
        yield Fault(
            f"the shoe could run out: {left} cards are left at the latest start of a round,"
            f" and a full table can take {need}",
            ("decks", "penetration", "max_seats", "max_hands"),
        )
