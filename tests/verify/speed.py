"""How fast verification is: `python -m tests.verify.speed [--rounds N] [--profile]`.

A simulation plays rounds of the preset six-deck-h17 (six decks, penetration 0.75) by basic strategy
through the write path's own functions; they are written to a database of the tests' server, and
what `croupier verify --all` runs reads them. What counts is CPU seconds of this process: the
database's server has a core of its own. Where other programs share the cores, the best of many
bursts comes nearest to a core of one's own: so that is printed, too.
"""

import argparse
import asyncio
import cProfile
import gc
import itertools
import pstats
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from db.audit_reader import PostgresAuditReader
from db.connections import connect
from db.event_store import PostgresStore
from service.audit.simulate.strategy import Strategy, read_strategy
from service.audit.verify.verifier import Verifier
from service.journal.ports import Append, Head
from service.journal.table_ids import derived_table_id
from service.journal.text import to_text
from service.live.live_table import LiveTable, advance
from service.records.verification import Scope
from service.rules.hand import Action
from service.rules.presets import PRESETS
from service.shoes.sealing import SealingKeys
from service.shoes.vault import Vault
from service.table import commands as c
from service.table.deciding.decision import decision_token
from service.table.deciding.draft import upcard
from service.table.deciding.legal_actions import refusal
from service.table.evolving.evolve import initial_state
from service.table.phase import Phase
from tests.database import Databases, run_server

PRESET = "six-deck-h17"
RULES = PRESETS[PRESET]
STRATEGY = Path(__file__).parents[1] / "truth" / "strategy.yaml"
ROUNDS_OF_A_TABLE = 2_000
SECOND = 1_000_000


def played(table: int, rounds: int, now: int) -> Iterator[Append]:
    """What is appended while a table is played, row by row."""
    random = Random(table)
    shoes = Vault(SealingKeys({"k1": bytes(32)}), lambda: random.randbytes(32))
    strategy = read_strategy(STRATEGY, RULES)
    table_id = derived_table_id("house", "player", f"table-{table}")
    opening = c.OpenTable("player", PRESET, RULES)
    head = Head(table_id, "house", "player", PRESET, to_text(RULES), 0, 0, b"", "", 0, 0, 0, 0, 0)
    chance = shoes.chance(table_id, RULES, ())
    engine = LiveTable(head, initial_state(RULES), chance, (), 1)
    request = f"table-{table}"
    command: c.Command = opening
    while engine.state.round <= rounds:
        now += SECOND
        append, engine = advance(engine, command, "player", request, now, shoes)
        yield append
        request = f"r{append.row.version}"
        command = next_command(engine, strategy)


def next_command(engine: LiveTable, strategy: Strategy) -> c.Command:
    state = engine.state
    if state.between_rounds:
        return c.PlaceBet("player", state.betting_round, RULES.min_bet)
    seat = state.seats[0]
    token = decision_token(state, seat)
    if state.phase is Phase.INSURANCE:
        return c.Act("player", token, Action.DECLINE)
    action = strategy.action(
        seat.hands[state.active_hand - 1].cards,
        upcard(state),
        lambda action: refusal(state, seat, action, engine.chance) is None,
    )
    return c.Act("player", token, action)


async def fill(store: PostgresStore, rounds: int) -> None:
    """Tables side by side, so that an append carries a step of each."""
    now = time.time_ns() // 1000
    count = max(1, rounds // ROUNDS_OF_A_TABLE)
    tables = [played(number, rounds // count, now) for number in range(count)]
    while tables:
        steps = [(table, next(table, None)) for table in tables]
        await store.append([step for _, step in steps if step])
        tables = [table for table, step in steps if step]


async def measure(database: str, rounds: int, profile: bool) -> None:
    bursts: list[tuple[float, int]] = []
    async with connect(database, size=2) as connected:
        await fill(PostgresStore(connected), rounds)
    gc.collect()
    gc.disable()  # as the command does
    async with connect(database, size=1, read_only=True) as connected:
        verifier = Verifier(
            PostgresAuditReader(connected),
            progress=lambda rows: bursts.append((time.process_time(), rows)),
        )
        profiler = cProfile.Profile()
        started, wall = time.process_time(), time.monotonic()
        if profile:
            profiler.enable()
        verdicts = [verdict async for verdict in verifier.verify(Scope())]
        profiler.disable()
        seconds, wall = time.process_time() - started, time.monotonic() - wall
    faults = [verdict for verdict in verdicts if verdict.fault]
    if faults:
        raise SystemExit(f"an alarm without a cause: {faults[0]}")
    events = sum(verdict.events for verdict in verdicts)
    rows = sum(verdict.rows for verdict in verdicts)
    best = max(
        read / (ended - began)
        for (began, _), (ended, read) in itertools.pairwise([(started, 0), *bursts])
    )
    sys.stdout.write(
        f"{len(verdicts)} tables, {rows} rows, {events} events: {seconds:.2f} s of CPU,"
        f" {events / seconds:.0f} events/s of CPU, {events / wall:.0f} by the clock; in the best"
        f" burst {best * events / rows:.0f} of CPU\n"
    )
    if profile:
        pstats.Stats(profiler).sort_stats("tottime").print_stats(40)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--profile", action="store_true")
    arguments = parser.parse_args()
    with run_server() as server:
        databases = Databases(server, "speed")
        database = databases.runtime_conninfo(databases.create())
        asyncio.run(measure(database, arguments.rounds, arguments.profile))


if __name__ == "__main__":
    main()
