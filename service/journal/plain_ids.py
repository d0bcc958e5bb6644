"""Plain ids: the form of the ids of tables, rule sets, players and requests.

1 to 64 letters, digits, `-` and `_`; case matters.
"""

import re

from service.rules.reasons import Reason, Refused

PLAIN_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


def plain_id(text: str, field: str) -> str:
    """Return the id; refused, naming the field, if it is not a plain id."""
    if not PLAIN_ID.fullmatch(text):
        raise Refused(
            Reason.FIELD_INVALID,
            f"{field}: an id has 1 to 64 letters, digits, - or _",
            field=field,
        )
    return text


def request_id(text: str) -> str:
    """Return the request id; refused if it is missing or not a plain id."""
    if not text:
        raise Refused(
            Reason.REQUEST_ID_MISSING,
            "request_id: every call that changes something needs one, new for each change",
            field="request_id",
        )
    return plain_id(text, "request_id")
