"""Serving time: the one time line of a database, that never goes back and that knows its gaps.

The database's clock may be set, and the service may be away. Every second some process writes down
how far the time has come (a beat). So whoever beats next sees what has happened since:

- a clock that was set back: the time line stands for a moment and goes on, ahead of the clock, and
  a tenth slower until the clock has caught up;
- a clock that was set forward, or a time in which no process served, of more than `LONGEST_PAUSE`:
  an interruption, which is recorded once, and counts for no deadline.

All times are microseconds since 1970 (UTC).
"""

import msgspec

from service.table.causes import InterruptionCause

SECOND = 1_000_000
BEAT = SECOND
"""A beat is due when the last one is so long ago."""
LONGEST_PAUSE = 3 * SECOND
"""A longer time without a beat is an interruption."""
TRUSTED = LONGEST_PAUSE - BEAT
"""How long a process trusts its clock after it has read the last beat: less than any interruption
that others may have recorded meanwhile. So it never passes one that it does not know of."""
OWN_STEP = 2 * SECOND
"""How much more a database's clock may have moved than that of a process, before it is a step."""


class Beat(msgspec.Struct, frozen=True):
    """How far the time line had `reached` when the database's clock showed `clock`; both 0 before
    the first beat."""

    reached: int
    clock: int


class Interruption(msgspec.Struct, frozen=True):
    """Time of the time line in which nobody could answer."""

    from_at: int
    to_at: int
    cause: InterruptionCause


def interruption_of(from_at: int, to_at: int, cause: str) -> Interruption:
    """An interruption as it is stored."""
    return Interruption(from_at, to_at, InterruptionCause(cause))


class Reading(msgspec.Struct, frozen=True):
    """One look at the database: its clock, the last beat, and the end of the last interruption."""

    clock: int
    last: Beat
    interrupted_until: int


def reached(last: Beat, clock: int) -> int:
    """How far the time line has come when the database's clock shows `clock`."""
    passed = clock - last.clock
    if not last.clock:
        return clock
    if passed < 0 or passed > LONGEST_PAUSE:
        return max(last.reached, clock) if passed > 0 else last.reached
    return max(clock, last.reached + passed * 9 // 10)


def interruption(last: Beat, clock: int, watched: int | None) -> Interruption | None:
    """The interruption between the last beat and this look at the clock, if there was one.

    `watched` is how long this process has not looked, by its own clock, which nobody sets and which
    runs on while the machine sleeps; None: it has not looked before.
    """
    now, passed = reached(last, clock), clock - last.clock
    if not last.clock or passed <= LONGEST_PAUSE or now <= last.reached:
        return None
    stepped = watched is not None and passed > watched + OWN_STEP
    cause = InterruptionCause.CLOCK_STEP if stepped else InterruptionCause.OUTAGE
    return Interruption(last.reached, now, cause)
