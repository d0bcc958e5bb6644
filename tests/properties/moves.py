"""What players and the clock may do at a table, chosen at random.

Which bets are legal is worked out here afresh, so that an engine that refuses too much is found.
"""

from random import Random

from service.rules.hand import Action
from service.table.commands import (
    Act,
    CloseTable,
    Command,
    LeaveSeat,
    PlaceBet,
    SetReady,
    SitOut,
    TakeSeat,
    TimeOut,
)
from service.table.decision import decision_token
from service.table.legal_actions import legal_actions
from service.table.state import PairBet, Phase, Seat, State
from tests.properties.game import Game

WEIGHTS = {Action.HIT: 4, Action.STAND: 3, Action.DOUBLE: 4, Action.SPLIT: 12, Action.SURRENDER: 1}


def legal_command(random: Random, game: Game) -> Command | None:
    """A command that must be accepted, or None when nobody can do anything here any more."""
    state = game.state
    if state.phase is Phase.FINISHED:
        return None
    rare = _rare(random, state) if random.random() > 0.95 else None
    if rare is not None:
        return rare
    if not state.started:
        return _before_the_start(random, state)
    if state.between_rounds:
        return _between_rounds(random, game)
    return _answer(random, game)


def _rare(random: Random, state: State) -> Command | None:
    """Leaving, closing, time running out."""
    seated = [seat for seat in state.seats if not seat.left]
    kind = random.randrange(8)
    if kind == 0 and random.random() > 0.7 and (state.between_rounds or not state.closing):
        return CloseTable("")
    if kind in (1, 2, 3) and seated:
        return LeaveSeat(random.choice(seated).player)
    if kind in (4, 5) and state.started and not state.between_rounds:
        asked = [seat for seat in seated if decision_token(state, seat)]
        return TimeOut(random.choice(asked).number)
    open_ended = not state.rules.rounds and len(state.seats) < state.rules.max_seats
    if kind == 6 and open_ended and state.between_rounds:
        return TakeSeat(_newcomer(random, state))
    return None


def _newcomer(random: Random, state: State) -> str:
    """Somebody new, or somebody who comes back."""
    gone = [one.player for one in state.departed]
    if gone and random.random() > 0.5:
        return random.choice(gone)
    return f"p{10 + state.entrants}"


def _before_the_start(random: Random, state: State) -> Command:
    waiting = [seat for seat in state.seats if not seat.ready]
    if waiting and random.random() > 0.5:
        return SetReady(random.choice(waiting).player)
    return TakeSeat(_newcomer(random, state))


def _between_rounds(random: Random, game: Game) -> Command | None:
    state = game.state
    answered = state.phase is Phase.BETTING
    waiting = [
        seat
        for seat in state.seats
        if not (seat.out or seat.left) and not (answered and (seat.stake or seat.sits_out))
    ]
    if not waiting:
        return None
    if state.deadline and random.random() > 0.9:
        game.now = state.deadline
        return TimeOut()
    seat = random.choice(waiting)
    if random.random() > 0.96:
        return TimeOut(seat.number)
    if state.rules.max_seats > 1 and random.random() > 0.9:
        return SitOut(seat.player, state.betting_round)
    return _legal_bet(random, state, seat)


def _legal_bet(random: Random, state: State, seat: Seat) -> PlaceBet:
    rules = state.rules
    stack = seat.stack if seat.stack >= rules.min_bet else rules.starting_stack
    stake = _legal_stake(random, state, stack)
    pair_bets = []
    if rules.pair_bet and random.random() > 0.5:
        left = stack - stake
        for named in state.seats:
            if not (named.out or named.left) and left >= rules.min_bet and random.random() > 0.4:
                pair_bets.append(PairBet(named.number, _legal_stake(random, state, left)))
                left -= pair_bets[-1].stake
    return PlaceBet(seat.player, state.betting_round, stake, tuple(pair_bets))


def _legal_stake(random: Random, state: State, stack: int) -> int:
    rules = state.rules
    most = min(stack, rules.max_bet) if rules.max_bet else stack
    steps = (most - rules.min_bet) // rules.bet_step
    luck = random.random()
    if luck < 0.5:
        steps = min(steps, 1)
    elif luck < 0.9:
        steps = random.randint(0, steps)
    return rules.min_bet + steps * rules.bet_step


def _answer(random: Random, game: Game) -> Command:
    state = game.state
    if state.deadline and random.random() > 0.96:
        game.now = state.deadline
        return TimeOut()
    seat = random.choice(game.deciders())
    legal = legal_actions(state, seat, game.chance)
    action = random.choice([action for action in legal for _ in range(WEIGHTS.get(action, 1))])
    return Act(seat.player, decision_token(state, seat), action)
