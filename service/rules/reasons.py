"""Why something was refused: the closed list, mirrored on the wire by `reason.proto`.

Every refusal names one `Reason`. A refusal changes nothing. The numbers are those of the wire and
are never used again for another meaning; a test holds this list and the proto file together.
"""

from collections.abc import Collection, Mapping
from enum import Enum, IntEnum
from types import MappingProxyType

from service.errors import NotAllowed

_OPEN_ACTIONS = {"legal_actions": "those open to the hand, as in `Action`, commas between"}


class Reason(IntEnum):
    """One cause of a refusal: its number, an example, and the metadata that it always comes with,
    each key with what it says. Whoever refuses gives these keys and no others."""

    example: str
    metadata: Mapping[str, str]

    def __new__(
        cls, number: int, example: str, metadata: Mapping[str, str] | None = None
    ) -> "Reason":
        """A member: an integer that knows more."""
        self = int.__new__(cls, number)
        self._value_ = number
        self.example = example
        self.metadata = MappingProxyType(dict(metadata or {}))
        return self

    def require_metadata(self, given: Collection[str]) -> None:
        """Raise TypeError unless exactly these keys are this reason's."""
        if self.metadata.keys() != set(given):
            raise TypeError(
                f"{self.name} comes with {', '.join(self.metadata) or 'no metadata'},"
                f" and not with {', '.join(given) or 'none'}"
            )

    def metadata_of(self, given: Mapping[str, object]) -> dict[str, str]:
        """What is given for the reason's keys, in their order and as text, the values of enums by
        their names; raises TypeError unless the keys are those of the reason."""
        self.require_metadata(given)
        values = {key: given[key] for key in self.metadata}
        return {
            key: value.name if isinstance(value, Enum) else str(value)
            for key, value in values.items()
        }

    # --- the request itself: no state of the table would allow it
    FIELD_INVALID = (
        1,
        "a table id of 80 characters; an action that is not in the list",
        {"field": "its name; empty: the request as a whole"},
    )
    REQUEST_ID_MISSING = 2, "a bet without request_id", {"field": "its name"}
    REQUEST_ID_REUSED = (
        3,
        "the same request_id again, with another stake",
        {"version": "the version that it gave before"},
    )
    STAKE_INVALID = 4, "a stake of 0, of -5, or of 'NaN'", {"stake": "as it was sent"}
    STAKE_BELOW_MINIMUM = (
        5,
        "4 chips where the table takes 5 to 500",
        {"stake": "minor units", "min_bet": "minor units"},
    )
    STAKE_ABOVE_MAXIMUM = (
        6,
        "501 chips where the table takes 5 to 500",
        {"stake": "minor units", "max_bet": "minor units"},
    )
    STAKE_NOT_A_STEP = (
        7,
        "7 chips where stakes go in steps of 5",
        {"stake": "minor units", "bet_step": "minor units"},
    )
    RULE_SET_INVALID = (
        8,
        "a rotating banker at a table of one seat",
        {"options": "those at fault, by their fields in `RuleSet`, commas between"},
    )
    PAGE_TOKEN_INVALID = 9, "a page_token that no list gave out", {"field": "its name"}
    # --- who asks
    UNAUTHENTICATED = 10, "no token, a token that has ended or was signed by somebody else"
    PERMISSION_DENIED = (
        11,
        "a player who makes a rule set",
        {"needs": "who may: `player`, `operator` or `owner`"},
    )
    NOT_SEATED = (
        12,
        "a hit at a table where the caller has no seat",
        {"free_seats": "how many can be taken"},
    )
    # --- what it is about
    TABLE_NOT_FOUND = (
        20,
        "a table that does not exist, or that the caller may not see",
        {"table_id": "as it was sent"},
    )
    RULE_SET_NOT_FOUND = (
        21,
        "a table of the rule set 'no-such-rules'",
        {"rule_set_id": "as it was sent"},
    )
    ROUND_NOT_FOUND = (
        22,
        "round 9 of a table that has played 8",
        {"round": "the newest one of the table"},
    )
    RULE_SET_EXISTS = (
        23,
        "a rule set made under an id that is taken by another one",
        {"rule_set_id": "as it was sent"},
    )
    SHOE_NOT_FOUND = (
        24,
        "shoe 3 of a table that deals from its second",
        {"shoe": "the newest one of the table; 0: none yet"},
    )
    # --- the table is not in a state for it
    TABLE_FINISHED = (
        30,
        "a bet at a table that has been closed",
        {"cause": "why, as in `FinishCause`"},
    )
    WRONG_PHASE = (
        31,
        "a hit while bets are being taken",
        {"phase": "what the table waits for, as in `Phase`"},
    )
    ROUND_RUNNING = 32, "closing one's table in the middle of a round", {"round": "its number"}
    NOT_YOUR_TURN = (
        33,
        "a hit while another seat decides, or after one's own hand has ended",
        {"active_seat": "whose turn it is; 0: nobody's"},
    )
    DECISION_CHANGED = (
        34,
        "a hit for decision 3-1-0 when 3-1-1 is open, or when its round is over",
        {"decision": "the one that is open to the caller; empty: none"},
    )
    ROUND_CHANGED = (
        35,
        "a bet for round 3 when it is dealt, or when round 4 takes bets",
        {"round": "the one that takes bets; 0: none now"},
    )
    ALREADY_BET = 36, "a second bet in one round", {"round": "the one that takes bets"}
    ALREADY_SEATED = 37, "a second seat for one player", {"seat": "the caller's"}
    SEAT_OCCUPIED = 38, "seat 2 where somebody sits on seat 2", {"seat": "as it was sent"}
    TABLE_FULL = (
        39,
        "a seat at a table whose seats are all taken",
        {"limit": "how many players the table takes"},
    )
    TABLE_STARTED = (
        40,
        "a seat at a match that is under way",
        {"round": "the one that runs or takes bets"},
    )
    SEAT_OUT = (
        41,
        "a bet of a seat that has left, or that is out because it is broke",
        {"stack": "minor units"},
    )
    NOT_DUE = (
        42,
        "time called while the deadline has not passed",
        {"deadline": "microseconds since 1970; 0: none"},
    )
    BANKER_DOES_NOT_BET = 43, "a bet of the seat that holds the bank", {"seat": "the banker's"}
    NOT_COVERED = (
        44,
        "a stake of 500 against a bank of 300",
        {"cover": "what the bank can still pay, minor units"},
    )
    JOIN_CODE_WRONG = 45, "a seat at a private table without its join code"
    ROUND_VOIDED = 46, "voiding a round for the second time", {"round": "its number"}
    TABLE_TOO_LONG = (
        47,
        "verifying a table of a million rows by a call",
        {"limit": "rows that a call verifies", "version": "the table's, which is how many it has"},
    )
    # --- the action is not open to this hand
    STACK_TOO_SMALL = (
        50,
        "a double of 50 with 25 left",
        {"stake": "what is needed, minor units", "stack": "minor units"},
    )
    HIT_NOT_ALLOWED = 51, "a hit on a split ace that gets one card only", _OPEN_ACTIONS
    DOUBLE_NOT_ALLOWED = 52, "a double on three cards", _OPEN_ACTIONS
    SPLIT_NOT_ALLOWED = 53, "a split of ten and jack where the rank decides", _OPEN_ACTIONS
    SURRENDER_NOT_ALLOWED = 54, "a surrender after a hit", _OPEN_ACTIONS
    INSURANCE_NOT_OFFERED = 55, "insurance against a king", _OPEN_ACTIONS
    SIT_OUT_NOT_ALLOWED = (
        56,
        "sitting out at a table of one seat",
        {"round": "the one that takes bets"},
    )
    PAIR_BET_NOT_ALLOWED = (
        57,
        "a pair bet where the rule set has none, or on an empty seat",
        {"seats": "those that a pair bet may name, commas between"},
    )
    # --- the service
    CONTENTION = 70, "other commands kept getting in first until the call's time was over"
    UNAVAILABLE = 71, "the database cannot be reached; a table that a newer version wrote"
    DEADLINE_EXCEEDED = 72, "the call's own time limit passed"
    INTERNAL = 73, "a fault of the service"
    UNIMPLEMENTED = 74, "a method that this server does not have"
    TOO_LARGE = 75, "a body of 5 MB", {"limit": "bytes; of headers, how many"}
    WATCH_BEHIND = (
        77,
        "a watcher who reads more slowly than the table changes",
        {"after_version": "the version to resume after"},
    )
    LIMIT_REACHED = (
        78,
        "a hundred tables opened within a minute",
        {
            "limit": "the setting that says how much is taken, without `CROUPIER_`",
            "retry_seconds": "when to send the call again, seconds",
        },
    )
    STACK_LIMIT = (
        76,
        "a bet from a stack that has passed 2^53 - 1 minor units",
        {"stack": "minor units"},
    )
    # --- HTTP itself
    HTTP_MALFORMED = (
        80,
        "over REST, what is not one HTTP request: without host, with two lengths of its body",
    )


class Refused(NotAllowed):
    """A command that the rules do not allow now.

    `reason` is the cause, `message` one sentence for people, `details` the metadata of the reason,
    as text.
    """

    def __init__(self, reason: Reason, message: str, **details: object) -> None:
        super().__init__(message)
        self.details = reason.metadata_of(details)
        self.reason = reason
        self.message = message
