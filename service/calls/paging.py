"""Pages: a token says where the next one begins.

It is the key of the last row of a page, so that rows which come meanwhile shift nothing. It is
opaque to clients, good for the same list only, and holds nothing that the page did not show.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Annotated, TypeVar

import msgspec

from service.journal.plain_ids import PLAIN_ID
from service.rules.reasons import Reason, Refused

Key = TypeVar("Key")

# What a key is made of; whatever else somebody writes into a token must not reach the database.
Number = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
Id = Annotated[str, msgspec.Meta(pattern=rf"\A{PLAIN_ID.pattern}\Z")]


PAGE_TOKEN = re.compile(r"[A-Za-z0-9_-]{0,512}", re.ASCII)
"""What a token looks like; the first page has an empty one."""


def page_token(name: str, key: object) -> str:
    """The token for the page after this key, in the list of this name."""
    return urlsafe_b64encode(msgspec.json.encode((name, key))).decode().rstrip("=")


def page_key(name: str, token: str, kind: type[Key], field: str = "page_token") -> Key | None:
    """The key in a token, which came in this field; None for the first page (an empty token)."""
    if not token:
        return None
    try:
        raw = urlsafe_b64decode(token.encode("ascii") + b"=" * (-len(token) % 4))
        named, key = msgspec.json.decode(raw, type=tuple[str, kind])  # type: ignore[valid-type]
    except (ValueError, UnicodeError) as error:
        raise invalid_page_token(field) from error
    if named != name:
        raise invalid_page_token(field)
    return key


def invalid_page_token(field: str) -> Refused:
    """The refusal of a token that no list gave out."""
    return Refused(
        Reason.PAGE_TOKEN_INVALID,
        f"{field}: take it from next_{field} of the same list",
        field=field,
    )
