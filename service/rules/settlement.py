"""Settlement: the result of each hand of a seat, and what it returns.

Rule, in order of precedence: a forfeit and a bust have lost; a bonus hand has won whatever the
dealer has; a dealer natural beats every hand that is not a natural, also a drawn 21 and a
surrendered hand (where no peek found it); naturals push each other; a natural beats every other 21;
a surrender returns half; else a dealer bust or the higher total wins, and equal totals push.

`insurance: protects_stake`: against a dealer natural an insured hand is a push.

`dealer_natural_takes: original_bets`: of a seat that doubled or split, hands already bust stay
lost; of the others the leftmost loses one initial stake, and the rest push.

Options: `natural_pays`, `triple_sevens`, `dealer_natural_takes`, `insurance`.
Source: docs/rules.md, sections 3, 6 and 8.
"""

from collections.abc import Iterator, Sequence

from service.rules.bonuses import Bonus, bonus_of
from service.rules.hand import EndCause, Hand, Result
from service.rules.rule_set import DealerNaturalTakes, Insurance, RuleSet
from service.rules.totals import BEST, is_two_card_21, total


def settle_hands(
    rules: RuleSet,
    hands: Sequence[Hand],
    dealer: Sequence[str],
    initial_stake: int,
    insured: bool = False,
) -> Iterator[tuple[Result, int]]:
    """For each hand of one seat, left to right: its result and what it returns, the stake included.

    All cards are face up. `initial_stake` is the stake that the seat bet, in minor units; `insured`
    says whether the seat took insurance.
    """
    dealer_natural = is_two_card_21(dealer)
    protected = insured and rules.insurance is Insurance.PROTECTS_STAKE
    original_bets = dealer_natural and (
        rules.dealer_natural_takes is DealerNaturalTakes.ORIGINAL_BETS
    )
    initial_taken = False
    for hand in hands:
        result = result_of(rules, hand, dealer, dealer_natural)
        if dealer_natural and protected and result is Result.LOSE:
            yield Result.PUSH, hand.stake
        elif original_bets and result is Result.LOSE:
            if initial_taken:
                yield Result.PUSH, hand.stake
            else:
                initial_taken = True
                yield Result.LOSE, hand.stake - initial_stake
        else:
            yield result, returned(rules, hand, result)


def result_of(rules: RuleSet, hand: Hand, dealer: Sequence[str], dealer_natural: bool) -> Result:
    """The result of one hand against the dealer's cards."""
    match hand.ended:
        case EndCause.FORFEITED:
            return Result.FORFEIT
        case EndCause.BUST:
            return Result.BUST
        case EndCause.BONUS:
            beaten = dealer_natural and not _bonus(rules, hand).beats_natural
            return Result.LOSE if beaten else Result.BONUS
        case EndCause.NATURAL:
            return Result.PUSH if dealer_natural else Result.NATURAL
    if dealer_natural:
        return Result.LOSE
    if hand.ended is EndCause.SURRENDERED:
        return Result.SURRENDER
    mine, theirs = total(hand.cards)[0], total(dealer)[0]
    if theirs > BEST or mine > theirs:
        return Result.WIN
    return Result.PUSH if mine == theirs else Result.LOSE


def returned(rules: RuleSet, hand: Hand, result: Result) -> int:
    """What a result returns to the stack, the stake included, in minor units."""
    match result:
        case Result.WIN:
            return 2 * hand.stake
        case Result.PUSH:
            return hand.stake
        case Result.NATURAL:
            return hand.stake + rules.natural_pays.of(hand.stake)
        case Result.SURRENDER:
            return hand.stake // 2
        case Result.BONUS:
            return hand.stake + _bonus(rules, hand).pays.of(hand.stake)
        case Result.LOSE | Result.BUST | Result.FORFEIT:
            return 0


def _bonus(rules: RuleSet, hand: Hand) -> Bonus:
    bonus = bonus_of(rules, hand.cards, hand.split)
    if bonus is None:
        raise ValueError(f"{hand.cards} earn no bonus")
    return bonus
