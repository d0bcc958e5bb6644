"""What a viewer gets to see of a table, as plain data: the list of everything that is ever shown.

Nothing else of a table leaves the service: whoever answers calls gets a `TableView` and neither the
state nor the cards behind it. A field that is not here can't be published by mistake.

Amounts are minor units, times microseconds since 1970 (UTC). Cards are written `AS`, `TD`, `7H`;
`??` lies face down for this viewer.
"""

from enum import StrEnum

import msgspec

from service.rules.hand import Action, EndCause, Result
from service.table.phase import FinishCause, Phase


class SeatStatus(StrEnum):
    """How a seat stands in the round that is shown."""

    SEATED = "seated"  # before the start, and not ready
    READY = "ready"
    IN_ROUND = "in_round"  # it has bet
    SITTING_OUT = "sitting_out"
    BROKE = "broke"  # it can't cover the minimum bet, and is out
    LEFT = "left"  # its player left in the running round


class InsuranceAnswer(StrEnum):
    """The answer of a seat when insurance is offered."""

    OPEN = "open"
    INSURED = "insured"
    DECLINED = "declined"


class News(StrEnum):
    """The kinds of announcement."""

    FRESH_SHOE = "fresh_shoe"
    STACK_REFILLED = "stack_refilled"
    TIME_RAN_OUT = "time_ran_out"
    SEAT_BROKE = "seat_broke"
    PLAYER_LEFT = "player_left"
    CUT_CARD_OUT = "cut_card_out"
    NEW_BANKER = "new_banker"
    ROUND_VOIDED = "round_voided"
    TIME_GIVEN_BACK = "time_given_back"


class Announcement(msgspec.Struct, frozen=True):
    """One piece of news; `seat` 0 is the whole table. A void names its round and its reason."""

    kind: News
    seat: int
    round: int = 0
    reason: str = ""


class ShownHand(msgspec.Struct, frozen=True):
    """A hand; `total` and `soft` are of the cards that the viewer sees, `net` is 0 until it is
    settled."""

    cards: tuple[str, ...]
    total: int
    soft: bool
    stake: int
    doubled: bool
    split: bool
    ended: bool
    end_cause: EndCause | None
    result: Result | None
    returned: int
    net: int


class ShownPairBet(msgspec.Struct, frozen=True):
    """A pair bet on the first two cards of a seat; `returned` includes the stake once settled."""

    seat: int
    stake: int
    settled: bool
    returned: int


class ShownSeat(msgspec.Struct, frozen=True):
    """A seat that is taken; `net` is 0 until the round is settled."""

    number: int
    player: str
    status: SeatStatus
    stack: int
    stake: int
    insurance_stake: int
    insurance: InsuranceAnswer | None
    insurance_returned: int
    hands: tuple[ShownHand, ...]
    pair_bets: tuple[ShownPairBet, ...]
    net: int
    last_stake: int
    client_seed: str


class ShownDealer(msgspec.Struct, frozen=True):
    """The dealer's cards; total, natural and bust are of those that the viewer sees."""

    cards: tuple[str, ...]
    total: int
    soft: bool
    natural: bool
    bust: bool


class ShownShoe(msgspec.Struct, frozen=True):
    """The shoe in use (number 0: none yet): how much is left, and what was published about it."""

    number: int
    decks: int
    cards_left: int
    cut_card_out: bool
    commitment: str
    next_commitment: str
    root: str


class ShownStanding(msgspec.Struct, frozen=True):
    """A player's place when a table is finished; `rank` 0 where nobody is ranked, `outcome` (win,
    draw, loss) only for a match of one player."""

    seat: int
    player: str
    rank: int
    stack: int
    forfeited: bool
    outcome: str


class LegalAction(msgspec.Struct, frozen=True):
    """An action that the viewer may take now, and what it takes from the stack."""

    action: Action
    stake: int


class BetOptions(msgspec.Struct, frozen=True):
    """What the viewer may bet now; `refill_to` is the stack that the bet will be made from, or
    0."""

    round: int
    min_stake: int
    max_stake: int
    step: int
    refill_to: int
    last_stake: int
    may_sit_out: bool


class YourSeat(msgspec.Struct, frozen=True):
    """What concerns the viewer alone."""

    seat: int
    legal_actions: tuple[LegalAction, ...]
    decision: str
    bet: BetOptions | None


class TableView(msgspec.Struct, frozen=True):
    """A table as one viewer sees it; `your` is None for who has no seat."""

    phase: Phase
    round: int
    rounds_left: int
    open_ended: bool
    seats: tuple[ShownSeat, ...]
    dealer: ShownDealer
    shoe: ShownShoe
    active_seat: int
    active_hand: int
    banker: int
    deadline: int
    void_reason: str
    finish: FinishCause | None
    standings: tuple[ShownStanding, ...]
    announcements: tuple[Announcement, ...]
    your: YourSeat | None
