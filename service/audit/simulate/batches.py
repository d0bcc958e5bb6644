"""Batches: a simulation cut into parts that any process can play.

The parts depend on the number of rounds alone and each has its own seeds, so the same run gives the
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
    """One batch: so many rounds under a rule set by a strategy."""

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
    """Play so many rounds and add them up; `progress` hears of every batch of rounds played.

    `processes` 0 is one for each core. The figures do not depend on it.
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
    # A round leaves no cycles behind: what it drops is freed at once, and searching is for nothing.
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
