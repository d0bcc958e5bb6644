"""What nobody may do at a table, chosen at random: commands that have to be refused."""

from collections.abc import Callable
from random import Random

from service.rules.hand import Action
from service.table.commands import (
    Act,
    CloseIdle,
    CloseTable,
    Command,
    LeaveSeat,
    PairBet,
    PlaceBet,
    SitOut,
    TakeSeat,
    TimeOut,
    VoidRound,
)
from service.table.deciding.decision import decision_token
from service.table.state import Seat
from tests.properties.game import Game
from tests.properties.moves import waits
from tests.properties.worst_case import (
    NO_BOUND,
    cover_of_bets,
    largest_pair_bet,
    largest_stake,
)
from tests.table.driver import void_of


def illegal_command(random: Random, game: Game) -> Command | None:
    """A command that must be refused in the state as it stands, or None if this one found none."""
    return random.choice(_MISTAKES)(random, game)


def _stranger(_random: Random, game: Game) -> Command:
    return LeaveSeat("nobody")


def _bad_stake(random: Random, game: Game) -> Command | None:
    rules, seat = game.rules, _anybody(random, game)
    stack = max(seat.stack, rules.starting_stack) if seat else 0
    beyond = (stack // rules.bet_step + 1) * rules.bet_step
    stakes = [0, -5, -rules.min_bet, rules.min_bet - rules.bet_step, rules.min_bet + 1]
    stakes += [beyond, 2**53, 2**63, rules.min_bet + rules.bet_step // 2]
    if rules.max_bet:
        stakes.append(rules.max_bet + rules.bet_step)
    return _bet(game, seat, random.choice(stakes))


def _bet(game: Game, seat: Seat | None, stake: int, *pair_bets: PairBet) -> Command | None:
    return PlaceBet(seat.player, game.state.betting_round, stake, pair_bets) if seat else None


def _anybody(random: Random, game: Game) -> Seat | None:
    seated = [seat for seat in game.state.seats if not seat.left]
    return random.choice(seated) if seated else None


def _bad_pair_bet(random: Random, game: Game) -> Command | None:
    least, seat = game.rules.min_bet, _anybody(random, game)
    if not seat:
        return None
    on_nobody, on_self = PairBet(9, least), PairBet(seat.number, least)
    wrong = [(on_nobody,), (on_self, on_self), (PairBet(seat.number, least + 1),)]
    return _bet(game, seat, least, *random.choice(wrong))


def _wrong_round(random: Random, game: Game) -> Command | None:
    seat, number = _anybody(random, game), game.state.betting_round
    if not seat:
        return None
    wrong = number + random.choice([1, -1, 1000])
    return random.choice(
        [SitOut(seat.player, wrong), PlaceBet(seat.player, wrong, game.rules.min_bet)]
    )


def _second_seat(random: Random, game: Game) -> Command | None:
    seat = _anybody(random, game)
    return TakeSeat(seat.player) if seat else None


def _occupied_seat(random: Random, game: Game) -> Command | None:
    seat = _anybody(random, game)
    return TakeSeat("nobody", seat.number) if seat else None


def _no_such_seat(random: Random, game: Game) -> Command:
    return TakeSeat("nobody", random.choice([-1, 8, game.rules.max_seats + 1]))


def _early_clock(_random: Random, game: Game) -> Command | None:
    return TimeOut() if not game.state.deadline or game.state.deadline > game.now else None


def _player_closes_running_round(random: Random, game: Game) -> Command | None:
    seat = _anybody(random, game)
    return CloseTable(seat.player) if seat and not game.state.between_rounds else None


def _bet_in_running_round(random: Random, game: Game) -> Command | None:
    seat = None if game.state.between_rounds else _anybody(random, game)
    return _bet(game, seat, game.rules.min_bet)


def _stale_decision(random: Random, game: Game) -> Command | None:
    seat = _anybody(random, game)
    if not seat:
        return None
    token = decision_token(game.state, seat)
    stale = random.choice(["", "1", f"{token}0", f"{game.state.round}-1-9"])
    return Act(seat.player, stale, random.choice(list(Action)))


def _not_ones_turn(random: Random, game: Game) -> Command | None:
    open_now = game.deciders()
    others = [one for one in game.state.seats if not one.left and one not in open_now]
    if not (others and open_now):
        return None
    token = decision_token(game.state, random.choice(open_now))
    return Act(random.choice(others).player, token, random.choice(list(Action)))


def _banker_bets(_random: Random, game: Game) -> Command | None:
    return _bet(game, _banker(game), game.rules.min_bet)


def _banker_sits_out(_random: Random, game: Game) -> Command | None:
    banker = _banker(game)
    return SitOut(banker.player, game.state.betting_round) if banker else None


def _banker(game: Game) -> Seat | None:
    held = [seat for seat in game.state.seats if seat.number == game.state.banker]
    return held[0] if held and not held[0].left else None


def _pair_bet_on_the_banker(random: Random, game: Game) -> Command | None:
    banker, least = _banker(game), game.rules.min_bet
    pair_bet = PairBet(game.state.banker, least)
    return _bet(game, _anybody(random, game), least, pair_bet) if banker else None


def _uncovered_bet(random: Random, game: Game) -> Command | None:
    """One step more than the bank covers, of what the seat could pay."""
    rules, seat = game.rules, _anybody(random, game)
    if not seat or cover_of_bets(game.state) == NO_BOUND:
        return None
    most = largest_stake(rules, NO_BOUND, cover_of_bets(game.state))
    return _bet(game, seat, max(most + rules.bet_step, rules.min_bet))


def _uncovered_pair_bet(random: Random, game: Game) -> Command | None:
    rules, seat = game.rules, _anybody(random, game)
    if not seat or not rules.pair_bet or cover_of_bets(game.state) == NO_BOUND:
        return None
    bet = PlaceBet(seat.player, game.state.betting_round, rules.min_bet)
    most = largest_pair_bet(rules, NO_BOUND, cover_of_bets(game.state, bet))
    return _bet(
        game, seat, bet.stake, PairBet(seat.number, max(most + rules.bet_step, rules.min_bet))
    )


def _bet_at_a_waiting_table(random: Random, game: Game) -> Command | None:
    seat = _anybody(random, game)
    return _bet(game, seat, game.rules.min_bet) if waits(game.state) else None


def _closes_as_idle(_random: Random, game: Game) -> Command | None:
    busy = game.state.deadline or not game.state.between_rounds
    return CloseIdle(3600) if busy else None


def _void_again(random: Random, game: Game) -> Command | None:
    voided = game.state.voided
    return void_of(number := random.choice(voided), game.settled.get(number)) if voided else None


def _void_what_is_not_settled(random: Random, game: Game) -> Command | None:
    """The coming round, one after it, or a settled one as if it were running."""
    coming = game.state.betting_round if game.state.between_rounds else game.state.round + 1
    return VoidRound(random.choice([coming, coming + 1, *game.settled]), "a torn card")


def _void_settled_within_a_round(random: Random, game: Game) -> Command | None:
    if not (game.state.running and game.settled):
        return None
    number = random.choice(list(game.settled))
    return void_of(number, game.settled[number])


_MISTAKES: list[Callable[[Random, Game], Command | None]] = [
    _stranger,
    _bad_stake,
    _bad_pair_bet,
    _wrong_round,
    _second_seat,
    _occupied_seat,
    _no_such_seat,
    _early_clock,
    _player_closes_running_round,
    _bet_in_running_round,
    _stale_decision,
    _not_ones_turn,
    _banker_bets,
    _banker_sits_out,
    _pair_bet_on_the_banker,
    _uncovered_bet,
    _uncovered_pair_bet,
    _bet_at_a_waiting_table,
    _closes_as_idle,
    _void_again,
    _void_what_is_not_settled,
    _void_settled_within_a_round,
]
