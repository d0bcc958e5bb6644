"""The deciders by number: every row of a journal names the one that decided it.

Rule: a change that would decide a recorded command differently, or offer a player other choices, is
a new decider with the next number. The old decider keeps its code unchanged. So every row can
always be decided again, and the rules of a table never change in the middle of a round.

A round is decided to its end by the decider that opened it. The next round opens under the newest
decider in use, unless that one is for new tables only: then the table keeps its own for life. A
number never goes back. A number that is not in `DECIDERS` is an error: the API answers UNAVAILABLE
for the table, and verification names a fault.

A decider is added one release before it is used (`IN_USE`), because during an update old and new
processes serve the same tables.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum

import msgspec

from service.journal.text import UnknownRecord
from service.journal.upcast import upcast
from service.rules.rule_set import RuleSet
from service.table.chance import Chance
from service.table.commands import Command
from service.table.deciding.decide import play
from service.table.deciding.opening import round_opening
from service.table.events import Event, RoundOpened
from service.table.evolving.evolve import fold, initial_state
from service.table.phase import Phase
from service.table.showing.shown import TableView
from service.table.showing.view import view
from service.table.state import State


class TakesOver(Enum):
    """When open tables continue under a newer decider."""

    NEXT_ROUND = "next round"
    NEW_TABLES = "new tables"


class Decider(msgspec.Struct, frozen=True):
    """One complete implementation of the rules.

    `play` decides a command at a time (microseconds since 1970), `fold` applies events,
    `initial_state` is the state before the first event, `round_opening` gives what the next round
    inherits (None: a round is open), `view` gives what a player sees and may do.
    """

    number: int
    play: Callable[[State, Command, Chance, int], tuple[tuple[Event, ...], State]]
    fold: Callable[[State, Iterable[Event]], State]
    initial_state: Callable[[RuleSet], State]
    round_opening: Callable[[State], RoundOpened | None]
    view: Callable[[State, str, Chance, Sequence[Event]], TableView]
    takes_over: TakesOver = TakesOver.NEXT_ROUND


class UnknownEngine(UnknownRecord):
    """A row names a decider that this version of the service does not have."""


DECIDERS: dict[int, Decider] = {
    1: Decider(1, play, fold, initial_state, round_opening, view),
}
"""Every decider that ever wrote a row. None is removed, and no number is reused."""

IN_USE = 1
"""The number of the newest decider that writes rows."""


def newest_decider() -> Decider:
    """The decider for a new table."""
    return decider_of(IN_USE)


def decider_of(engine: int) -> Decider:
    """The decider with that number; UnknownEngine if it does not exist."""
    decider = DECIDERS.get(engine)
    if decider is None:
        known = ", ".join(map(str, sorted(DECIDERS)))
        raise UnknownEngine(f"engine {engine} decided this; known here: {known}")
    return decider


def next_decider(engine: int, state: State) -> Decider:
    """The decider of the next command of a table whose last row has that number, if that command
    opens a round. While a round is open, it is the decider that opened it."""
    if state.phase is not Phase.SETTLED:
        return decider_of(engine)
    number = engine
    while number < IN_USE and may_follow(engine, number + 1, opens_round=True):
        number += 1
    return decider_of(number)


def play_next(
    engine: int, state: State, command: Command, chance: Chance, now: int
) -> tuple[int, tuple[Event, ...], State]:
    """The number of the decider that decides a command, its events, and the state after them; or
    `Refused`."""
    coming = next_decider(engine, state)
    events, after = decide_with(coming, state, command, chance, now)
    if coming.number != engine and not isinstance(events[0], RoundOpened):
        events, after = decide_with(decider_of(engine), state, command, chance, now)
        return engine, events, after
    return coming.number, events, after


def decide_with(
    decider: Decider, state: State, command: Command, chance: Chance, now: int
) -> tuple[tuple[Event, ...], State]:
    """The events of one decider as they are stored, and the state that every reader of them gets;
    or `Refused`."""
    events, after = decider.play(state, command, chance, now)
    read = upcast(events)
    return events, after if read is events else decider.fold(state, read)


def may_follow(before: int, engine: int, *, opens_round: bool) -> bool:
    """Whether a row of a table may be decided by `engine` after one of `before`."""
    if engine == before:
        return True
    between = range(before + 1, engine + 1)
    return (
        opens_round
        and bool(between)
        and all(decider_of(number).takes_over is TakesOver.NEXT_ROUND for number in between)
    )
