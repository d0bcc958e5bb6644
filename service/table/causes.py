"""Who or what decided."""

from enum import StrEnum


class Cause(StrEnum):
    """Who or what answered a question."""

    PLAYER = "player"
    TIME_OUT = "time_out"
    TABLE = "table"  # the seat could not have paid
    LEFT = "left"  # the player left
