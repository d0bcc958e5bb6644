"""The presets: rule sets that ship with the product.

Each says only how it differs from `BASE`, the rules that most of them share; amounts are minor
units. A table may be opened from a preset with any option overridden.

Source: docs/rules.md, section 9.
"""

from msgspec.structs import replace

from service.rules.money import CHIP, Ratio
from service.rules.rule_set import (
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
    WhenBroke,
)

BASE = RuleSet(
    min_seats=1,
    max_seats=1,
    banker=Banker.HOUSE,
    decks=6,
    penetration=75,
    min_bet=10 * CHIP,
    max_bet=0,
    bet_step=10 * CHIP,
    starting_stack=1000 * CHIP,
    rounds=0,
    when_broke=WhenBroke.END,
    hole_card=HoleCard.SECOND,
    soft_17=Soft17.STAND,
    peek=Peek.ACE_AND_TEN,
    dealer_natural_takes=DealerNaturalTakes.ALL,
    natural_pays=Ratio(3, 2),
    double_on=DoubleOn.ANY_TWO,
    double_after_split=True,
    hit_split_aces=False,
    resplit_aces=False,
    split_by=SplitBy.VALUE,
    max_hands=4,
    surrender=Surrender.NONE,
    insurance=Insurance.TWO_TO_ONE,
    triple_sevens=None,
    pair_bet=None,
    first_card_hidden=False,
    bet_seconds=0,
    insurance_seconds=0,
    turn_seconds=0,
    ranking=Ranking.NONE,
)

PRESETS: dict[str, RuleSet] = {
    "six-deck-h17": replace(
        BASE,
        min_bet=1 * CHIP,
        bet_step=1 * CHIP,
        when_broke=WhenBroke.REFILL,
        soft_17=Soft17.HIT,
        split_by=SplitBy.RANK,
        surrender=Surrender.LATE,
    ),
    "twenty-rounds": replace(
        BASE,
        min_bet=5 * CHIP,
        max_bet=500 * CHIP,
        bet_step=1 * CHIP,
        rounds=20,
    ),
    "rotating-banker": replace(
        BASE,
        min_seats=2,
        max_seats=6,
        banker=Banker.ROTATING,
        penetration=50,
        max_bet=500 * CHIP,
        starting_stack=5000 * CHIP,
        hole_card=HoleCard.FIRST,
        soft_17=Soft17.CHOOSE,
        peek=Peek.ACE,
        double_after_split=False,
        hit_split_aces=True,
        split_by=SplitBy.RANK,
        max_hands=2,
        insurance=Insurance.PROTECTS_STAKE,
        pair_bet=Ratio(11, 1),
        first_card_hidden=True,
        bet_seconds=20,
        insurance_seconds=10,
        turn_seconds=20,
    ),
    "ranked-match": replace(
        BASE,
        max_seats=4,
        penetration=55,
        rounds=10,
        bet_seconds=20,
        insurance_seconds=10,
        turn_seconds=20,
        ranking=Ranking.HIGHEST_STACK,
    ),
    "four-deck-vegas": replace(
        BASE,
        decks=4,
        min_bet=5 * CHIP,
        max_bet=100 * CHIP,
        bet_step=5 * CHIP,
        hole_card=HoleCard.FIRST,
        surrender=Surrender.LATE,
    ),
}
