"""Times as proto JSON has them: RFC 3339, and nothing that only resembles it.

protobuf's own library for Python reads `+99:99` as an offset of four days, and `+-1:00` as one of
an hour the other way. A window that begins then is not what its sender meant, so it is refused.
"""

import re
from datetime import datetime

_RFC_3339 = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})"
    r"(?:\.([0-9]{1,9}))?"
    r"(?:Z|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
)
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - the offset is counted apart, and may lead out of it
FIRST_SECOND, LAST_SECOND = -62_135_596_800, 253_402_300_799
"""Of the years 1 and 9999, in seconds since 1970: all that a timestamp can be."""


def seconds_and_nanos(text: str) -> tuple[int, int]:
    """Seconds since 1970 (UTC) and nanoseconds of a time such as `2026-01-31T12:00:00.5+01:00`.

    ValueError for any other form, a day or an hour that no calendar has (leap seconds are not
    counted), and a time that UTC puts before the year 1 or after 9999.
    """
    found = _RFC_3339.fullmatch(text)
    if found is None:
        raise ValueError("not in the form of RFC 3339")
    date_and_time, fraction, sign, hours, minutes = found.groups()
    since = datetime.fromisoformat(date_and_time) - _EPOCH
    seconds = since.days * 86_400 + since.seconds
    if sign:
        offset = int(hours) * 3600 + int(minutes) * 60
        seconds += -offset if sign == "+" else offset
    if not FIRST_SECOND <= seconds <= LAST_SECOND:
        raise ValueError("not within the years 1 to 9999")
    return seconds, int((fraction or "").ljust(9, "0"))
