"""What was decided stays decided: recorded journals give today what they gave when recorded.

Add-only: a recorded file never changes and never vanishes. Where a change of the rules decides
otherwise from now on, it is a new decider with the next number, the old one stays, and the new one
gets recordings of its own (`python -m tests.replay.record`).
"""

import hashlib
import typing
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest

from service.audit.referee import review
from service.journal.codec import command_of, events_of
from service.journal.deciders import DECIDERS, IN_USE, decider_of
from service.journal.ports import Append, Head, JournalRow, SealedShoe
from service.journal.text import rule_set_of
from service.live.live_table import LiveTable, advance, table_after
from service.rules.presets import PRESETS
from service.shoes.sealing import SealingKeys
from service.shoes.vault import Vault
from service.table.commands import AnyCommand
from service.table.events import AnyEvent
from tests.replay.recording import FOLDER, Recording, files, manifest, read, state_text

KEYS = SealingKeys({"key": bytes(32)})


@pytest.fixture(params=sorted(manifest()))
def recording(request: pytest.FixtureRequest) -> Recording:
    return read(FOLDER / request.param)


def test_no_recording_has_changed_or_vanished() -> None:
    found = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files()}
    assert found == manifest()


def test_every_recorded_row_has_its_decider_and_every_decider_its_recordings() -> None:
    recorded = {row.engine for file in files() for row in read(file).rows}
    assert recorded <= DECIDERS.keys()
    assert recorded >= set(range(1, IN_USE + 1))


def test_together_they_hold_every_preset_command_and_event() -> None:
    recordings = [read(file) for file in files()]
    rows = [row for recording in recordings for row in recording.rows]
    events = {type(event) for row in rows for event in events_of(row.events)}
    assert set(PRESETS) <= {recording.opened.rule_set_id for recording in recordings}
    assert events == set(typing.get_args(AnyEvent))
    assert {type(command_of(row.command)) for row in rows} == set(typing.get_args(AnyCommand))


def test_deciding_again_gives_the_same_rows_and_payouts(recording: Recording) -> None:
    """Every column, the hash among them, and what is derived from it."""
    payouts = {version: step.payouts for version, step in recording.came_to.items()}
    voids = {version: step.voids for version, step in recording.came_to.items()}
    for append, engine in decided_again(recording):
        version = append.row.version
        assert append.summaries == payouts.get(version, ())
        assert append.voids == voids.get(version, ())
        assert engine.head.hash == append.row.hash
        assert not append.shoes  # every seed is one that was recorded


def test_folding_gives_the_same_states(recording: Recording) -> None:
    engine = blank(recording)
    for row in recording.rows:
        engine = table_after(engine, row)
        if row.version in recording.came_to:
            assert_still(recording.came_to[row.version].state, state_text(engine.state))


def test_each_round_folds_from_its_own_first_row(recording: Recording) -> None:
    first: dict[int, int] = {}
    for row in recording.rows:
        first.setdefault(row.round, row.version)
    for version, came_to in recording.came_to.items():
        opened = first[recording.rows[version - 1].round]
        engine = blank(recording)
        for row in recording.rows[opened - 1 : version]:
            engine = table_after(engine, row)
        assert_still(came_to.state, state_text(engine.state))


def test_the_referee_has_no_objection(recording: Recording) -> None:
    log = [event for row in recording.rows for event in msgspec.json.decode(row.events)]
    assert review(msgspec.json.decode(recording.opened.rule_set), log) == []


def blank(recording: Recording) -> LiveTable:
    """The table before its first row, with all its seeds."""
    opened = recording.opened
    rules = rule_set_of(opened.rule_set)
    head = Head(
        table_id=opened.table_id,
        operator=opened.operator,
        owner=opened.owner,
        rule_set_id=opened.rule_set_id,
        rule_set=opened.rule_set,
        private=opened.private,
        opened_at=0,
        version=0,
        hash=b"",
        phase="",
        round=0,
        round_version=0,
        shoe=0,
        deadline=0,
        at=0,
    )
    engine = recording.rows[0].engine
    chance = SHOES.chance(opened.table_id, rules, sealed(opened))
    return LiveTable(head, decider_of(engine).initial_state(rules), chance, (), engine)


def sealed(opened: Any) -> Sequence[SealedShoe]:
    return [
        KEYS.seal(opened.table_id, number, 1, seed)
        for number, seed in enumerate(opened.seeds, start=1)
    ]


def no_new_seed() -> bytes:
    raise AssertionError("a seed is drawn that was not recorded")


SHOES = Vault(KEYS, no_new_seed)


def decided_again(recording: Recording) -> Iterator[tuple[Append, LiveTable]]:
    """Every row, decided again by the decider that it names, and equal."""
    table = blank(recording)
    for row in recording.rows:
        command = command_of(row.command)
        before = LiveTable(table.head, table.state, table.chance, table.latest, row.engine)
        append, table = advance(before, command, row.actor, row.request_id, row.at, SHOES)
        assert append.row == row, difference(append.row, row)
        yield append, table


def difference(now: JournalRow, recorded: JournalRow) -> str:
    columns = [
        name for name in now.__struct_fields__ if getattr(now, name) != getattr(recorded, name)
    ]
    return f"row {recorded.version} differs in {', '.join(columns)}"


def assert_still(recorded: Any, now: Any) -> None:
    """All that was recorded is there, and the same; what a later version adds may stand beside."""
    if isinstance(recorded, dict):
        for name, value in recorded.items():
            assert name in now, name
            assert_still(value, now[name])
    elif isinstance(recorded, list):
        assert len(recorded) == len(now)
        for one, other in zip(recorded, now, strict=True):
            assert_still(one, other)
    else:
        assert recorded == now
