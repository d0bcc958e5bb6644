"""Comparing a simulation with known figures.

Invariants have no tolerance. Frequencies and the edge must be within 4 standard errors. The
dealer's totals by upcard and the net histogram (tails merged beyond 4 stakes) are compared by
chi-square, with a probability above 1e-4.
"""

from collections.abc import Iterator
from functools import partial

import msgspec

from service.audit.simulate.figures import (
    FINALS,
    FREQUENCIES,
    dealer_finals,
    edge,
    mean,
    net_histogram,
    total_staked,
)
from service.audit.simulate.known import Known
from service.audit.simulate.statistics import Mean, chi_square
from service.audit.simulate.tally import Outcome, Tally

STANDARD_ERRORS = 4.0
PROBABILITY = 1e-4
TAIL = 4.0
"""In stakes: larger nets are counted with it."""


class Finding(msgspec.Struct, frozen=True):
    """One comparison: the expected and the found value, their distance, and whether it is small
    enough."""

    what: str
    expected: str
    found: str
    apart: str
    holds: bool


def compare(tally: Tally, known: Known, stake: int) -> Iterator[Finding]:
    """Every comparison that the known figures allow. `stake` is the initial one (minor units)."""
    yield from invariants(tally)
    yield _near("edge", known.edge_exact, edge(tally, stake))
    if known.total_staked_per_round is not None:
        yield _near(
            "total staked per round", known.total_staked_per_round, total_staked(tally, stake)
        )
    for name, share in known.frequencies.items():
        yield _near(name, share, mean(tally, FREQUENCIES[name]))
    for hands, share in known.rounds_ending_with_hands.items():
        found = mean(tally, partial(_ends_with, hands))
        yield _near(f"rounds ending with {hands} hands", share, found)
    if known.net_histogram:
        yield _nets(tally, known, stake)
    for upcard, shares in known.dealer_final_when_dealer_plays_out.items():
        counts = dealer_finals(tally, upcard)
        expected = [shares[final] for final in FINALS]
        yield _alike(f"dealer's totals under {upcard}", counts, expected)


def invariants(tally: Tally) -> Iterator[Finding]:
    """The violations of invariants that occurred."""
    for what, times in sorted(tally.violations.items()):
        yield Finding(what, "never", f"{times} times", "", False)
    if not tally.violations:
        yield Finding("violations of invariants", "never", "never", "", True)


def _ends_with(hands: int, outcome: Outcome) -> bool:
    return outcome.hands == hands


def _near(what: str, expected: float, found: Mean) -> Finding:
    """Within the standard errors of the sample; a value that never varied must equal the expected
    one."""
    away = found.mean - expected
    errors = away / found.error if found.error else 0.0
    # A rare event may not have occurred at all: then the expected standard error is used.
    if not found.error and away:
        errors = away / (abs(expected) / found.rounds) ** 0.5 if expected else float("inf")
    return Finding(
        what,
        f"{expected:.6f}",
        f"{found.mean:.6f}",
        f"{errors:+.2f} standard errors",
        abs(errors) <= STANDARD_ERRORS,
    )


def _nets(tally: Tally, known: Known, stake: int) -> Finding:
    found = net_histogram(tally, stake)
    bins = sorted({_bin(net) for net in (*found, *known.net_histogram)})
    counts = [sum(n for net, n in found.items() if _bin(net) == one) for one in bins]
    shares = [sum(s for net, s in known.net_histogram.items() if _bin(net) == one) for one in bins]
    return _alike("net histogram", counts, shares)


def _bin(net: float) -> float:
    return max(-TAIL, min(TAIL, net))


def _alike(what: str, counts: list[int], shares: list[float]) -> Finding:
    rounds = sum(counts)
    statistic, probability = chi_square(counts, shares)
    return Finding(
        what,
        _percent(shares),
        _percent([count / rounds for count in counts]) if rounds else "never",
        f"chi-square {statistic:.1f}, p = {probability:.2g}",
        rounds > 0 and probability > PROBABILITY,
    )


def _percent(shares: list[float]) -> str:
    return " ".join(f"{share:.2%}" for share in shares)
