"""How much may be bet at a table, worked out apart from the engine and from the referee."""

from fractions import Fraction

from service.rules.money import Ratio
from service.rules.rule_set import RuleSet
from service.table.commands import PlaceBet
from service.table.phase import Phase
from service.table.state import State

NO_BOUND = 10**18


def cover_of_bets(state: State, more: PlaceBet | None = None) -> int:
    """What a rotating banker has left, before the deal, if all that is laid out goes against him,
    and one more bet too; a house has no bound."""
    if not state.rotates or not state.banker:
        return NO_BOUND
    cover = Fraction(state.seat(state.banker).stack)
    bets = [(seat.stake, seat.pair_bets) for seat in state.seats]
    for stake, pair_bets in bets if state.phase is Phase.BETTING else []:
        cover -= stake * _per_stake(state.rules)
        cover -= sum(bet.stake for bet in pair_bets) * _times(state.rules.pair_bet)
    if more:
        cover -= more.stake * _per_stake(state.rules)
        cover -= sum(bet.stake for bet in more.pair_bets) * _times(state.rules.pair_bet)
    return int(cover)


def largest_stake(rules: RuleSet, stack: int, cover: int) -> int:
    """The largest stake that stack, limit and bank allow."""
    return _in_steps(rules, min(stack, int(cover / _per_stake(rules))))


def largest_pair_bet(rules: RuleSet, stack: int, cover: int) -> int:
    """The largest pair bet that stack, limit and bank allow."""
    return _in_steps(rules, min(stack, int(cover / _times(rules.pair_bet))))


def _in_steps(rules: RuleSet, chips: int) -> int:
    most = min(chips, rules.max_bet) if rules.max_bet else chips
    return most // rules.bet_step * rules.bet_step


def _per_stake(rules: RuleSet) -> Fraction:
    return max(_times(rules.natural_pays), Fraction(1))


def _times(ratio: Ratio | None) -> Fraction:
    return Fraction(ratio.numerator, ratio.denominator) if ratio else Fraction(0)
