"""What a player's token says, read strictly: a token in any other form is none of ours.

The signature is looked at first; only what we have signed is read any further. Each claim has one
form. A library that takes them one by one, as they come, would fail at the first that is a list.
"""

from typing import Annotated

import jwt
import msgspec

from service.journal.plain_ids import PLAIN_ID
from service.journal.ports import TABLE_ACTOR
from service.rules.reasons import Reason, Refused

AUDIENCE = "croupier"
ALGORITHM = "HS256"
LAST_SECOND = 253_402_300_799
"""Of the year 9999, where timestamps end."""

_Id = Annotated[str, msgspec.Meta(pattern=rf"\A{PLAIN_ID.pattern}\Z")]
_Time = Annotated[float, msgspec.Meta(ge=0)]
_UNREADABLE = (jwt.InvalidTokenError, ValueError, TypeError, OverflowError, RecursionError)


class Claims(msgspec.Struct, frozen=True):
    """What a token says: whose player it is for (`iss` the operator, `sub` the player), from when
    to when (seconds since 1970), and for which service. Other claims mean nothing here."""

    iss: _Id
    sub: _Id
    aud: str | list[str]
    exp: Annotated[float, msgspec.Meta(gt=0)]
    nbf: _Time = 0
    iat: _Time = 0
    jti: str = ""


def read_claims(token: str, secret: bytes) -> Claims:
    """What a token says that was signed with this secret; whether it has begun or ended is not
    looked at. Refused (UNAUTHENTICATED) if it was not, or has another form."""
    try:
        signed = jwt.PyJWS().decode_complete(token, secret, algorithms=[ALGORITHM])
    except _UNREADABLE as error:
        raise not_valid("it is no JWT that this service has signed") from error
    kind = signed["header"].get("typ", "JWT")
    if not isinstance(kind, str) or kind.upper() != "JWT":
        raise not_valid("the `typ` of its header is not JWT")
    try:
        claims = msgspec.json.decode(signed["payload"], type=Claims)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise not_valid(f"its claims are not as they have to be: {error}") from error
    if AUDIENCE not in ([claims.aud] if isinstance(claims.aud, str) else claims.aud):
        raise not_valid(f"its claim `aud` does not name {AUDIENCE!r}")
    if claims.sub == TABLE_ACTOR:
        raise not_valid("its claim `sub` is not a player id")
    return claims


def not_valid(why: str) -> Refused:
    """The refusal of a token."""
    return Refused(Reason.UNAUTHENTICATED, f"this token is not valid: {why}")
