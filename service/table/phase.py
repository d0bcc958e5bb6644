"""What a table waits for, and why it is finished."""

from enum import StrEnum


class Phase(StrEnum):
    """What a table waits for."""

    WAITING = "waiting"  # for players, before the start
    BETTING = "betting"  # for bets; nothing has been bet yet, or not by every seat
    INSURANCE = "insurance"  # for seats to insure or decline
    TURNS = "turns"  # for the active seat to act on its active hand
    BANKER = "banker"  # for the banker to draw or stand on a soft hand
    SETTLED = "settled"  # a round is over: its result stands, bets for the next one are taken
    FINISHED = "finished"  # nothing more: the table is closed


class FinishCause(StrEnum):
    """Why a table is finished."""

    ROUNDS_PLAYED = "rounds_played"
    BROKE = "broke"  # nobody who is left can cover the minimum bet
    ALL_LEFT = "all_left"
    CLOSED = "closed"
    IDLE = "idle"  # nothing happened for a long time
