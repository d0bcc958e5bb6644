"""Times onto the wire, and from requests, where they begin and end windows."""

from typing import Any

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from service.rules.reasons import Reason, Refused

_FIRST_SECOND, _LAST_SECOND = -62_135_596_800, 253_402_300_799  # of the years 1 and 9999


def moment(request: Message, field: str) -> int:
    """A time in microseconds since 1970, rounded up; 0 if it is not given. Earlier ones are 1970's.

    Refused if it is none that a timestamp can be.
    """
    if not request.HasField(field):
        return 0
    given: Any = getattr(request, field)
    if not _FIRST_SECOND <= given.seconds <= _LAST_SECOND or not 0 <= given.nanos < 1_000_000_000:
        raise Refused(Reason.FIELD_INVALID, f"{field}: no time", field=field)
    return max(1, int(given.seconds) * 1_000_000 + -(-int(given.nanos) // 1_000))


def timestamp(microseconds: int) -> Timestamp:
    """Microseconds since 1970 (UTC) as the wire has them."""
    seconds, rest = divmod(microseconds, 1_000_000)
    return Timestamp(seconds=seconds, nanos=rest * 1000)
