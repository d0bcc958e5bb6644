"""A table in memory: its folded state beside the head that it was folded up to.

A live table is immutable but for its chance, which looks cards up; whoever fails to append what was
decided throws the live table away.
"""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from service.journal.codec import GENESIS, events_of, row_hash
from service.journal.deciders import Decider, decider_of, newest_decider, next_decider, play_next
from service.journal.ports import Append, Head, JournalRow, Loaded
from service.journal.projections import (
    declared_voids,
    head_after,
    seat_changes,
    settled_summaries,
)
from service.journal.text import rule_set_of, to_text
from service.journal.upcast import upcast
from service.rules.rule_set import RuleSet
from service.shoes.chance import SeededChance
from service.shoes.vault import Vault
from service.table.commands import Command
from service.table.events import Event
from service.table.state import State


class LiveTable(msgspec.Struct, frozen=True):
    """A table as of `head.version`; `latest` are the events of that version's row, and `engine` is
    the number of the decider that decided it.

    The chance is told what players mixed into the open shoe.
    """

    head: Head
    state: State
    chance: SeededChance
    latest: tuple[Event, ...]
    engine: int

    def __post_init__(self) -> None:
        shoe = self.state.shoe
        self.chance.mix_in(shoe.number, shoe.client_seeds)

    @property
    def decider(self) -> Decider:
        """The decider of the next command, which also says what a player may do."""
        return next_decider(self.engine, self.state)


def blank_table(head: Head, rules: RuleSet, chance: SeededChance) -> LiveTable:
    """A table before its first row; `head` says whose it will be."""
    newest = newest_decider()
    return LiveTable(head, newest.initial_state(rules), chance, (), newest.number)


def table_at(head: Head, rows: Sequence[JournalRow], chance: SeededChance) -> LiveTable:
    """The table after these rows of one round; `rows` are in order and not empty.

    Raises UnknownRecord for a row that this version can't read.
    """
    engine = rows[-1].engine
    state = decider_of(rows[0].engine).initial_state(rule_set_of(head.rule_set))
    latest: tuple[Event, ...] = ()
    for row in rows:
        latest = events_of(row.events)
        state = decider_of(row.engine).fold(state, latest)
    return LiveTable(head, state, chance, latest, engine)


def table_after(table: LiveTable, row: JournalRow) -> LiveTable:
    """The table after the row that follows it in the journal."""
    events = events_of(row.events)
    state = decider_of(row.engine).fold(table.state, events)
    head = head_after(table.head, row, state, events)
    return LiveTable(head, state, table.chance, events, row.engine)


def table_of(loaded: Loaded, vault: Vault) -> LiveTable:
    """The table as it was loaded."""
    rules = rule_set_of(loaded.head.rule_set)
    chance = vault.chance(loaded.head.table_id, rules, loaded.shoes)
    return table_at(loaded.head, loaded.rows, chance)


def advance(
    table: LiveTable, command: Command, actor: str, request_id: str, now: int, vault: Vault
) -> tuple[Append, LiveTable]:
    """What to append for a command, and the table after it; or `Refused`.

    `now` is in microseconds since 1970; time never goes back from row to row.
    """
    head = table.head
    at = max(head.at, now)
    engine, decided, state = play_next(table.engine, table.state, command, table.chance, at)
    events = upcast(decided)
    unhashed = JournalRow(
        table_id=head.table_id,
        version=head.version + 1,
        round=state.round,
        actor=actor,
        request_id=request_id,
        command=to_text(command),
        events=to_text(decided),
        at=at,
        engine=engine,
        hash=b"",
    )
    row = replace(unhashed, hash=row_hash(head.hash or GENESIS, unhashed))
    new_head = head_after(head, row, state, events)
    append = Append(
        expected=head.version,
        row=row,
        head=new_head,
        shoes=vault.seal_drawn(head.table_id, row.version, table.chance),
        seats=seat_changes(head.table_id, table.state, state),
        summaries=settled_summaries(row, events),
        voids=declared_voids(row, events),
    )
    return append, LiveTable(new_head, state, table.chance, events, engine)
