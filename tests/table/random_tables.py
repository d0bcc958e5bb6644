"""Random games, most at tables with a rotating banker, and what must hold of every row of them.

Chips at a table add up to what was brought to it, no stack is ever negative, folding a round's
events gives the table as it stands, and whatever the view offers is accepted.
"""

from collections import Counter
from random import Random

from service.rules.cards import RANKS, packs
from service.rules.presets import PRESETS
from service.rules.reasons import Refused
from service.rules.rule_set import OPTIONS, Insurance, RuleSet
from service.table import commands as c
from service.table import events as e
from service.table.chance import Opening
from service.table.commands import PairBet
from service.table.deciding.decide import play
from service.table.deciding.decision import decision_token
from service.table.deciding.legal_actions import legal_actions
from service.table.evolving.evolve import fold, initial_state
from service.table.phase import Phase
from service.table.showing.shown import BetOptions, News
from service.table.showing.view import view
from service.table.state import Seat, State
from tests.properties.rule_sets import redrawn

_LONG_AFTER = 10**15
_VARIED = sorted(OPTIONS.keys() - {"banker", "rounds", "ranking", "min_bet"})


class RandomShoes:
    """Shoes in an order that a seed gives; nothing is sworn or proved of them.

    Half of them hold four ranks and aces only, so that naturals, pairs and soft hands abound.
    """

    def __init__(self, random: Random, rules: RuleSet) -> None:
        self._random = random
        self._rules = rules
        self._cards: dict[int, list[str]] = {}

    def open(self, shoe: int, _players_seeds: object) -> Opening:
        cards = list(packs(self._rules.decks))
        if self._random.random() < 0.5:
            ranks = {"A", *self._random.sample(RANKS, 4)}
            cards = [card for card in cards if card[0] in ranks] * len(RANKS)
        self._random.shuffle(cards)
        self._cards[shoe] = cards
        return Opening("", "")

    def card(self, shoe: int, position: int) -> str:
        return self._cards[shoe][position]

    def salt(self, _shoe: int, _position: int) -> str:
        return ""

    def reveal(self, _shoe: int) -> str:
        return ""


def random_rules(random: Random) -> RuleSet:
    """The preset, or a rule set that differs from it in a few options; most often in the stack."""
    names = random.sample(_VARIED, random.choice((0, 2, 5, 9)))
    names += random.choice(([], ["starting_stack"], ["starting_stack", "insurance"]))
    return redrawn(random, PRESETS["rotating-banker"], names)


def chips_at(state: State) -> int:
    """All chips of a table: in the stacks of who sits there or has left, and at stake."""
    total = sum(seat.stack for seat in state.seats) + sum(one.stack for one in state.departed)
    if state.phase in (Phase.SETTLED, Phase.FINISHED):
        return total
    for seat in state.seats:
        total += sum(hand.stake for hand in seat.hands) if seat.hands else seat.stake
        total += sum(bet.stake for bet in seat.pair_bets if not bet.settled)
        if state.rules.insurance is Insurance.TWO_TO_ONE:
            total += seat.insurance
    return total


class RandomTable:
    """One table, and how often each kind of event happened at it."""

    def __init__(self, seed: int, rules: RuleSet | None = None) -> None:
        self._random = Random(seed)
        self._restless = self._random.choice((0.01, 0.03, 0.1))
        self.rules = rules or random_rules(self._random)
        self._chance = RandomShoes(self._random, self.rules)
        self.happened: Counter[str] = Counter()
        self.settled: dict[int, e.RoundSettled] = {}
        self._brought: dict[str, int] = {}
        self._round: list[e.Event] = []
        self.state = initial_state(self.rules)
        self._try(c.OpenTable("p1", "random", self.rules))

    def would_void(self, command: c.VoidRound) -> tuple[e.RoundVoided, State]:
        """What a void would do here; the table goes on as if nobody had asked."""
        events, state = play(self.state, command, self._chance, 1)
        assert fold(self.state, events) == state
        (voided,) = [event for event in events if isinstance(event, e.RoundVoided)]
        return voided, state

    def void(self, command: c.VoidRound) -> None:
        """Void a round, and check that as any other row."""
        self._try(command)

    def go_on(self) -> None:
        """One more command, which may be refused."""
        command = self._command()
        if command is not None:
            self._try(command)

    def _try(self, command: c.Command) -> None:
        now = _LONG_AFTER if isinstance(command, c.TimeOut) else 1
        try:
            events, state = play(self.state, command, self._chance, now)
        except Refused as refused:
            self.happened[refused.reason.name] += 1
            return
        self._check(events, state)
        self.state = state

    def _check(self, events: tuple[e.Event, ...], state: State) -> None:
        for event in events:
            self.happened[type(event).__name__] += 1
            match event:
                case e.RoundSettled(seats=[_, *_]):
                    self.settled[state.round] = event
                case e.RoundOpened():
                    self._round.clear()
                case e.SeatTaken(player=player, stack=stack):
                    self._brought.setdefault(player, stack)
                case e.SeatLeft(seat=number) if not self.state.started:
                    del self._brought[self.state.seat(number).player]
                case e.BankerChanged(cause=cause):
                    self.happened[f"bank: {cause}"] += 1
            self._round.append(event)
        assert fold(self.state, events) == state
        told = view(state, "", self._chance, events).announcements
        assert all(one.seat for one in told if one.kind is News.TIME_RAN_OUT), events
        if state.phase in (Phase.SETTLED, Phase.FINISHED):
            assert fold(initial_state(self.rules), self._round) == state
        if state.rotates:
            assert chips_at(state) == sum(self._brought.values()), events
        assert all(seat.stack >= 0 for seat in state.seats), events

    def _command(self) -> c.Command | None:
        state, random = self.state, self._random
        player = f"p{random.randint(1, 7)}"
        seat = state.seat_of(player)
        rare = random.random()
        if seat is None:
            return c.TakeSeat(player) if state.between_rounds else None
        if rare < self._restless:
            return c.LeaveSeat(player)
        if rare > 0.985 and state.banker and not state.between_rounds:
            return c.LeaveSeat(state.seat(state.banker).player)
        if not state.started:
            return c.SetReady(player)
        if rare < self._restless + 0.03:
            return c.TimeOut()
        if state.between_rounds:
            return self._bet(seat)
        return self._answer()

    def _bet(self, seat: Seat) -> c.Command | None:
        yours = view(self.state, seat.player, self._chance, ()).your
        if yours is None or yours.bet is None:
            return None
        number, offered = self.state.betting_round, yours.bet
        if not offered.max_stake or self._random.random() < 0.1:
            return c.SitOut(seat.player, number)
        for stake in {offered.min_stake, offered.max_stake}:
            play(self.state, c.PlaceBet(seat.player, number, stake), self._chance, 1)
        return c.PlaceBet(seat.player, number, self._stake(offered), self._pair_bets())

    def _stake(self, offered: BetOptions) -> int:
        steps = (offered.max_stake - offered.min_stake) // offered.step
        few = self._random.choice((0, min(steps, 3), steps))
        return offered.min_stake + offered.step * few

    def _pair_bets(self) -> tuple[PairBet, ...]:
        return tuple(
            PairBet(seat.number, self.rules.min_bet)
            for seat in self.state.seats
            if self._random.random() < 0.15
        )

    def _answer(self) -> c.Command:
        asked = [seat for seat in self.state.seats if decision_token(self.state, seat)]
        seat = self._random.choice(asked)
        token = decision_token(self.state, seat)
        open_to_him = legal_actions(self.state, seat, self._chance)
        for action in open_to_him:
            play(self.state, c.Act(seat.player, token, action), self._chance, 1)
        return c.Act(seat.player, token, self._random.choice(open_to_him))
