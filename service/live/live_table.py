"""A table in memory: its folded state beside the head that it was folded up to.

An table is immutable but for its chance, which looks cards up; whoever fails to append what it
decided throws the table away. `ENGINE` numbers the implementation of the rules: a change that
would decide a recorded command otherwise takes the next number and keeps the old code.
"""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from service.journal.codec import GENESIS, events_of, row_hash, rule_set_of, to_text
from service.journal.deciders import ENGINE
from service.journal.ports import Append, Head, JournalRow, Loaded
from service.journal.projections import declared_voids, head_after, seat_changes, settled_summaries
from service.shoes.chance import SeededChance
from service.shoes.vault import Vault
from service.table.commands import Command
from service.table.deciding.decide import play
from service.table.events import Event
from service.table.evolving.evolve import fold
from service.table.state import State, initial_state


class LiveTable(msgspec.Struct, frozen=True):
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


def table_at(head: Head, rows: Sequence[JournalRow], chance: SeededChance) -> LiveTable:
    """The table after these rows of one round; `rows` are in order and not empty."""
    state = initial_state(rule_set_of(head.rule_set))
    latest: tuple[Event, ...] = ()
    for row in rows:
        latest = events_of(row.events)
        state = fold(state, latest)
    return LiveTable(head, state, chance, latest)


def table_after(table: LiveTable, row: JournalRow) -> LiveTable:
    """The table after the row that follows it in the journal."""
    events = events_of(row.events)
    state = fold(table.state, events)
    head = head_after(table.head, row, state, events)
    return LiveTable(head, state, table.chance, events)


def table_of(loaded: Loaded, shoes: Vault) -> LiveTable:
    """The table as it was loaded."""
    rules = rule_set_of(loaded.head.rule_set)
    chance = shoes.chance(loaded.head.table_id, rules, loaded.shoes)
    return table_at(loaded.head, loaded.rows, chance)


def advance(
    table: LiveTable, command: Command, actor: str, request_id: str, now: int, shoes: Vault
) -> tuple[Append, LiveTable]:
    """What to append for a command, and the table after it; or `Refused`.

    `now` is in microseconds since 1970; time never goes back from row to row.
    """
    head = table.head
    at = max(head.at, now)
    events, state = play(table.state, command, table.chance, at)
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
        shoes=shoes.seal_drawn(head.table_id, row.version, table.chance),
        seats=seat_changes(head.table_id, table.state, state),
        summaries=settled_summaries(row, events),
        voids=declared_voids(row, events),
    )
    return append, LiveTable(new_head, state, table.chance, events)
