"""What players and the clock may do at a table, chosen at random.

Which bets are legal is worked out here afresh, so that an engine that refuses too much is found.
"""

from collections.abc import Mapping
from itertools import count
from random import Random
from typing import Protocol

from msgspec.structs import replace

from service.rules.hand import Action
from service.table.chance import Chance
from service.table.commands import (
    Act,
    CloseIdle,
    CloseTable,
    Command,
    LeaveSeat,
    PairBet,
    PlaceBet,
    SetReady,
    SitOut,
    TakeSeat,
    TimeOut,
    VoidRound,
)
from service.table.deciding.decision import decision_token
from service.table.deciding.legal_actions import legal_actions
from service.table.events import RoundSettled
from service.table.phase import Phase
from service.table.state import Seat, State
from tests.properties.worst_case import cover_of_bets, largest_pair_bet, largest_stake
from tests.table.driver import void_of

VOIDS = 0.03
"""The share of moves that are an operator's, who voids a round if there is one."""
WEIGHTS = {Action.HIT: 4, Action.STAND: 3, Action.DOUBLE: 4, Action.SPLIT: 12, Action.SURRENDER: 1}


class InPlay(Protocol):
    """A table in play, as far as a move depends on it; a time-out moves `now` to the deadline."""

    now: int

    @property
    def state(self) -> State: ...
    @property
    def chance(self) -> Chance: ...
    @property
    def settled(self) -> Mapping[int, RoundSettled]: ...
    def deciders(self) -> list[Seat]: ...


def legal_command(random: Random, game: InPlay) -> Command | None:
    """A command that must be accepted, or None when nobody can do anything here any more."""
    state = game.state
    if random.random() > 1 - VOIDS and (void := _void(random, game)):
        return void
    if state.phase is Phase.FINISHED:
        return None
    if _may_follow(state) and random.random() > 0.8:
        return LeaveSeat(state.seat(state.banker).player)
    rare = _rare(random, state) if random.random() > 0.95 else None
    if rare is not None:
        return rare
    if not state.started:
        return _before_the_start(random, state)
    if state.between_rounds:
        return _between_rounds(random, game)
    return _answer(random, game)


def _void(random: Random, game: InPlay) -> VoidRound | None:
    """An operator voids the round that runs, or a settled one."""
    if game.state.running:
        return VoidRound(game.state.round, "a torn card")
    left = [number for number in game.settled if number not in game.state.voided]
    return void_of(number := random.choice(left), game.settled[number]) if left else None


def _may_follow(state: State) -> bool:
    """Whether a punter has left the running round, and the banker is still there."""
    somebody_left = not state.between_rounds and any(seat.left for seat in state.seats)
    return somebody_left and state.banker > 0 and not state.seat(state.banker).left


def _rare(random: Random, state: State) -> Command | None:
    """Leaving, closing, time running out."""
    seated = [seat for seat in state.seats if not seat.left]
    kind = random.randrange(8)
    if kind == 0 and random.random() > 0.7 and (state.between_rounds or not state.closing):
        return CloseTable("")
    if kind in (1, 2, 3) and seated:
        banker = [seat for seat in seated if seat.number == state.banker]
        return LeaveSeat(random.choice(banker if banker and kind == 3 else seated).player)
    if kind in (4, 5) and state.started and not state.between_rounds:
        asked = [seat for seat in seated if decision_token(state, seat)]
        return TimeOut(random.choice(asked).number)
    open_ended = not state.rules.rounds and len(state.seats) < state.rules.max_seats
    if kind == 6 and open_ended and state.between_rounds:
        return TakeSeat(_newcomer(random, state), client_seed=_client_seed(random))
    if kind == 7 and random.random() > 0.7 and state.between_rounds and not state.deadline:
        return CloseIdle(3600)
    return None


def _newcomer(random: Random, state: State) -> str:
    """Somebody new, or somebody who comes back."""
    gone = [one.player for one in state.departed]
    if gone and random.random() > 0.5:
        return random.choice(gone)
    known = {seat.player for seat in state.seats} | set(gone)
    return next(name for name in map("p{}".format, count(10)) if name not in known)


def _client_seed(random: Random) -> str:
    return random.choice(["", "", "lucky", "7"])


def _before_the_start(random: Random, state: State) -> Command:
    waiting = [seat for seat in state.seats if not seat.ready]
    if waiting and random.random() > 0.5:
        return SetReady(random.choice(waiting).player)
    return TakeSeat(_newcomer(random, state), client_seed=_client_seed(random))


def _between_rounds(random: Random, game: InPlay) -> Command | None:
    state = game.state
    if state.deadline and random.random() > 0.9:
        game.now = state.deadline
        return TimeOut()
    if waits(state):
        return _ends_the_wait(random, game)
    answered = state.phase is Phase.BETTING
    waiting = [
        seat
        for seat in state.seats
        if not (seat.out or seat.left or seat.number == state.banker)
        and not (answered and (seat.stake or seat.sits_out))
    ]
    if not waiting:
        return None
    seat = random.choice(waiting)
    if random.random() > 0.96:
        return TimeOut(seat.number)
    sits_out = SitOut(seat.player, state.betting_round)
    if state.rules.max_seats > 1 and random.random() > 0.9:
        return sits_out
    return _legal_bet(random, state, seat) or sits_out


def waits(state: State) -> bool:
    """Whether a table with a rotating banker waits: for one, or for a punter."""
    playing = [seat for seat in state.seats if not (seat.out or seat.left)]
    return state.rotates and (not state.banker or len(playing) < 2)


def _ends_the_wait(random: Random, game: InPlay) -> Command | None:
    state = game.state
    if (
        not state.rules.rounds
        and sum(not seat.left for seat in state.seats) < state.rules.max_seats
    ):
        return TakeSeat(_newcomer(random, state), client_seed=_client_seed(random))
    if state.deadline:
        game.now = state.deadline
        return TimeOut()
    return None


def _legal_bet(random: Random, state: State, seat: Seat) -> PlaceBet | None:
    """A bet that is legal, or None where the bank covers none."""
    rules = state.rules
    stack = seat.stack if seat.stack >= rules.min_bet else rules.starting_stack
    cover = cover_of_bets(state)
    most = largest_stake(rules, stack, cover)
    if most < rules.min_bet:
        return None
    bet = PlaceBet(
        seat.player,
        state.betting_round,
        _legal_stake(random, state, most),
        client_seed=_client_seed(random),
    )
    pair_bets: list[PairBet] = []
    if rules.pair_bet and random.random() > 0.5:
        stack -= bet.stake
        for named in state.seats:
            if named.out or named.left or named.number == state.banker:
                continue
            bet = replace(bet, pair_bets=tuple(pair_bets))
            most = largest_pair_bet(rules, stack, cover_of_bets(state, bet))
            if most >= rules.min_bet and random.random() > 0.4:
                pair_bets.append(PairBet(named.number, _legal_stake(random, state, most)))
                stack -= pair_bets[-1].stake
    return replace(bet, pair_bets=tuple(pair_bets))


def _legal_stake(random: Random, state: State, most: int) -> int:
    rules = state.rules
    steps = (most - rules.min_bet) // rules.bet_step
    luck = random.random()
    if luck < 0.5:
        steps = min(steps, 1)
    elif luck < 0.9:
        steps = random.randint(0, steps)
    return rules.min_bet + steps * rules.bet_step


def _answer(random: Random, game: InPlay) -> Command:
    state = game.state
    if state.deadline and random.random() > 0.96:
        game.now = state.deadline
        return TimeOut()
    seat = random.choice(game.deciders())
    legal = legal_actions(state, seat, game.chance)
    action = random.choice([action for action in legal for _ in range(WEIGHTS.get(action, 1))])
    return Act(seat.player, decision_token(state, seat), action)
