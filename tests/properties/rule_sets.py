"""Random rule sets: any mixture of options that a table can be opened with."""

from random import Random

from msgspec.structs import fields, replace

from service.rules.money import Ratio
from service.rules.option import Form, OneOf, PerCent, RatioForm, TwoRatios, Whole, YesNo
from service.rules.presets import BASE
from service.rules.rule_set import (
    OPTIONS,
    Banker,
    DealerNaturalTakes,
    DoubleOn,
    HoleCard,
    Insurance,
    Peek,
    Ranking,
    RuleSet,
    Soft17,
    SplitBy,
    Surrender,
    TripleSevens,
    WhenBroke,
)
from service.rules.rule_set_check import faults_of
from service.rules.shoe import cards_at_latest_start, worst_round


def random_rule_set(random: Random) -> RuleSet:
    """A valid rule set; options that mend a shoe that could run out are set last."""
    rules = with_new_options(random, _with_limits(random, _with_options(random, BASE)))
    if random.random() > 0.6:
        rules = _with_rotating_banker(random, rules)
    rules = _with_large_enough_shoe(random, rules)
    faults = list(faults_of(rules))
    assert not faults, faults
    return rules


def with_new_options(random: Random, rules: RuleSet) -> RuleSet:
    """Options that have a default, half of them at another value: nobody has to list them here."""
    drawn = [field.name for field in fields(RuleSet) if not field.required and _flag(random)]
    return replace(rules, **{name: any_value(OPTIONS[name], random) for name in drawn})


def any_value(form: Form, random: Random) -> object:
    """A value that an option of this form takes."""
    ratios = [Ratio(1, 1), Ratio(2, 1), Ratio(11, 1)]
    match form:
        case OneOf():
            return random.choice(list(form.kind))
        case Whole() | PerCent():
            return random.choice([*([0] if form.zero else []), form.least, form.most])
        case RatioForm():
            return random.choice([None, *ratios] if form.optional else ratios)
        case TwoRatios():
            return random.choice([None, form.make(random.choice(ratios), random.choice(ratios))])
        case YesNo():
            return _flag(random)
    raise TypeError(f"no values of {form!r} are known")


def _flag(random: Random) -> bool:
    return random.random() > 0.5


def _with_options(random: Random, base: RuleSet) -> RuleSet:
    triple = TripleSevens(Ratio(2, 1), Ratio(3, 1))
    return replace(
        base,
        hole_card=random.choice(list(HoleCard)),
        soft_17=random.choice([Soft17.STAND, Soft17.HIT]),
        peek=random.choice([Peek.ACE_AND_TEN, Peek.ACE, Peek.NONE]),
        dealer_natural_takes=random.choice(list(DealerNaturalTakes)),
        natural_pays=random.choice([Ratio(3, 2), Ratio(6, 5), Ratio(2, 1), Ratio(1, 1)]),
        double_on=random.choice(
            [DoubleOn.ANY_TWO, DoubleOn.HARD_9_TO_11, DoubleOn.HARD_10_11, DoubleOn.NONE]
        ),
        double_after_split=_flag(random),
        hit_split_aces=_flag(random),
        resplit_aces=_flag(random),
        split_by=random.choice(list(SplitBy)),
        max_hands=random.choice([4, 2, 3, 1]),
        surrender=random.choice([Surrender.LATE, Surrender.NONE]),
        insurance=random.choice([Insurance.TWO_TO_ONE, Insurance.NONE]),
        triple_sevens=triple if _flag(random) else None,
        pair_bet=random.choice([None, Ratio(11, 1), Ratio(5, 2)]),
        first_card_hidden=random.random() > 0.7,
    )


def _with_limits(random: Random, base: RuleSet) -> RuleSet:
    seats = random.choice([1, 2, 3])
    step = random.choice([100, 500, 10, 1000])
    least = step * random.choice([1, 1, 2, 5])
    rounds = random.choice([0, 0, 1, 3, 6, 20])
    ranking = Ranking.HIGHEST_STACK if rounds and _flag(random) else Ranking.NONE
    refill = ranking is Ranking.NONE and _flag(random)
    seconds = random.choice([0, 0, 20])
    stack = least * random.choice([1, 2, 4, 10, 30, 100]) + random.choice([0, 0, step // 2, 1])
    return replace(
        base,
        min_seats=random.randint(1, seats),
        max_seats=seats,
        min_bet=least,
        bet_step=step,
        max_bet=random.choice([0, 0, least, least * 10]),
        starting_stack=stack,
        rounds=rounds,
        ranking=ranking,
        when_broke=WhenBroke.REFILL if refill else WhenBroke.END,
        bet_seconds=seconds,
        insurance_seconds=random.choice([0, seconds]),
        turn_seconds=random.choice([seconds, 0]),
    )


def _with_rotating_banker(random: Random, base: RuleSet) -> RuleSet:
    seats = random.choice([2, 3, 4, 5, 6])
    insurances = [Insurance.TWO_TO_ONE, Insurance.NONE]
    if base.peek is not Peek.NONE:
        insurances = [Insurance.PROTECTS_STAKE, Insurance.PROTECTS_STAKE, *insurances]
    return replace(
        base,
        banker=Banker.ROTATING,
        min_seats=random.randint(2, seats),
        max_seats=seats,
        max_hands=random.choice([2, 1, 3, 4]),
        resplit_aces=random.random() > 0.3,
        soft_17=random.choice([Soft17.CHOOSE, Soft17.CHOOSE, Soft17.STAND, Soft17.HIT]),
        natural_pays=random.choice([Ratio(3, 2), Ratio(3, 2), base.natural_pays, Ratio(1, 2)]),
        insurance=random.choice(insurances),
        pair_bet=random.choice([base.pair_bet, Ratio(11, 1)]),
        first_card_hidden=_flag(random),
        triple_sevens=None,
        when_broke=WhenBroke.END,
        starting_stack=base.starting_stack + base.min_bet * random.choice([1, 0, 2]),
    )


def _with_large_enough_shoe(random: Random, base: RuleSet) -> RuleSet:
    decks = random.choice([1, 2, 4, 6, 8])
    while worst_round(decks, base.betting_seats * base.max_hands) > 52 * decks:
        decks += 1
    rules = replace(base, decks=decks, penetration=random.choice([0, 25, 33, 50, 75, 90]))
    while cards_at_latest_start(rules) < worst_round(decks, rules.betting_seats * rules.max_hands):
        rules = replace(rules, penetration=max(rules.penetration - 10, 0))
        if rules.penetration < 25:
            rules = replace(rules, penetration=0)
    return rules
