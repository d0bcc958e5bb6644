"""Who or what decided."""

from enum import StrEnum


class Cause(StrEnum):
    """Who or what answered a question."""

    PLAYER = "player"
    TIME_OUT = "time_out"
    TABLE = "table"  # the seat could not have paid
    LEFT = "left"  # the player left


class InterruptionCause(StrEnum):
    """Why time passed in which nobody could answer."""

    OUTAGE = "outage"  # no process served, or the database was away
    CLOCK_STEP = "clock_step"  # the database's clock was set forward
