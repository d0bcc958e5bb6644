"""Plain ids: what may name a table, a rule set, a player, a request.

Letters, digits, `-` and `_`, 1 to 64 of them; case counts.
"""

import re

from service.rules.reasons import Reason, Refused

PLAIN_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


def plain_id(text: str, field: str) -> str:
    """The same id, or a refusal that names the field."""
    if not PLAIN_ID.fullmatch(text):
        raise Refused(
            Reason.FIELD_INVALID,
            f"{field}: an id has 1 to 64 letters, digits, - or _",
            field=field,
        )
    return text


def request_id(text: str) -> str:
    """The same request id; refused if it is missing or no plain id."""
    if not text:
        raise Refused(
            Reason.REQUEST_ID_MISSING,
            "request_id: every call that changes something needs one, new for each change",
            field="request_id",
        )
    return plain_id(text, "request_id")
