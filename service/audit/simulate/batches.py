"""Batches: a simulation is split into parts that any process can play.

The parts depend only on the number of rounds, and each has its own seeds. So the same run gives the
same figures on every machine, with any number of processes.
"""

import gc
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import msgspec

from service.audit.simulate.chance import SimulatedChance
from service.audit.simulate.invariants import Invariants
from service.audit.simulate.player import open_table, play_round
from service.audit.simulate.strategy import Strategy
from service.audit.simulate.tally import Tally
from service.rules.rule_set import RuleSet
from service.table.phase import Phase

BATCH = 5_000
"""Rounds."""


class Job(msgspec.Struct, frozen=True):
    """One batch: a number of rounds under a rule set, played by a strategy."""

    rules: RuleSet
    strategy: Strategy
    seed: str
    batch: int
    rounds: int


def simulate(
    rules: RuleSet,
    strategy: Strategy,
    seed: str,
    rounds: int,
    processes: int = 0,
    progress: Callable[[int], object] = lambda _: None,
) -> Tally:
    """Play this many rounds and add up their tallies; `progress` is called with the rounds of each
    batch.

    `processes` 0 means one per core. The figures do not depend on it.
    """
    jobs = list(_jobs(rules, strategy, seed, rounds))
    processes = min(processes or os.cpu_count() or 1, len(jobs))
    tally = Tally()
    if processes <= 1:
        for part in map(play_batch, jobs):
            tally.add(part)
            progress(part.rounds)
        return tally
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for part in pool.map(play_batch, jobs):
            tally.add(part)
            progress(part.rounds)
    return tally


def _jobs(rules: RuleSet, strategy: Strategy, seed: str, rounds: int) -> Iterator[Job]:
    for batch, start in enumerate(range(0, rounds, BATCH)):
        yield Job(rules, strategy, seed, batch, min(BATCH, rounds - start))


def play_batch(job: Job) -> Tally:
    """Play one batch, at as many tables as its rounds need."""
    tally = Tally()
    # A round leaves no reference cycles: dropped objects are freed at once, and collecting finds
    # nothing.
    collecting = gc.isenabled()
    gc.disable()
    try:
        table = 0
        while tally.rounds < job.rounds:
            table += 1
            _play_table(job, f"{job.batch}-{table}", tally)
    finally:
        if collecting:
            gc.enable()
    return tally


def _play_table(job: Job, table_id: str, tally: Tally) -> None:
    """Play a table until it finishes or the batch is complete."""
    chance = SimulatedChance(job.seed, table_id, job.rules.decks)
    invariants = Invariants(job.rules)
    state = open_table(job.rules, chance)
    while tally.rounds < job.rounds and state.phase is not Phase.FINISHED:
        events, state = play_round(state, chance, job.strategy)
        tally.count(events, state)
        for broken in invariants.violations(events, state):
            tally.violations[broken] += 1
