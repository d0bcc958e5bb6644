"""Twin games: two games of the same commands and the same public events, whose hidden cards differ.

Game one is random play, stopped at a moment at which something lies face down. Game two repeats its
commands over a shoe in which some of the cards face down are others, and so is all that has not
been dealt. Where it goes another way, the rules must have disclosed something by the first event
that differs (`disclosed`); else that difference is a leak.
"""

from random import Random
from typing import NamedTuple

from service.rules.reasons import Refused
from service.rules.rule_set import RuleSet
from service.table.commands import CloseIdle, Command, TimeOut
from service.table.deciding.decide import play
from service.table.events import Event
from service.table.phase import Phase
from service.table.state import State
from tests.properties.game import Game
from tests.properties.moves import legal_command
from tests.properties.stacked_shoe import StackedChance
from tests.secrets.disclosure import Leak, Secrets, disclosed

LONGEST = 60
"""Commands after which a game is given up that has come to no moment to stop at."""


class Move(NamedTuple):
    """A command that was accepted, the time, the events, and the state after them."""

    command: Command
    now: int
    events: tuple[Event, ...]
    state: State


class TwinGame(Game):
    """A game that remembers its moves; the referee has tests of his own."""

    def __init__(self, rules: RuleSet, chance: StackedChance) -> None:
        self.moves: list[Move] = []
        super().__init__(rules, chance)

    def send(self, command: Command) -> None:
        """Carry out a command; or `Refused`."""
        events, self.state = play(self.state, command, self.chance, self.now)
        self.moves.append(Move(command, self.now, events, self.state))

    def told(self, command: Command) -> Refused | tuple[Event, ...]:
        """What would come of a command now: the events, or the refusal."""
        try:
            return play(self.state, command, self.chance, self.now)[0]
        except Refused as refused:
            return refused


class Twins(NamedTuple):
    """Two games that nobody but `secrets.owners` can tell apart."""

    one: TwinGame
    other: TwinGame
    secrets: Secrets


def find_twins(random: Random, rules: RuleSet) -> Twins | None:
    """Twins under these rules; None if the second game disclosed its difference, or the first one
    came to no moment to stop at. `Leak` where it parted without a disclosure."""
    one = _game_with_a_secret(random, rules)
    return _twin_of(random, one) if one else None


def face_down(state: State) -> dict[int, str]:
    """The places of the open shoe that lie face down, and who may look there (empty: nobody)."""
    places: dict[int, str] = {}
    if state.dealer.hole_at >= 0:
        # That of a voided round is nobody's: the bank may have moved on.
        banker = state.seat(state.banker) if state.banker and state.running else None
        places[state.dealer.hole_at] = banker.player if banker and not banker.left else ""
    for seat in state.dealt_in:
        if seat.hands[0].first_at >= 0:
            places[seat.hands[0].first_at] = "" if seat.left else seat.player
    return places


def players(state: State) -> list[str]:
    """Who sits at the table, ascending by seat."""
    return [seat.player for seat in state.seats if not seat.left]


def _game_with_a_secret(random: Random, rules: RuleSet) -> TwinGame | None:
    game = TwinGame(rules, StackedChance(random, rules.decks))
    while len(game.moves) < LONGEST and game.state.phase is not Phase.FINISHED:
        command = legal_command(random, game)
        if command is None:
            return None
        if isinstance(command, CloseIdle) or (isinstance(command, TimeOut) and command.seat):
            continue  # what no call asks for
        game.now += 1
        game.send(command)
        if face_down(game.state) and random.random() > 0.75:
            return game
    return None


def _twin_of(random: Random, one: TwinGame) -> Twins | None:
    shoe, down = one.state.shoe, face_down(one.state)
    # All of them, also those that no rule has asked for yet: of a round that was voided cards stay
    # face down for good.
    before = {place: one.chance.card(shoe.number, place) for place in range(shoe.dealt)}
    fresh = {place for place in down if random.random() > 0.4} or set(down)

    def keeps(number: int, place: int) -> bool:
        return number < shoe.number or (place < shoe.dealt and place not in fresh)

    chance = one.chance.again(Random(random.random()), keeps)
    changed = {place for place in fresh if chance.card(shoe.number, place) != before[place]}
    if not changed:
        return None
    secrets = Secrets.of(one.state, {place: down[place] for place in changed})
    other = TwinGame(one.rules, chance)
    for move in one.moves[1:]:
        other.now = move.now
        told = other.told(move.command)
        if told != move.events:
            if not disclosed(secrets, move.command, move.events, told):
                raise Leak(f"{move.command}: {move.events} and {told}")
            return None
        other.send(move.command)
    return Twins(one, other, secrets)
