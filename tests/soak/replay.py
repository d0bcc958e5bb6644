"""Journals held against the rules after a soak: what a replay says of every table."""

import json
from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

import psycopg

from service.audit.referee import review
from service.journal.codec import GENESIS, command_of, events_of, row_hash
from service.journal.ports import JournalRow
from service.table.commands import TimeOut
from service.table.events import TableOpened
from service.table.evolving.evolve import fold, initial_state
from service.table.state import State

COLUMNS = ", ".join(
    "coalesce(request_id, '')" if name == "request_id" else name
    for name in JournalRow.__struct_fields__
)


class Replayed(NamedTuple):
    """A table as its journal leaves it, and how long its time-outs came after their deadlines."""

    table_id: str
    states: list[State]
    late_seconds: list[float]

    @property
    def end(self) -> State:
        return self.states[-1]


def journal(owner: str, table_id: str) -> list[JournalRow]:
    """Every row of a table, in order."""
    with psycopg.connect(owner) as connection:
        query = f"SELECT {COLUMNS} FROM journal WHERE table_id = %s ORDER BY version"
        rows: list[Any] = connection.execute(query.encode(), [table_id]).fetchall()
    return [JournalRow(*row) for row in rows]


def replay(rows: Sequence[JournalRow]) -> Replayed:
    """Fold a whole journal; AssertionError where its chain or its versions break."""
    opened = events_of(rows[0].events)[0]
    assert isinstance(opened, TableOpened)
    state = initial_state(opened.rule_set)
    states, late, previous = [], [], GENESIS
    for version, row in enumerate(rows, start=1):
        assert row.version == version
        assert row.hash == row_hash(previous, row)
        previous = row.hash
        if command_of(row.command) == TimeOut():
            late.append((row.at - state.deadline) / 1_000_000)
        state = fold(state, events_of(row.events))
        states.append(state)
    return Replayed(rows[0].table_id, states, late)


def objections(rows: Sequence[JournalRow]) -> list[str]:
    """What the referee has against a journal, read as a whole."""
    events = [event for row in rows for event in json.loads(row.events)]
    return [str(one) for one in review(events[0]["rule_set"], events)]


def ranking(state: State) -> list[tuple[str, int, int, bool]]:
    """Player, rank, stack and forfeit of each standing, by player."""
    return sorted((one.player, one.rank, one.stack, one.forfeited) for one in state.standings)


def ranks_follow_stacks(state: State) -> bool:
    """Whether the ranks are those that the stacks give, worked out anew: 1-2-2-4."""
    staying = [one.stack for one in state.standings if not one.forfeited]
    return all(
        one.rank == 1 + sum(stack > one.stack for stack in staying)
        for one in state.standings
        if not one.forfeited
    )


def rounds_of(rows: Sequence[JournalRow]) -> int:
    """How many rounds a journal has."""
    return len([number for number, _ in groupby(rows, lambda row: row.round) if number])
