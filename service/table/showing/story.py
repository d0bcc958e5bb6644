"""A round as a story, as plain data: what happened, in order, and who or what decided.

Amounts are minor units, times microseconds since 1970 (UTC).
"""

from enum import StrEnum

import msgspec

from service.rules.hand import Action, EndCause, Result
from service.table.causes import Cause


class StepKind(StrEnum):
    """What a step of a story tells."""

    SEAT_TAKEN = "seat_taken"
    SEAT_LEFT = "seat_left"
    STACK_REFILLED = "stack_refilled"
    BET = "bet"
    PAIR_BET = "pair_bet"
    SAT_OUT = "sat_out"
    BET_RETURNED = "bet_returned"
    PAIR_BET_RETURNED = "pair_bet_returned"
    FRESH_SHOE = "fresh_shoe"
    CARD = "card"
    CARD_FACE_DOWN = "card_face_down"
    CARD_TURNED = "card_turned"
    PAIR_BET_SETTLED = "pair_bet_settled"
    DECISION = "decision"
    PEEK = "peek"
    HAND_ENDED = "hand_ended"
    HAND_SETTLED = "hand_settled"
    INSURANCE_SETTLED = "insurance_settled"
    BANK_MOVED = "bank_moved"
    ROUND_SETTLED = "round_settled"
    ROUND_VOIDED = "round_voided"
    BANKER_CHANGED = "banker_changed"
    SEAT_BROKE = "seat_broke"
    SEAT_BACK_IN = "seat_back_in"
    TABLE_CLOSING = "table_closing"
    TABLE_FINISHED = "table_finished"
    TIME_GIVEN_BACK = "time_given_back"


class Told(msgspec.Struct, frozen=True):
    """What an event tells. `seat` 0 is the dealer, or the table; `position` -1: no card."""

    kind: StepKind
    seat: int = 0
    hand: int = 0
    on: int = 0
    card: str = ""
    position: int = -1
    action: Action | None = None
    cause: Cause | None = None
    end_cause: EndCause | None = None
    result: Result | None = None
    natural: bool = False
    amount: int = 0
    round: int = 0
    reason: str = ""


class Step(msgspec.Struct, frozen=True):
    """A step: what an event tells, when it was recorded, by whose command, and how the hand that
    got a card, and the stack of the seat, stand after it."""

    told: Told
    at: int
    version: int
    actor: str
    total: int
    soft: bool
    stack: int


class StorySeat(msgspec.Struct, frozen=True):
    """What a round brought a player. `before` is the stack when the round opened or the
    player sat down, `after` the one when it ended or the player left."""

    seat: int
    player: str
    before: int
    after: int
    staked: int
    returned: int


class Story(msgspec.Struct, frozen=True):
    """A round, as far as it has been played."""

    seats: tuple[StorySeat, ...]
    steps: tuple[Step, ...]
