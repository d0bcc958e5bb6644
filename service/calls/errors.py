"""What a call answers with when it does not succeed: one code, one reason, one sentence.

Both doors show the same: gRPC as a status with `google.rpc.ErrorInfo`, REST as its JSON form with
the matching HTTP code. The code follows from the reason.
"""

from enum import IntEnum

from service.errors import NotAllowed
from service.rules.reasons import Reason, Refused


class Code(IntEnum):
    """The gRPC codes in use; numbers and names are those of `google.rpc.Code`."""

    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    UNAUTHENTICATED = 16


# What no state of a table would allow is INVALID_ARGUMENT; every reason that is not named here is a
# matter of the table's state: FAILED_PRECONDITION.
_CODES = {
    Reason.FIELD_INVALID: Code.INVALID_ARGUMENT,
    Reason.REQUEST_ID_MISSING: Code.INVALID_ARGUMENT,
    Reason.REQUEST_ID_REUSED: Code.INVALID_ARGUMENT,
    Reason.STAKE_INVALID: Code.INVALID_ARGUMENT,
    Reason.STAKE_BELOW_MINIMUM: Code.INVALID_ARGUMENT,
    Reason.STAKE_ABOVE_MAXIMUM: Code.INVALID_ARGUMENT,
    Reason.STAKE_NOT_A_STEP: Code.INVALID_ARGUMENT,
    Reason.RULE_SET_INVALID: Code.INVALID_ARGUMENT,
    Reason.PAGE_TOKEN_INVALID: Code.INVALID_ARGUMENT,
    Reason.UNAUTHENTICATED: Code.UNAUTHENTICATED,
    Reason.PERMISSION_DENIED: Code.PERMISSION_DENIED,
    Reason.NOT_SEATED: Code.PERMISSION_DENIED,
    Reason.JOIN_CODE_WRONG: Code.PERMISSION_DENIED,
    Reason.TABLE_NOT_FOUND: Code.NOT_FOUND,
    Reason.RULE_SET_NOT_FOUND: Code.NOT_FOUND,
    Reason.ROUND_NOT_FOUND: Code.NOT_FOUND,
    Reason.SHOE_NOT_FOUND: Code.NOT_FOUND,
    Reason.RULE_SET_EXISTS: Code.ALREADY_EXISTS,
    Reason.DECISION_CHANGED: Code.ABORTED,
    Reason.ROUND_CHANGED: Code.ABORTED,
    Reason.CONTENTION: Code.ABORTED,
    Reason.WATCH_BEHIND: Code.ABORTED,
    Reason.UNAVAILABLE: Code.UNAVAILABLE,
    Reason.DEADLINE_EXCEEDED: Code.DEADLINE_EXCEEDED,
    Reason.INTERNAL: Code.INTERNAL,
    Reason.UNIMPLEMENTED: Code.UNIMPLEMENTED,
    Reason.TOO_LARGE: Code.RESOURCE_EXHAUSTED,
    Reason.LIMIT_REACHED: Code.RESOURCE_EXHAUSTED,
    Reason.HTTP_MALFORMED: Code.INVALID_ARGUMENT,
}


def code_of(reason: Reason) -> Code:
    """The code that a reason comes with."""
    return _CODES.get(reason, Code.FAILED_PRECONDITION)


RETRY_SECONDS = "retry_seconds"
"""The metadata of reasons that say when to come back."""


class ApiError(NotAllowed):
    """A call that did not succeed; `metadata` is that of the reason, as text."""

    def __init__(self, reason: Reason, message: str, **metadata: object) -> None:
        super().__init__(message)
        self.metadata = reason.metadata_of(metadata)
        self.reason = reason
        self.message = message

    @property
    def code(self) -> Code:
        """The code of the reason."""
        return code_of(self.reason)

    @property
    def retry_seconds(self) -> int | None:
        """After how long the same request may be sent again; None if that would not help."""
        if RETRY_SECONDS in self.metadata:
            return int(self.metadata[RETRY_SECONDS])
        return 1 if self.reason is Reason.UNAVAILABLE else None

    @classmethod
    def of(cls, refused: Refused) -> "ApiError":
        """A refusal by the rules, as it goes to the client."""
        return cls(refused.reason, refused.message, **refused.details)
