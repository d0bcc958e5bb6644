"""A table in memory: its folded state beside the head that it was folded up to.

An engine is immutable but for its chance, which looks cards up; whoever fails to append what it
decided throws the engine away. `ENGINE` numbers the implementation of the rules: a change that
would decide a recorded command otherwise takes the next number and keeps the old code.
"""

from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from service.app.chance import SeededChance
from service.app.codec import GENESIS, events_of, row_hash, rule_set_of, to_text
from service.app.derived import declared_voids, head_after, seat_changes, settled_summaries
from service.app.ports import Append, Head, JournalRow, Loaded, SealedShoe
from service.app.sealing import SealingKeys, UnsealedSeeds
from service.rules.rule_set import RuleSet
from service.table.commands import Command
from service.table.decide import play
from service.table.events import Event
from service.table.evolve import fold
from service.table.state import State, initial_state

ENGINE = 1
TABLE_ACTOR = "table"
"""The actor of commands that the service gives itself."""


class Engine(msgspec.Struct, frozen=True):
    """A table as of `head.version`; `latest` are the events of that version's row.

    The chance is told what players mixed into the open shoe.
    """

    head: Head
    state: State
    chance: SeededChance
    latest: tuple[Event, ...]

    def __post_init__(self) -> None:
        shoe = self.state.shoe
        self.chance.mix_in(shoe.number, shoe.client_seeds)


class Shoes:
    """Makes the chance of a table from its sealed seeds, and seals the seeds that it draws."""

    def __init__(self, keys: SealingKeys, new_seed: Callable[[], bytes]) -> None:
        self._keys = keys
        self._new_seed = new_seed

    def chance(self, table_id: str, rules: RuleSet, sealed: Sequence[SealedShoe]) -> SeededChance:
        """The chance of a table; asked for a card, it raises SealBroken if the seed can't be
        opened."""
        return SeededChance(
            table_id, rules.decks, UnsealedSeeds(self._keys, sealed), self._new_seed
        )

    def revealed(self, table_id: str, rules: RuleSet, shoe: int, seed: bytes) -> SeededChance:
        """The chance of a shoe whose seed is public: it needs no key."""
        return SeededChance(table_id, rules.decks, {shoe: seed}, self._new_seed)

    def seal_drawn(
        self, table_id: str, version: int, chance: SeededChance
    ) -> tuple[SealedShoe, ...]:
        """The seeds that were drawn since the last call, sealed; for the row of that version."""
        drawn = tuple(
            self._keys.seal(table_id, number, version, seed)
            for number, seed in chance.drawn.items()
        )
        chance.drawn.clear()
        return drawn


def engine_at(head: Head, rows: Sequence[JournalRow], chance: SeededChance) -> Engine:
    """The table after these rows of one round; `rows` are in order and not empty."""
    state = initial_state(rule_set_of(head.rule_set))
    latest: tuple[Event, ...] = ()
    for row in rows:
        latest = events_of(row.events)
        state = fold(state, latest)
    return Engine(head, state, chance, latest)


def engine_after(engine: Engine, row: JournalRow) -> Engine:
    """The table after the row that follows it in the journal."""
    events = events_of(row.events)
    state = fold(engine.state, events)
    head = head_after(engine.head, row, state, events)
    return Engine(head, state, engine.chance, events)


def engine_of(loaded: Loaded, shoes: Shoes) -> Engine:
    """The table as it was loaded."""
    rules = rule_set_of(loaded.head.rule_set)
    chance = shoes.chance(loaded.head.table_id, rules, loaded.shoes)
    return engine_at(loaded.head, loaded.rows, chance)


def advance(
    engine: Engine, command: Command, actor: str, request_id: str, now: int, shoes: Shoes
) -> tuple[Append, Engine]:
    """What to append for a command, and the table after it; or `Refused`.

    `now` is in microseconds since 1970; time never goes back from row to row.
    """
    head = engine.head
    at = max(head.at, now)
    events, state = play(engine.state, command, engine.chance, at)
    unhashed = JournalRow(
        table_id=head.table_id,
        version=head.version + 1,
        round=state.round,
        actor=actor,
        request_id=request_id,
        command=to_text(command),
        events=to_text(events),
        at=at,
        engine=ENGINE,
        hash=b"",
    )
    row = replace(unhashed, hash=row_hash(head.hash or GENESIS, unhashed))
    new_head = head_after(head, row, state, events)
    append = Append(
        expected=head.version,
        row=row,
        head=new_head,
        shoes=shoes.seal_drawn(head.table_id, row.version, engine.chance),
        seats=seat_changes(head.table_id, engine.state, state),
        summaries=settled_summaries(row, events),
        voids=declared_voids(row, events),
    )
    return append, Engine(new_head, state, engine.chance, events)
