"""A table under test: every command is checked from several sides before the game goes on."""

from typing import Any

import msgspec

from service.audit.referee import Objection, review
from service.audit.referee.reading import Reading
from service.rules.hand import Action
from service.rules.reasons import Refused
from service.rules.rule_set import RuleSet
from service.table.commands import Act, Command, OpenTable
from service.table.deciding.decide import play
from service.table.deciding.decision import decision_token
from service.table.deciding.legal_actions import legal_actions
from service.table.events import AnyEvent, Event, RoundSettled
from service.table.evolving.evolve import fold, initial_state
from service.table.state import Seat, State
from tests.properties.stacked_shoe import StackedChance


class Disagreement(AssertionError):
    """Engine and referee, or engine and test, see a table differently."""


EVENTS = msgspec.json.Decoder(tuple[AnyEvent, ...])


class Game:
    """One table from its opening on. `now` is microseconds; nothing here waits."""

    def __init__(self, rules: RuleSet, chance: StackedChance) -> None:
        self.rules = rules
        self.chance = chance
        self.now = 1_000_000
        self.state = initial_state(rules)
        self.rule_set: dict[str, Any] = msgspec.to_builtins(rules)
        self.log: list[dict[str, Any]] = []
        self.settled: dict[int, RoundSettled] = {}
        self._reading = Reading(self.rule_set, chance.card)
        self.send(OpenTable("p1", "random", rules))

    def send(self, command: Command) -> None:
        """A command that has to be accepted; everything that must hold of it is checked."""
        events, state = play(self.state, command, self.chance, self.now)
        assert events
        text = msgspec.json.encode(events)
        assert EVENTS.decode(text) == events
        assert fold(self.state, EVENTS.decode(text)) == state
        self.state = state
        for event in events:
            if isinstance(event, RoundSettled) and event.seats:
                self.settled[state.round] = event
        self._hear(text)
        self._compare_legal_actions()

    def _hear(self, text: bytes) -> None:
        for event in msgspec.json.decode(text):
            self.log.append(event)
            self._reading.read(event)
        self._reading.end()
        self.agree(self._reading.objections)

    def agree(self, objections: list[Objection]) -> None:
        """The referee has no objection; the log is shown if he has."""
        if objections:
            log = "\n".join(f"{place} {event}" for place, event in enumerate(self.log))
            raise Disagreement(f"{objections}\n{self.rule_set}\n{log}")

    def review(self) -> None:
        """The referee, starting afresh on the whole log, has no objection."""
        self.agree(review(self.rule_set, self.log))

    def refuse(self, command: Command) -> None:
        """A command that has to be refused: no event, no shoe opened."""
        shoes = len(self.chance.opened)
        events: tuple[Event, ...] = ()
        try:
            events = play(self.state, command, self.chance, self.now)[0]
        except Refused:
            assert len(self.chance.opened) == shoes
            return
        raise Disagreement(f"{command} was accepted with {events} on {self.state}")

    def _compare_legal_actions(self) -> None:
        """Engine and referee agree on what each seat may do."""
        ours = {
            seat.number: {str(action) for action in legal}
            for seat in self.state.seats
            if (legal := legal_actions(self.state, seat, self.chance))
        }
        theirs = self._reading.open_actions()
        if ours != theirs:
            raise Disagreement(f"engine {ours}, referee {theirs}, {self.state}")

    def deciders(self) -> list[Seat]:
        """The seats that have a decision."""
        return [seat for seat in self.state.seats if decision_token(self.state, seat)]

    def try_every_action(self, seat: Seat) -> None:
        """What is legal would be accepted, and nothing else."""
        legal = legal_actions(self.state, seat, self.chance)
        before: State = self.state
        for action in Action:
            act = Act(seat.player, decision_token(self.state, seat), action)
            if action in legal:
                assert play(self.state, act, self.chance, self.now)[0]
            else:
                self.refuse(act)
        assert self.state is before
